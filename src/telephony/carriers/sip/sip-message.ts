import { isToken, parseWhole, splitOutside } from "./sip-grammar.ts";

/** A request, read or to be written. */
export interface SipRequest {
  kind: "REQUEST";
  method: string;
  uri: string;
  headers: SipHeaders;
  body: Buffer;
}

/** A response, read or to be written. */
export interface SipResponse {
  kind: "RESPONSE";
  status: number;
  reason: string;
  headers: SipHeaders;
  body: Buffer;
}

export type SipMessage = SipRequest | SipResponse;

/** Every header that is looked up by name, so that all spellings and compact forms become one. */
const KNOWN_NAMES =
  "Accept,Accept-Contact,Accept-Encoding,Accept-Language,Alert-Info,Allow,Allow-Events,Authorization,Call-ID,Call-Info,Contact," +
  "Content-Disposition,Content-Encoding,Content-Language,Content-Length,Content-Type,CSeq,Date,Diversion,Error-Info,Event," +
  "Expires,From,History-Info,Identity,In-Reply-To,Max-Forwards,MIME-Version,Min-Expires,Min-SE,P-Asserted-Identity," +
  "P-Preferred-Identity,Path,Privacy,Proxy-Authenticate,Proxy-Authorization,Proxy-Require,RAck,Reason,Record-Route," +
  "Refer-To,Referred-By,Reject-Contact,Replaces,Request-Disposition,Require,Retry-After,Route,RSeq,Server,Service-Route," +
  "Session-Expires,Subject,Subscription-State,Supported,Timestamp,To,Unsupported,User-Agent,Via,Warning,WWW-Authenticate";

const COMPACT_FORMS = {
  a: "Accept-Contact",
  b: "Referred-By",
  c: "Content-Type",
  d: "Request-Disposition",
  e: "Content-Encoding",
  f: "From",
  i: "Call-ID",
  j: "Reject-Contact",
  k: "Supported",
  l: "Content-Length",
  m: "Contact",
  o: "Event",
  r: "Refer-To",
  s: "Subject",
  t: "To",
  u: "Allow-Events",
  v: "Via",
  x: "Session-Expires",
  y: "Identity",
};

const CANONICAL = new Map([
  ...KNOWN_NAMES.split(",").map((name): [string, string] => [name.toLowerCase(), name]),
  ...Object.entries(COMPACT_FORMS),
]);

/** Lists whose elements are written on lines of their own, because each is an address or a hop. */
const LINE_LISTS =
  "Via,Route,Record-Route,Contact,Path,Service-Route,P-Asserted-Identity,P-Preferred-Identity,Diversion,History-Info";
const JOINED_LISTS =
  "Accept,Accept-Contact,Accept-Encoding,Accept-Language,Alert-Info,Allow,Allow-Events,Call-Info,Content-Encoding," +
  "Content-Language,Error-Info,In-Reply-To,Proxy-Require,Reason,Reject-Contact,Require,Supported,Unsupported,Warning";
const JOINED = new Set(JOINED_LISTS.split(","));
const LISTS = new Set([...LINE_LISTS.split(","), ...JOINED]);

/** True when the elements of a header may be written as one line with commas. */
export function isJoinedList(canonicalName: string): boolean {
  return JOINED.has(canonicalName);
}

/** Returns the usual spelling of a header's name, also for its compact form; unknown names stay unchanged. */
export function canonicalName(name: string): string {
  return CANONICAL.get(name.toLowerCase()) ?? name;
}

/**
 * The headers of a message in order. Names match in any case and in compact form; a list header has one entry for each
 * element, however the message wrote it.
 */
export class SipHeaders {
  #entries: [name: string, value: string][] = [];

  /** Returns the first value: of Via the topmost, of Allow the first method. */
  get(name: string): string | undefined {
    const key = canonicalName(name).toLowerCase();
    return this.#entries.find(([own]) => own.toLowerCase() === key)?.[1];
  }

  /** Returns all values, in order. */
  getAll(name: string): string[] {
    const key = canonicalName(name).toLowerCase();
    return this.#entries.filter(([own]) => own.toLowerCase() === key).map(([, value]) => value);
  }

  /** Replaces all values of a header by one. */
  set(name: string, value: string): void {
    const key = canonicalName(name).toLowerCase();
    const at = this.#entries.findIndex(([own]) => own.toLowerCase() === key);
    this.remove(name);
    this.#entries.splice(at < 0 ? this.#entries.length : at, 0, ...toEntries(name, value));
  }

  /** Adds a value after the existing ones. */
  add(name: string, value: string): void {
    for (const entry of toEntries(name, value)) this.#entries.push(entry);
  }

  /** Adds a value before the existing ones, as Via needs it. */
  prepend(name: string, value: string): void {
    this.#entries.unshift(...toEntries(name, value));
  }

  /** Removes all values of a header. */
  remove(name: string): void {
    const key = canonicalName(name).toLowerCase();
    this.#entries = this.#entries.filter(([own]) => own.toLowerCase() !== key);
  }

  /** Number of entries. */
  get size(): number {
    return this.#entries.length;
  }

  [Symbol.iterator](): Iterator<[name: string, value: string]> {
    return this.#entries.map(([name, value]): [string, string] => [name, value])[Symbol.iterator]();
  }
}

function toEntries(name: string, value: string): [string, string][] {
  const canonical = canonicalName(name);
  if (!LISTS.has(canonical)) return [[canonical, value.trim()]];
  return splitOutside(value, ",").map((part) => [canonical, part]);
}

/** The number and method of a CSeq. */
export interface CSeq {
  number: number;
  method: string;
}

/** Reads a CSeq; null when it is missing, malformed or its number is 2^31 or more. */
export function parseCSeq(value: string | undefined): CSeq | null {
  const match = /^(\d+)[ \t]+(\S+)$/.exec(value ?? "");
  if (!match) return null;
  const [, digits, method] = match as unknown as [string, string, string];
  const number = parseWhole(digits, 2 ** 31 - 1);
  return number === null || !isToken(method) ? null : { number, method };
}
