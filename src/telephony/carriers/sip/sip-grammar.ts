/** True when the text is a token of RFC 3261 (25.1): a method, a header's or parameter's name. */
export function isToken(text: string): boolean {
  return /^[\w\-.!%*+`'~]+$/.test(text);
}

/**
 * Splits at a separator outside quoted strings and angle brackets, and trims the parts. An unclosed quote or bracket
 * takes the rest of the text; the reader of that part then refuses it.
 */
export function splitOutside(text: string, separator: "," | ";"): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  let bracketed = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (quoted) {
      if (char === "\\") at += 1;
      else if (char === '"') quoted = false;
    } else if (bracketed) bracketed = char !== ">";
    else if (char === '"') quoted = true;
    else if (char === "<") bracketed = true;
    else if (char === separator) {
      parts.push(text.slice(start, at).trim());
      start = at + 1;
    }
  }
  parts.push(text.slice(start).trim());
  return parts;
}

/** Returns the end of the quoted string that begins at `start`: the index after its closing quote, or -1. */
export function endOfQuoted(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return -1;
}

/** Returns the contents of a quoted string; null when the text is not exactly one quoted string. */
export function unquote(text: string): string | null {
  if (text[0] !== '"' || endOfQuoted(text, 0) !== text.length) return null;
  return text.slice(1, -1).replaceAll(/\\(.)/gs, "$1");
}

/** Writes a quoted string. */
export function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** Parameters by name in lower case; null: the parameter has no value. */
export type SipParams = Map<string, string | null>;

/**
 * Reads `;name=value;name` after a header's address; quoted values are returned without their quotes. Null when the
 * syntax is invalid, or a parameter occurs twice.
 */
export function parseParams(text: string): SipParams | null {
  const params: SipParams = new Map();
  if (text.trim() === "") return params;
  const [before, ...parts] = splitOutside(text, ";");
  if (before !== "") return null;
  for (const part of parts) {
    const equals = part.indexOf("=");
    const name = (equals < 0 ? part : part.slice(0, equals)).trim().toLowerCase();
    const value = equals < 0 ? null : readParamValue(part.slice(equals + 1).trim());
    if (!isToken(name) || value === undefined || params.has(name)) return null;
    params.set(name, value);
  }
  return params;
}

/** Reads a token, a host (which may be an IPv6 reference), or a quoted string. */
function readParamValue(text: string): string | undefined {
  if (text[0] === '"') return unquote(text) ?? undefined;
  return isParamText(text) ? text : undefined;
}

// Wider than a token: hosts occur here, and trunks put plain addresses and colons into unquoted values.
function isParamText(text: string): boolean {
  return /^[^\s";,<>]+$/.test(text);
}

/** Writes parameters as `;name=value`, quoted where they must be. */
export function writeParams(params: Iterable<[string, string | null]>): string {
  let text = "";
  for (const [name, value] of params) {
    text += value === null ? `;${name}` : `;${name}=${isParamText(value) ? value : quote(value)}`;
  }
  return text;
}

/** Reads digits up to a bound; null for everything else. Leading zeros are allowed, as in the standard. */
export function parseWhole(text: string, max: number): number | null {
  if (!/^\d{1,20}$/.test(text)) return null;
  const value = Number(text);
  return value <= max ? value : null;
}
