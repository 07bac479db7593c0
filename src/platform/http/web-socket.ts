import { type IncomingMessage, type OutgoingHttpHeaders, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocket, WebSocketServer } from "ws";

/** Time limit for a client to answer the closing handshake. */
const FAREWELL_MS = 1_000;
/** Codes that ws reports for a broken connection and for a close frame without a code (RFC 6455, section 7.4.1). */
const LOST = 1006;
const NO_CODE = 1005;
const NORMAL = 1000;

/** Limits of a server's WebSocket. */
export interface SocketLimits {
  maxMessageBytes: number;
  /** Messages, pings and pongs; beyond it the connection is closed with `floodCode`. */
  framesPerSecond: number;
  floodCode: number;
  /** A client is pinged this often, and counts as lost when nothing came for two and a half times as long. */
  pingMs: number;
  /** A client that leaves more than this unread counts as lost. */
  maxWaitingBytes: number;
}

/** Callbacks of the owner of a server's WebSocket. `onEnd` is called once, and nothing after it. */
export interface SocketOwner {
  onText(text: string): void;
  onBinary(bytes: Buffer): void;
  /** The close code of the client or of us; null: the connection was lost. */
  onEnd(code: number | null): void;
}

/** The server's end of one WebSocket, within its limits. Nothing here throws. */
export class WebSocketPeer {
  readonly #socket: WebSocket;
  readonly #limits: SocketLimits;
  readonly #pings: NodeJS.Timeout;
  #owner: SocketOwner | undefined;
  #heardAt = performance.now();
  #frames: number;
  #countedAt = performance.now();
  #closeCode: number | null = null;
  #isClosing = false;

  constructor(socket: WebSocket, limits: SocketLimits) {
    this.#socket = socket;
    this.#limits = limits;
    this.#frames = limits.framesPerSecond * 2;
    this.#pings = setInterval(() => this.#ping(), limits.pingMs);
    this.#pings.unref();
    socket.on("message", (data, isBinary) => this.#take(data as Buffer, isBinary));
    socket.on("ping", () => this.#count());
    socket.on("pong", () => this.#count());
    // The library answers a protocol violation with its code, which ends in "close".
    socket.on("error", () => undefined);
    socket.once("close", (code) => this.#end(code));
  }

  /** Sets the owner. */
  open(owner: SocketOwner): void {
    this.#owner = owner;
  }

  /** Bytes that the client has not taken yet. */
  get waitingBytes(): number {
    return this.#socket.bufferedAmount;
  }

  /** Sends one message; does nothing once the connection is closing. */
  send(message: string | Uint8Array): void {
    if (this.#isClosing || this.#socket.readyState !== WebSocket.OPEN) return;
    this.#socket.send(message, () => undefined);
    if (this.waitingBytes > this.#limits.maxWaitingBytes) this.destroy();
  }

  /** Starts the closing handshake; messages that the client sends afterwards are dropped. */
  close(code: number, reason = ""): void {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.#closeCode = code;
    this.#socket.close(code, reason);
    setTimeout(() => this.destroy(), FAREWELL_MS).unref();
  }

  /** Ends the connection without a closing handshake. */
  destroy(): void {
    this.#socket.terminate();
  }

  #ping(): void {
    if (performance.now() - this.#heardAt > this.#limits.pingMs * 2.5) this.destroy();
    else if (this.#socket.readyState === WebSocket.OPEN) this.#socket.ping();
  }

  #take(data: Buffer, isBinary: boolean): void {
    if (this.#isClosing || !this.#count()) return;
    if (isBinary) this.#owner?.onBinary(data);
    else this.#owner?.onText(data.toString());
  }

  /** Draws from a bucket that holds two seconds' worth of frames; returns false when it is empty. */
  #count(): boolean {
    const now = performance.now();
    this.#heardAt = now;
    const { framesPerSecond, floodCode } = this.#limits;
    this.#frames = Math.min(framesPerSecond * 2, this.#frames + ((now - this.#countedAt) / 1_000) * framesPerSecond);
    this.#countedAt = now;
    if (--this.#frames >= 0) return true;
    this.close(floodCode, "Too many messages.");
    return false;
  }

  #end(code: number): void {
    this.#isClosing = true;
    clearInterval(this.#pings);
    if (code !== LOST) this.#closeCode ??= code === NO_CODE ? NORMAL : code;
    this.#owner?.onEnd(this.#closeCode);
  }
}

/** True for a request for a WebSocket of version 13, the only one there is. */
export function isSocketRequest({ method, headers }: IncomingMessage): boolean {
  return (
    method === "GET" &&
    headers.upgrade?.toLowerCase() === "websocket" &&
    headers["sec-websocket-version"] === "13" &&
    /^[0-9A-Za-z+/]{22}==$/.test(headers["sec-websocket-key"] ?? "")
  );
}

/** Turns a handshake away. A client that breaks off meanwhile causes no error: its connection has no other owner. */
export function refuseSocket(raw: Duplex, status: 404 | 503): void {
  raw.on("error", () => undefined);
  raw.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Answers the handshake of a request that `isSocketRequest`; `head` came with it. */
export function acceptSocket(
  request: IncomingMessage,
  raw: Duplex,
  head: Buffer,
  limits: SocketLimits,
  headers: OutgoingHttpHeaders,
): WebSocketPeer {
  request.socket.setTimeout(0);
  const { maxMessageBytes: maxPayload } = limits;
  const server = new WebSocketServer({ noServer: true, clientTracking: false, perMessageDeflate: false, maxPayload });
  server.on("headers", (lines) =>
    lines.push(...Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)),
  );
  let peer: WebSocketPeer | undefined;
  // The library answers before it returns, because the request was checked.
  server.handleUpgrade(request, raw, head, (socket) => (peer = new WebSocketPeer(socket, limits)));
  if (!peer) throw new Error("The handshake was refused.");
  return peer;
}
