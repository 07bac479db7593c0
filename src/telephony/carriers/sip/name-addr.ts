import { endOfQuoted, parseParams, quote, type SipParams, unquote, writeParams } from "./sip-grammar.ts";
import { looksLikeUri, parseUri } from "./sip-uri.ts";

/** The value of From, To, Contact, Route, Record-Route, Refer-To and P-Asserted-Identity. */
export interface NameAddr {
  /** Null when there is none or it is empty. */
  displayName: string | null;
  uri: string;
  /** Parameters after the address: tag, expires, q … */
  params: SipParams;
}

/** Reads one name-addr or addr-spec, of any scheme; null when malformed, and for the "*" of a Contact. */
export function parseNameAddr(value: string): NameAddr | null {
  const text = value.trim();
  const quotedEnd = text[0] === '"' ? endOfQuoted(text, 0) : 0;
  if (quotedEnd < 0) return null;
  const open = text.indexOf("<", quotedEnd);
  if (open < 0) return quotedEnd > 0 ? null : parseAddrSpec(text);
  const close = text.indexOf(">", open);
  const params = close < 0 ? null : parseParams(text.slice(close + 1));
  const uri = text.slice(open + 1, close);
  const displayName = readDisplayName(text.slice(0, open).trim());
  if (!params || displayName === undefined || !isAddress(uri)) return null;
  return { displayName: displayName === "" ? null : displayName, uri, params };
}

// Without brackets, everything after ";" belongs to the header, and the URI must not contain "?" or "," (20.10).
function parseAddrSpec(text: string): NameAddr | null {
  const semicolon = text.indexOf(";");
  const uri = (semicolon < 0 ? text : text.slice(0, semicolon)).trimEnd();
  const params = parseParams(semicolon < 0 ? "" : text.slice(semicolon));
  return params && !/[?,]/.test(uri) && isAddress(uri) ? { displayName: null, uri, params } : null;
}

function isAddress(uri: string): boolean {
  if (!looksLikeUri(uri)) return false;
  return !/^(?:sips?|tel):/i.test(uri) || parseUri(uri) !== null;
}

function readDisplayName(text: string): string | undefined {
  if (text[0] === '"') return unquote(text) ?? undefined;
  // Wider than tokens: telephone systems put brackets and the like here without quotes.
  return /^[^"<>,;:@\\]*$/.test(text) ? text.replaceAll(/\s+/g, " ") : undefined;
}

/** Writes a name-addr, always with brackets. */
export function writeNameAddr(address: {
  displayName?: string | null;
  uri: string;
  params?: Iterable<[string, string | null]>;
}): string {
  const name = address.displayName ? `${quote(address.displayName)} ` : "";
  return `${name}<${address.uri}>${writeParams(address.params ?? [])}`;
}

/** Returns the tag of a From or To; null when it has none or is malformed. */
export function readTag(value: string | undefined): string | null {
  return (value === undefined ? null : parseNameAddr(value))?.params.get("tag") ?? null;
}
