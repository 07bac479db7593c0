import { isUtf8 } from "node:buffer";
import { parseNameAddr } from "./name-addr.ts";
import { isToken, parseWhole } from "./sip-grammar.ts";
import { parseCSeq, SipHeaders, type SipMessage, type SipRequest, type SipResponse } from "./sip-message.ts";
import { looksLikeUri, parseSipUri } from "./sip-uri.ts";
import { parseVia } from "./via.ts";

/**
 * A message that could not be read. Status and request define the answer; where either is null, the message is dropped:
 * responses, ACKs, and requests that name no address for an answer.
 */
export interface MalformedMessage {
  kind: "MALFORMED";
  reason: string;
  status: 400 | 505 | null;
  request: SipRequest | null;
}

export const MAX_MESSAGE_BYTES = 65_536;
const MAX_HEADERS = 200;
const MAX_LINE_CHARS = 8192;
const HEAD_END = Buffer.from("\r\n\r\n");

/** Reads one datagram. Never throws. Bytes beyond Content-Length are cut off (RFC 3261, 18.3). */
export function parseMessage(bytes: Buffer): SipMessage | MalformedMessage {
  const start = skipBlankLines(bytes);
  if (start === bytes.length) return drop("The message is empty.");
  if (bytes.length - start > MAX_MESSAGE_BYTES) return drop("The message is larger than 64 KiB.");
  const end = bytes.indexOf(HEAD_END, start);
  const head = readHead(bytes.subarray(start, end < 0 ? bytes.length : end));
  if (end < 0) return "fault" in head ? refuse(head) : refuse({ ...head, fault: "No empty line ends the headers." });
  return withBody(head, bytes.subarray(end + HEAD_END.length));
}

/** Returns the start of the message, after any empty lines before it (RFC 3261, 7.5). */
function skipBlankLines(bytes: Buffer): number {
  let at = 0;
  while (bytes[at] === 13 && bytes[at + 1] === 10) at += 2;
  return at;
}

/** A start line with its headers, and their fault if any. */
export type MessageHead = { message: SipMessage | null } & ({ fault: string; status?: 400 | 505 } | object);

type Fault = { message: SipMessage | null; fault: string; status?: 400 | 505 };

/** Reads the part before the empty line. */
export function readHead(bytes: Buffer): { message: SipMessage } | Fault {
  const text = bytes.toString(isUtf8(bytes) ? "utf8" : "latin1");
  const [startLine = "", ...lines] = unfold(text);
  const { headers, fault } = readHeaders(lines);
  const message = readStartLine(startLine, headers);
  if (message === null) return { message, fault: "The first line is neither that of a request nor of a response." };
  const wrong = fault ?? (/[\r\n\0]/.test(startLine) ? "The first line holds a control character." : null);
  if (wrong !== null) return { message, fault: wrong };
  const problem = message.kind === "REQUEST" ? checkRequest(message, startLine) : checkResponse(message);
  return problem === null ? { message } : { message, ...problem };
}

/** Joins lines that begin with space to the line before. */
function unfold(text: string): string[] {
  return text.replaceAll(/\r\n(?=[ \t])/g, "").split("\r\n");
}

function readHeaders(lines: string[]): { headers: SipHeaders; fault: string | null } {
  const headers = new SipHeaders();
  let fault: string | null = lines.length > MAX_HEADERS ? `There are more than ${MAX_HEADERS} headers.` : null;
  for (const line of lines.slice(0, MAX_HEADERS)) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).trimEnd();
    if (line.length > MAX_LINE_CHARS) fault ??= `A header is longer than ${MAX_LINE_CHARS} characters.`;
    else if (!isToken(name)) fault ??= "A line is not a header.";
    else if (/[\r\n\0]/.test(line)) fault ??= `Header ${name} holds a control character.`;
    else headers.add(name, line.slice(colon + 1));
    if (headers.size > 4 * MAX_HEADERS) return { headers, fault: "There are too many values in the headers." };
  }
  return { headers, fault };
}

