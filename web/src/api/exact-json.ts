/** JSON of newer engines: `parse` passes the source text to the reviver, and `rawJSON` writes a text as it is. */
interface NewerJson {
  parse: (text: string, reviver: (key: string, value: unknown, context?: { source?: string }) => unknown) => unknown;
  rawJSON?: (text: string) => unknown;
}

/**
 * Parses JSON so that JSON.stringify writes every number as it came: 12345678901234567890 and 1.0 stay the same when
 * sent back. Such numbers cannot be used to compute.
 */
export function parseExactly(text: string): unknown {
  const { parse, rawJSON } = JSON as unknown as NewerJson;
  if (rawJSON === undefined) return JSON.parse(text) as unknown;
  return parse(text, (_key, value, context) => {
    const source = context?.source;
    return typeof value === "number" && source !== undefined && source !== written(value) ? rawJSON(source) : value;
  });
}

/** The number as JSON.stringify writes it; empty for -0, whose sign it drops. */
function written(value: number): string {
  return Object.is(value, -0) ? "" : String(value);
}

/**
 * JSON of a customer as it was written: digits, order, repeated names. Parsing would lose them, so only
 * `stringifyExactly` and `formatJson` handle it; JSON.stringify keeps at least its numbers.
 */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): unknown {
    return parseExactly(this.text);
  }
}

const KEPT = '"contextData":';

/**
 * Parses a reply. Every object under `contextData`, which the service returns byte for byte, becomes a `JsonText`.
 * `isExact` keeps the numbers of everything else as well. Throws SyntaxError for invalid JSON.
 */
export function parseReply(text: string, isExact = false): unknown {
  const texts: JsonText[] = [];
  const mark = `\u0000${Math.random()}:`;
  const rest = cutOut(text, (kept) => JSON.stringify(mark + String(texts.push(new JsonText(kept)) - 1)));
  const parsed: unknown = isExact ? parseExactly(rest) : JSON.parse(rest);
  return texts.length === 0 ? parsed : putBack(parsed, (value) => textOf(value, mark, texts));
}

/** Replaces each kept object by the result of `replace` for its text. */
function cutOut(text: string, replace: (kept: string) => string): string {
  let out = "";
  let from = 0;
  for (let at = text.indexOf(KEPT); at >= 0; at = text.indexOf(KEPT, Math.max(from, at + 1))) {
    const start = skipSpace(text, at + KEPT.length);
    // Behind a backslash the quote is part of another name.
    if (text[at - 1] === "\\" || text[start] !== "{") continue;
    const end = endOfObject(text, start);
    out += text.slice(from, start) + replace(text.slice(start, end));
    from = end;
  }
  return out + text.slice(from);
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (" \t\r\n".includes(text[at] ?? "-")) at++;
  return at;
}

function endOfObject(text: string, start: number): number {
  const steps = /"(?:[^"\\]|\\.)*"|[{}]/g;
  steps.lastIndex = start;
  let depth = 0;
  for (let step = steps.exec(text); step !== null; step = steps.exec(text)) {
    if (step[0] === "{") depth++;
    if (step[0] === "}" && --depth === 0) return steps.lastIndex;
  }
  return text.length;
}

/** Returns `value` with each string that stands for a kept text replaced, in place. */
function putBack(value: unknown, read: (value: unknown) => unknown): unknown {
  if (typeof value !== "object" || value === null || isRaw(value)) return read(value);
  const members = value as Record<string, unknown>;
  for (const name of Object.keys(members)) members[name] = putBack(members[name], read);
  return members;
}

function isRaw(value: object): boolean {
  return Object.isFrozen(value) && "rawJSON" in value;
}

function textOf(value: unknown, mark: string, texts: JsonText[]): unknown {
  return typeof value === "string" && value.startsWith(mark) ? texts[Number(value.slice(mark.length))] : value;
}

/** JSON of a value; each `JsonText` in it is kept as written. Undefined for a value without JSON. */
export function stringifyExactly(value: unknown): string | undefined {
  return writeAround(value, 0, (text) => text);
}

/** JSON of a value, `indent` spaces per level. `write` returns the text of a `JsonText`, given the line it is in. */
function writeAround(
  value: unknown,
  indent: number,
  write: (text: string, line: string) => string,
): string | undefined {
  const texts: string[] = [];
  const mark = `\u0000${Math.random()}:`;
  const replace = function (this: Record<string, unknown>, name: string, member: unknown) {
    const before = this[name];
    return before instanceof JsonText ? mark + String(texts.push(before.text) - 1) : member;
  };
  const written = JSON.stringify(value, replace, indent) as string | undefined;
  if (texts.length === 0 || written === undefined) return written;
  const [first = "", ...parts] = written.split(JSON.stringify(mark).slice(0, -1));
  let out = first;
  let before = first;
  for (const part of parts) {
    const end = part.indexOf('"');
    out += write(texts[Number(part.slice(0, end))] ?? "", before.slice(before.lastIndexOf("\n") + 1));
    before = part.slice(end + 1);
    out += before;
  }
  return out;
}

const STEP = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Lays out a JSON text in lines as JSON.stringify does; only its spaces change. */
export function formatJson(text: string): string {
  let out = "";
  let depth = 0;
  let before = "";
  for (const [step] of text.matchAll(STEP)) {
    const closes = step === "}" || step === "]";
    if (closes) depth--;
    const opened = before === "{" || before === "[";
    if ((opened && !closes) || before === "," || (closes && !opened)) out += `\n${"  ".repeat(depth)}`;
    out += step === ":" ? ": " : step;
    if (step === "{" || step === "[") depth++;
    before = step;
  }
  return out;
}

/** A value in lines, as it was written; an unset one is null. */
export function showExactly(value: unknown): string {
  const write = (text: string, line: string) => formatJson(text).replaceAll("\n", `\n${/^ */.exec(line)?.[0] ?? ""}`);
  return writeAround(value, 2, write) ?? "null";
}
