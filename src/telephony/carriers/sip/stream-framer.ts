import {
  type MalformedMessage,
  MAX_MESSAGE_BYTES,
  type MessageHead,
  readContentLength,
  readHead,
  refuse,
  withBody,
} from "./parse-message.ts";
import type { SipMessage } from "./sip-message.ts";

/** Contents of a stream: messages, a keep-alive to answer with CRLF, or BROKEN when no more can be read from it. */
export type Framed = SipMessage | MalformedMessage | { kind: "PING" } | { kind: "BROKEN"; reason: string };

const HEAD_END = Buffer.from("\r\n\r\n");
const CR = 13;
const LF = 10;

/**
 * Cuts a TCP or TLS stream into messages by Content-Length (RFC 3261, 18.3). It holds at most one message of 64 KiB,
 * and reads each byte a bounded number of times however the stream is cut. After BROKEN the connection must be closed.
 */
export class StreamFramer {
  #buffer = Buffer.alloc(2048);
  #length = 0;
  /** Position up to which no end of headers was found. */
  #searched = 0;
  /** The message whose body is awaited, and its end. */
  #waiting: { head: MessageHead & { message: SipMessage }; bodyAt: number; end: number } | null = null;
  #broken = false;

  /** True when part of a message has come: the owner bounds how long that may last. */
  get isMidMessage(): boolean {
    return this.#length > 0;
  }

  push(bytes: Buffer): Framed[] {
    const framed: Framed[] = [];
    // In pieces, so that the buffer stays bounded when many messages come at once.
    for (let at = 0; at < bytes.length && !this.#broken; at += MAX_MESSAGE_BYTES) {
      this.#append(bytes.subarray(at, at + MAX_MESSAGE_BYTES));
      this.#drain(framed);
    }
    return framed;
  }

  #append(bytes: Buffer): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#buffer.length) {
      const grown = Buffer.alloc(Math.max(needed, 2 * this.#buffer.length));
      this.#buffer.copy(grown, 0, 0, this.#length);
      this.#buffer = grown;
    }
    bytes.copy(this.#buffer, this.#length);
    this.#length = needed;
  }

  #drain(framed: Framed[]): void {
    let start = 0;
    while (!this.#broken) {
      const used = this.#waiting ? this.#finishBody(start, framed) : this.#readStart(start, framed);
      if (used === 0) break;
      start += used;
    }
    this.#dropFirst(start);
  }

  /** Reads keep-alives and heads at `start`; returns the number of bytes consumed, 0 when more must come. */
  #readStart(start: number, framed: Framed[]): number {
    const held = this.#buffer.subarray(start, this.#length);
    if (held[0] === CR && (held.length === 1 || held[1] === LF)) return this.#readKeepAlive(held, framed);
    if (held.length === 0) return 0;
    const end = held.indexOf(HEAD_END, Math.max(0, this.#searched - start));
    if (end < 0) {
      this.#searched = Math.max(start, this.#length - HEAD_END.length + 1);
      if (held.length > MAX_MESSAGE_BYTES) this.#break(framed, "The headers are longer than 64 KiB.");
      return 0;
    }
    this.#startBody(readHead(held.subarray(0, end)), end + HEAD_END.length, framed);
    return this.#waiting && this.#waiting.end <= held.length ? this.#finishBody(start, framed) : 0;
  }

  // Two CRLF are a ping; one CRLF answers ours, recognised by the bytes after it (RFC 5626, 4.4.1).
  #readKeepAlive(held: Buffer, framed: Framed[]): number {
    if (held.length < 3 || (held.length === 3 && held[2] === CR)) return 0;
    if (held[2] !== CR || held[3] !== LF) return 2;
    framed.push({ kind: "PING" });
    return 4;
  }

  #startBody(head: ReturnType<typeof readHead>, bodyAt: number, framed: Framed[]): void {
    const length = head.message === null ? "There is no first line." : readContentLength(head.message.headers);
    if (head.message === null || typeof length === "string") {
      framed.push(refuse({ fault: String(length), ...head }));
      return this.#break(framed, "It cannot be told where the message ends.");
    }
    if (bodyAt + (length ?? 0) > MAX_MESSAGE_BYTES) {
      framed.push(refuse({ ...head, fault: "The message is larger than 64 KiB." }));
      return this.#break(framed, "The message is larger than 64 KiB.");
    }
    // Content-Length is mandatory in a stream; without it the message can only be taken as one without a body.
    this.#waiting = { head: { ...head, message: head.message }, bodyAt, end: bodyAt + (length ?? 0) };
  }

  #finishBody(start: number, framed: Framed[]): number {
    const waiting = this.#waiting;
    if (!waiting || start + waiting.end > this.#length) return 0;
    this.#waiting = null;
    framed.push(withBody(waiting.head, this.#buffer.subarray(start + waiting.bodyAt, start + waiting.end)));
    return waiting.end;
  }

  #dropFirst(count: number): void {
    if (count === 0) return;
    this.#buffer.copy(this.#buffer, 0, count, this.#length);
    this.#length -= count;
    this.#searched = Math.max(0, this.#searched - count);
  }

  #break(framed: Framed[], reason: string): void {
    framed.push({ kind: "BROKEN", reason });
    this.#broken = true;
  }
}