function readStartLine(line: string, headers: SipHeaders): SipMessage | null {
  if (line.length > MAX_LINE_CHARS) return null;
  const body = Buffer.alloc(0);
  const answer = /^SIP\/2\.0 (\d{3})(?: (.*))?$/is.exec(line);
  if (answer) return { kind: "RESPONSE", status: Number(answer[1]), reason: answer[2] ?? "", headers, body };
  if (/^SIP\//i.test(line)) return null;
  const method = line.slice(0, Math.max(line.indexOf(" "), 0));
  const rest = line.slice(method.length).trim();
  const lastSpace = rest.lastIndexOf(" ");
  const isRequest = isToken(method) && lastSpace > 0 && /^SIP\/\d/i.test(rest.slice(lastSpace + 1));
  return isRequest ? { kind: "REQUEST", method, uri: rest.slice(0, lastSpace).trim(), headers, body } : null;
}

type Problem = { fault: string; status?: 400 | 505 };

function checkRequest(request: SipRequest, startLine: string): Problem | null {
  const { method, uri, headers } = request;
  const version = startLine.trimEnd().slice(startLine.trimEnd().lastIndexOf(" ") + 1);
  if (version.toUpperCase() !== "SIP/2.0") return { fault: `Version ${version} is not known.`, status: 505 };
  if (startLine !== `${method} ${uri} ${version}`) return { fault: "The first line has spaces where none may be." };
  if (!looksLikeUri(uri)) return { fault: "The Request-URI is malformed." };
  if (/^sips?:/i.test(uri)) {
    const parsed = parseSipUri(uri);
    if (!parsed || parsed.headers.length > 0) return { fault: "The Request-URI is malformed." };
  }
  const forwards = headers.getAll("Max-Forwards");
  if (forwards.length > 1 || forwards.some((value) => parseWhole(value, 255) === null)) {
    return { fault: "Max-Forwards is malformed." };
  }
  const fault = checkHeaders(headers);
  if (fault !== null) return { fault };
  if (parseCSeq(headers.get("CSeq"))?.method !== method) return { fault: "CSeq names another method." };
  return null;
}

function checkResponse(response: SipResponse): Problem | null {
  if (response.status < 100 || response.status > 699) return { fault: "The status is not one of 100 to 699." };
  const fault = checkHeaders(response.headers);
  return fault === null ? null : { fault };
}

const ONCE = ["From", "To", "Call-ID", "CSeq"];
const LARGEST_SECONDS = 2 ** 32 - 1;

function checkHeaders(headers: SipHeaders): string | null {
  for (const name of ONCE) {
    const count = headers.getAll(name).length;
    if (count !== 1) return count === 0 ? `${name} is missing.` : `${name} is there twice.`;
  }
  const vias = headers.getAll("Via");
  if (vias.length === 0 || vias.some((via) => parseVia(via) === null)) return "Via is missing or malformed.";
  for (const name of ["From", "To"]) {
    if (parseNameAddr(headers.get(name) ?? "") === null) return `${name} is malformed.`;
  }
  if (!/^[^\s@]+(?:@[^\s@]+)?$/.test(headers.get("Call-ID") ?? "")) return "Call-ID is malformed.";
  if (parseCSeq(headers.get("CSeq")) === null) return "CSeq is malformed.";
  const expires = headers.get("Expires");
  if (expires !== undefined && parseWhole(expires, LARGEST_SECONDS) === null) return "Expires is malformed.";
  return checkAddresses(headers);
}

function checkAddresses(headers: SipHeaders): string | null {
  for (const name of ["Contact", "Route", "Record-Route"]) {
    for (const value of headers.getAll(name)) {
      if (name === "Contact" && value === "*") continue;
      const address = parseNameAddr(value);
      const expires = address?.params.get("expires");
      if (!address || (expires && parseWhole(expires, LARGEST_SECONDS) === null)) return `${name} is malformed.`;
    }
  }
  return null;
}

/** Returns the body's length by Content-Length: null when the header is missing, a text when its value is wrong. */
export function readContentLength(headers: SipHeaders): number | null | string {
  const values = headers.getAll("Content-Length");
  if (values.length === 0) return null;
  if (values.length > 1) return "Content-Length is there twice.";
  return parseWhole(values[0] as string, 2 ** 31) ?? "Content-Length is malformed.";
}

/** Adds the body to its head. A faulty head becomes a malformed message, and so does a body that is too short. */
export function withBody(head: { message: SipMessage } | Fault, rest: Buffer): SipMessage | MalformedMessage {
  if ("fault" in head) return refuse(head);
  const { message } = head;
  const length = readContentLength(message.headers);
  if (typeof length === "string") return refuse({ message, fault: length });
  if (length !== null && length > rest.length) return refuse({ message, fault: "The body is shorter than it says." });
  // A copy: the caller owns the bytes, and a dialog may keep its message for minutes.
  return { ...message, body: Buffer.from(rest.subarray(0, length ?? rest.length)) };
}

/** Makes a malformed message; it can be answered only where an answer would find its way. */
export function refuse(fault: Fault): MalformedMessage {
  const { message, fault: reason, status = 400 } = fault;
  const top = message?.headers.get("Via");
  const answerable =
    message?.kind === "REQUEST" && message.method !== "ACK" && top !== undefined && parseVia(top) !== null;
  return answerable ? { kind: "MALFORMED", reason, status, request: message } : drop(reason);
}

function drop(reason: string): MalformedMessage {
  return { kind: "MALFORMED", reason, status: null, request: null };
}
