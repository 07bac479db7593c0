import { isIPv6 } from "node:net";
import { isToken, parseWhole } from "./sip-grammar.ts";

/** A sip: or sips: URI, with escapes decoded. */
export interface SipUri {
  scheme: "sip" | "sips";
  user: string | null;
  password: string | null;
  /** A name, IPv4 digits, or IPv6 digits without brackets; in lower case. */
  host: string;
  port: number | null;
  /** By name in lower case; null: no value. */
  params: Map<string, string | null>;
  /** Headers after "?", in order. */
  headers: [name: string, value: string][];
}

/** A tel: URI: the number without visual separators, and its parameters by name in lower case. */
export interface TelUri {
  scheme: "tel";
  number: string;
  params: Map<string, string | null>;
}

/** Reads a sip:, sips: or tel: URI; null when it is another scheme or malformed. */
export function parseUri(text: string): SipUri | TelUri | null {
  const colon = text.indexOf(":");
  const scheme = text.slice(0, Math.max(colon, 0)).toLowerCase();
  const rest = text.slice(colon + 1);
  if (/[\s<>"\p{Cc}]/u.test(rest)) return null;
  if (scheme === "tel") return parseTel(rest);
  return scheme === "sip" || scheme === "sips" ? parseSip(scheme, rest) : null;
}

/** Reads a sip: or sips: URI; null for anything else. */
export function parseSipUri(text: string): SipUri | null {
  const uri = parseUri(text);
  return uri === null || uri.scheme === "tel" ? null : uri;
}

function parseSip(scheme: "sip" | "sips", rest: string): SipUri | null {
  // "@" must be escaped after the user part, but ";" and "?" may occur in it.
  const at = rest.indexOf("@");
  const login = at < 0 ? null : parseLogin(rest.slice(0, at));
  const [address, query] = splitOnce(rest.slice(at + 1), "?");
  const [hostPort, paramText] = splitOnce(address, ";");
  const place = parseHostPort(hostPort);
  const params = parseUriParams(paramText);
  const headers = parseUriHeaders(query);
  if ((at >= 0 && login === null) || !place || !params || !headers) return null;
  return { scheme, user: login?.user ?? null, password: login?.password ?? null, ...place, params, headers };
}

function parseLogin(text: string): { user: string; password: string | null } | null {
  const [userText, passwordText] = splitOnce(text, ":");
  const user = unescape(userText);
  const password = passwordText === null ? null : unescape(passwordText);
  return user === null || user === "" || (passwordText !== null && password === null) ? null : { user, password };
}

/** Reads `host`, `host:port`, `[IPv6]:port`; null when malformed. */
export function parseHostPort(text: string): { host: string; port: number | null } | null {
  const match = /^(?:\[([\da-fA-F:.]{2,45})\]|([\w.-]{1,255}))(?::(\d{1,5}))?$/.exec(text);
  if (!match) return null;
  const [, bracketed, name, portText] = match;
  if (bracketed !== undefined && !isIPv6(bracketed)) return null;
  const port = portText === undefined ? null : parseWhole(portText, 65_535);
  if (portText !== undefined && port === null) return null;
  return { host: (bracketed ?? (name as string)).toLowerCase(), port };
}

/** Writes `host:port`, with brackets around IPv6. */
export function writeHostPort(host: string, port: number | null): string {
  return `${host.includes(":") ? `[${host}]` : host}${port === null ? "" : `:${port}`}`;
}

function parseUriParams(text: string | null): Map<string, string | null> | null {
  const params = new Map<string, string | null>();
  for (const part of text === null ? [] : text.split(";")) {
    const [rawName, rawValue] = splitOnce(part, "=");
    const name = unescape(rawName)?.toLowerCase();
    const value = rawValue === null ? null : unescape(rawValue);
    if (!name || (rawValue !== null && value === null) || params.has(name)) return null;
    params.set(name, value);
  }
  return params;
}

function parseUriHeaders(text: string | null): [string, string][] | null {
  const headers: [string, string][] = [];
  for (const part of text === null ? [] : text.split("&")) {
    const [rawName, rawValue] = splitOnce(part, "=");
    const name = unescape(rawName);
    const value = unescape(rawValue ?? "");
    if (!name || value === null) return null;
    headers.push([name, value]);
  }
  return headers;
}

function parseTel(rest: string): TelUri | null {
  const [digits, paramText] = splitOnce(rest, ";");
  const number = digits.replaceAll(/[-.()]/g, "");
  const params = parseUriParams(paramText);
  return /^(?:\+\d{1,32}|[\dA-Fa-f*#]{1,32})$/.test(number) && params ? { scheme: "tel", number, params } : null;
}

function splitOnce(text: string, separator: string): [string, string | null] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, null] : [text.slice(0, at), text.slice(at + 1)];
}

/** Decodes %XX; null when a % is no escape or the bytes are not UTF-8. */
function unescape(text: string): string | null {
  if (!text.includes("%")) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

const USER_CHARS = /[^\w\-.!~*'()&=+$,;?/]/gu;
const PASSWORD_CHARS = /[^\w\-.!~*'()&=+$,]/gu;
const PARAM_CHARS = /[^\w\-.!~*'()[\]/:&+$]/gu;
const HEADER_CHARS = /[^\w\-.!~*'()[\]/?:+$]/gu;

function escape(text: string, others: RegExp): string {
  return text.replace(others, (char) =>
    [...Buffer.from(char)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(""),
  );
}

/** Writes a URI with all necessary escapes. */
export function writeUri(uri: SipUri | TelUri): string {
  if (uri.scheme === "tel") return `tel:${uri.number}${writeUriParams(uri.params)}`;
  const password = uri.password === null ? "" : `:${escape(uri.password, PASSWORD_CHARS)}`;
  const login = uri.user === null ? "" : `${escape(uri.user, USER_CHARS)}${password}@`;
  const query = uri.headers.map(([name, value]) => `${escape(name, HEADER_CHARS)}=${escape(value, HEADER_CHARS)}`);
  const headers = query.length === 0 ? "" : `?${query.join("&")}`;
  return `${uri.scheme}:${login}${writeHostPort(uri.host, uri.port)}${writeUriParams(uri.params)}${headers}`;
}

function writeUriParams(params: Map<string, string | null>): string {
  return [...params]
    .map(([name, value]) => `;${escape(name, PARAM_CHARS)}${value === null ? "" : `=${escape(value, PARAM_CHARS)}`}`)
    .join("");
}

/** Creates a SIP URI from its parts, for the common case. */
export function createSipUri(parts: { user: string | null; host: string; port?: number | null }): SipUri {
  const { user, host, port = null } = parts;
  return { scheme: "sip", user, password: null, host, port, params: new Map(), headers: [] };
}

/** Parameters that make two URIs differ when only one of them has them (RFC 3261, 19.1.4). */
const TELLING_PARAMS = ["user", "ttl", "method", "maddr", "transport"];

/** True when two URIs are equivalent (RFC 3261, 19.1.4): most parameters that only one of them has are ignored. */
export function sameUri(left: SipUri | TelUri, right: SipUri | TelUri): boolean {
  if (left.scheme === "tel" || right.scheme === "tel") {
    return left.scheme === "tel" && right.scheme === "tel" && left.number.toLowerCase() === right.number.toLowerCase();
  }
  const samePlace = left.scheme === right.scheme && left.host === right.host && left.port === right.port;
  const sameLogin = left.user === right.user && left.password === right.password;
  return samePlace && sameLogin && sameParams(left.params, right.params) && sameHeaders(left.headers, right.headers);
}

function sameParams(left: Map<string, string | null>, right: Map<string, string | null>): boolean {
  if (TELLING_PARAMS.some((name) => left.has(name) !== right.has(name))) return false;
  return [...left].every(
    ([name, value]) => !right.has(name) || right.get(name)?.toLowerCase() === value?.toLowerCase(),
  );
}

function sameHeaders(left: [string, string][], right: [string, string][]): boolean {
  const sorted = (headers: [string, string][]): string =>
    headers
      .map(([name, value]) => JSON.stringify([name.toLowerCase(), value]))
      .toSorted((one, other) => (one < other ? -1 : 1))
      .join();
  return sorted(left) === sorted(right);
}

/** True when the text may be a URI of any scheme: a scheme, a colon, and no space or bracket. */
export function looksLikeUri(text: string): boolean {
  const colon = text.indexOf(":");
  const scheme = text.slice(0, Math.max(colon, 0));
  return isToken(scheme) && /^[A-Za-z]/.test(scheme) && /^[^\s<>"\p{Cc}]+$/u.test(text.slice(colon + 1));
}
