import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { Duplex } from "node:stream";
import {
  BINARY,
  CLOSE,
  CLOSE_CODES,
  FrameError,
  FrameReader,
  PING,
  PONG,
  type SocketMessage,
  TEXT,
  writeFrame,
} from "./socket-frames.ts";

const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
/** A client that does not answer a farewell is left after this time. */
const FAREWELL_MS = 1_000;

/** What a server's WebSocket may take. */
export interface SocketLimits {
  maxMessageBytes: number;
  /** Frames of every kind; beyond it the connection is closed with `floodCode`. */
  framesPerSecond: number;
  floodCode: number;
  /** A client is pinged this often, and lost when nothing came for two and a half times as long. */
  pingMs: number;
  /** A client that leaves more than this unread is lost. */
  maxWaitingBytes: number;
}

/** What the owner of a server's WebSocket is told. `onEnd` comes once, and nothing after it. */
export interface SocketOwner {
  onText(text: string): void;
  onBinary(bytes: Buffer): void;
  /** The client said farewell with a code, or was closed by us; null: the connection was lost. */
  onEnd(code: number | null): void;
}

/** The server's end of one WebSocket (RFC 6455, without extensions). Nothing here throws. */
export class WebSocketPeer {
  readonly #raw: Duplex;
  readonly #limits: SocketLimits;
  readonly #reader: FrameReader;
  readonly #pings: NodeJS.Timeout;
  #owner: SocketOwner | undefined;
  #heardAt = performance.now();
  #frames: number;
  #countedAt = performance.now();
  #closeCode: number | null = null;
  #isClosing = false;
  #hasEnded = false;

  constructor(raw: Duplex, limits: SocketLimits) {
    this.#raw = raw;
    this.#limits = limits;
    this.#reader = new FrameReader(limits.maxMessageBytes);
    this.#frames = limits.framesPerSecond * 2;
    this.#pings = setInterval(() => this.#ping(), limits.pingMs);
    this.#pings.unref();
    raw.on("error", () => undefined);
    raw.on("close", () => this.#end());
    raw.on("end", () => raw.destroy());
  }

  /** Names the owner and begins to read; `head` came with the handshake. */
  open(owner: SocketOwner, head: Buffer): void {
    this.#owner = owner;
    this.#raw.on("data", (bytes: Buffer) => this.#take(bytes));
    if (head.length > 0) this.#take(head);
  }

  /** Bytes that the client has not taken yet. */
  get waitingBytes(): number {
    return this.#raw.writableLength;
  }

  /** Sends one message; does nothing once the connection is closing. */
  send(message: string | Uint8Array): void {
    if (this.#isClosing) return;
    const frame = typeof message === "string" ? writeFrame(TEXT, Buffer.from(message)) : writeFrame(BINARY, message);
    this.#raw.write(frame);
    if (this.#raw.writableLength > this.#limits.maxWaitingBytes) this.#raw.destroy();
  }

  /** Says farewell; what the client sends afterwards is not heard. */
  close(code: number, reason = ""): void {
    if (this.#isClosing) return;
    this.#closeCode = code;
    const body = Buffer.alloc(2 + Buffer.byteLength(reason));
    body.writeUInt16BE(code);
    body.write(reason, 2);
    this.#sayFarewell(body);
  }

  /** Ends the connection without a farewell. */
  destroy(): void {
    this.#raw.destroy();
  }

  #sayFarewell(body: Buffer): void {
    this.#isClosing = true;
    this.#raw.end(writeFrame(CLOSE, body));
    setTimeout(() => this.#raw.destroy(), FAREWELL_MS).unref();
  }

  #ping(): void {
    if (performance.now() - this.#heardAt > this.#limits.pingMs * 2.5) this.#raw.destroy();
    else if (!this.#isClosing) this.#raw.write(writeFrame(PING, Buffer.alloc(0)));
  }

  #take(bytes: Buffer): void {
    this.#heardAt = performance.now();
    if (this.#isClosing) return;
    this.#reader.push(bytes);
    try {
      for (let message = this.#reader.next(); message !== undefined; message = this.#reader.next()) {
        if (!this.#countFrame()) return this.close(this.#limits.floodCode, "Too many messages.");
        if (message) this.#handle(message);
        if (this.#isClosing) return;
      }
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      this.close(error.code, error.message);
    }
  }

  /** A bucket that holds what two seconds may bring. */
  #countFrame(): boolean {
    const now = performance.now();
    const { framesPerSecond } = this.#limits;
    this.#frames = Math.min(framesPerSecond * 2, this.#frames + ((now - this.#countedAt) / 1_000) * framesPerSecond);
    this.#countedAt = now;
    return --this.#frames >= 0;
  }

  #handle({ opcode, body }: SocketMessage): void {
    switch (opcode) {
      case TEXT:
        if (!isUtf8(body)) throw new FrameError(CLOSE_CODES.BAD_TEXT, "Text is UTF-8.");
        return this.#owner?.onText(body.toString());
      case BINARY:
        return this.#owner?.onBinary(body);
      case PING:
        this.#raw.write(writeFrame(PONG, body));
        return;
      case CLOSE:
        this.#closeCode = body.length >= 2 ? body.readUInt16BE() : CLOSE_CODES.NORMAL;
        this.#sayFarewell(body.subarray(0, 2));
    }
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#isClosing = true;
    clearInterval(this.#pings);
    this.#owner?.onEnd(this.#closeCode);
  }
}

/** True for a request that asks for a WebSocket in the one version there is. */
export function isSocketRequest({ method, headers }: IncomingMessage): boolean {
  return (
    method === "GET" &&
    headers.upgrade?.toLowerCase() === "websocket" &&
    headers["sec-websocket-version"] === "13" &&
    /^[0-9A-Za-z+/]{22}==$/.test(headers["sec-websocket-key"] ?? "")
  );
}

/** Answers the handshake of a request that `isSocketRequest`. */
export function acceptSocket(
  request: IncomingMessage,
  raw: Duplex,
  limits: SocketLimits,
  headers: OutgoingHttpHeaders,
): WebSocketPeer {
  request.socket.setTimeout(0);
  request.socket.setNoDelay(true);
  const key = `${request.headers["sec-websocket-key"]}${GUID}`;
  const accept = createHash("sha1").update(key).digest("base64");
  const all = { ...headers, upgrade: "websocket", connection: "Upgrade", "sec-websocket-accept": accept };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  raw.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join("")}\r\n`);
  return new WebSocketPeer(raw, limits);
}
