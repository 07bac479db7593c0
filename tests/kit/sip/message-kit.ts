import { expect } from "vitest";
import { type MalformedMessage, parseMessage } from "#src/telephony/carriers/sip/parse-message.ts";
import type { SipMessage, SipRequest, SipResponse } from "#src/telephony/carriers/sip/sip-message.ts";

/** Returns the headers that every request has, with some of them replaced, added (new names) or left out (null). */
export function writeLines(
  startLine: string,
  changes: Record<string, string | string[] | null> = {},
  body = "",
): Buffer {
  const method = startLine.split(" ")[0];
  const headers: Record<string, string | string[] | null> = {
    Via: "SIP/2.0/UDP 192.0.2.7:5070;branch=z9hG4bK.q1",
    From: '"Front desk" <sip:desk@pbx.example>;tag=f1',
    To: "<sip:ana@trunk.example>",
    "Call-ID": "c1@pbx.example",
    CSeq: `31 ${method}`,
    "Max-Forwards": "70",
    "Content-Length": String(Buffer.byteLength(body)),
    ...changes,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    value === null ? [] : [value].flat().map((one) => `${name}: ${one}`),
  );
  return Buffer.from([startLine, ...lines, "", body].join("\r\n"));
}

/** An answer of a far end on this machine. */
interface FarAnswer {
  status: number;
  /** Appended to a To without one. */
  tag: string;
  /** Port of its Contact. */
  port: number;
  headers?: string[] | undefined;
  /** Lines of the answer's audio. */
  described?: string[] | undefined;
}

/** Returns the answer to a request, with audio where it accepts a call. */
export function writeAnswer(request: string, { status, tag, port, headers = [], described }: FarAnswer): Buffer {
  const host = "127.0.0.1";
  const keep = (name: string): string => new RegExp(`^${name}: .*$`, "m").exec(request)?.[0] ?? "";
  const to = keep("To").includes("tag=") ? keep("To") : `${keep("To")};tag=${tag}`;
  const isAnswer = status < 300 && request.startsWith("INVITE");
  const audio = (described ?? ["m=audio 40000 RTP/AVP 0"]).join("\r\n");
  const sdp = isAnswer ? `v=0\r\no=far 1 1 IN IP4 ${host}\r\ns=-\r\nc=IN IP4 ${host}\r\nt=0 0\r\n${audio}\r\n` : "";
  const about = isAnswer ? [`Contact: <sip:${tag}@${host}:${port}>`, "Content-Type: application/sdp"] : [];
  const kept = [keep("Via"), keep("From"), to, keep("Call-ID"), keep("CSeq")];
  const lines = [`SIP/2.0 ${status} Said`, ...kept, ...about, ...headers, `Content-Length: ${sdp.length}`];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n${sdp}`);
}

/** Start line of a request. */
export const INVITE = "INVITE sip:ana@trunk.example SIP/2.0";
/** Start line of a response. */
export const OK = "SIP/2.0 200 OK";
/** Changes that turn the headers of a request into those of a response. */
export const OK_CSEQ = { CSeq: "31 INVITE", To: "<sip:ana@trunk.example>;tag=t1", "Max-Forwards": null };

/** Reads a message that must be a request. */
export function request(bytes: Buffer): SipRequest {
  const message = parseMessage(bytes);
  if (message.kind !== "REQUEST") throw new Error(`no request: ${JSON.stringify(message)}`);
  return message;
}

/** Reads a message that must be a response. */
export function response(bytes: Buffer): SipResponse {
  const message = parseMessage(bytes);
  if (message.kind !== "RESPONSE") throw new Error(`no response: ${JSON.stringify(message)}`);
  return message;
}

/** Reads a message that must be malformed. */
export function malformed(bytes: Buffer): MalformedMessage {
  const message: SipMessage | MalformedMessage = parseMessage(bytes);
  if (message.kind !== "MALFORMED") throw new Error(`not malformed: ${JSON.stringify(message)}`);
  return message;
}

/** Returns how a message was refused: the status, the reason, and true when there is a request to answer. */
export function refusal(bytes: Buffer): unknown[] {
  const { status, reason, request: kept } = malformed(bytes);
  return [status, reason, kept !== null];
}

/** Returns the expected result of `refusal`. */
export const refused = (status: number | null, reason: RegExp) => [
  status,
  expect.stringMatching(reason),
  status !== null,
];
