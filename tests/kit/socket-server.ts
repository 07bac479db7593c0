import { createHash } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";

const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** One message that a client sent. */
export type ClientMessage = string | Buffer;

/** The server's end of one WebSocket: RFC 6455 by hand, so that it can also break every rule. */
export class ServerSocket {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly received: ClientMessage[] = [];
  /** The raw stream, for checks that nothing leaked. */
  readonly raw: Duplex;
  closeCode: number | null = null;
  /** True while pings are answered. */
  answersPings = true;
  #bytes = Buffer.alloc(0);
  #parts: Buffer[] = [];
  #listeners: ((message: ClientMessage) => void)[] = [];

  constructor(request: IncomingMessage, raw: Duplex) {
    this.url = new URL(request.url ?? "/", "http://server");
    this.headers = request.headers;
    this.raw = raw;
    raw.on("error", () => undefined);
    raw.on("data", (bytes: Buffer) => this.#take(bytes));
    raw.on("end", () => raw.end());
  }

  /** Calls back for each message, including those already received. */
  onMessage(listener: (message: ClientMessage) => void): void {
    for (const message of this.received) listener(message);
    this.#listeners.push(listener);
  }

  get audio(): Buffer {
    return Buffer.concat(this.received.filter((message) => typeof message !== "string"));
  }

  /** The JSON messages of the client. */
  get commands(): Record<string, unknown>[] {
    const texts = this.received.filter((message) => typeof message === "string");
    return texts.map((text) => JSON.parse(text) as Record<string, unknown>);
  }

  send(message: string | Uint8Array | object): void {
    if (message instanceof Uint8Array) return this.#frame(BINARY, Buffer.from(message));
    this.#frame(TEXT, Buffer.from(typeof message === "string" ? message : JSON.stringify(message)));
  }

  sendRaw(bytes: Uint8Array | string): void {
    this.raw.write(bytes);
  }

  close(code = 1000, reason = ""): void {
    const body = Buffer.alloc(2 + Buffer.byteLength(reason));
    body.writeUInt16BE(code);
    body.write(reason, 2);
    this.#frame(CLOSE, body);
    this.raw.end();
  }

  cut(): void {
    this.raw.destroy();
  }

  #frame(opcode: number, body: Buffer): void {
    const head =
      body.length < 126
        ? Buffer.from([0x80 | opcode, body.length])
        : Buffer.from([0x80 | opcode, 127, 0, 0, 0, 0, ...u32(body.length)]);
    this.raw.write(Buffer.concat([head, body]));
  }

  #take(bytes: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    for (let frame = this.#next(); frame; frame = this.#next()) {
      if (frame.opcode === PING && this.answersPings) this.#frame(PONG, frame.body);
      else if (frame.opcode === CLOSE) this.#farewell(frame.body);
      else if (frame.opcode <= BINARY) this.#gather(frame);
    }
  }

  #farewell(body: Buffer): void {
    this.closeCode = body.length >= 2 ? body.readUInt16BE() : 1005;
    if (this.raw.writable) this.#frame(CLOSE, body);
    this.raw.end();
  }

  #type = 0;
  #gather({ opcode, body, isLast }: { opcode: number; body: Buffer; isLast: boolean }): void {
    if (opcode !== 0) this.#type = opcode;
    this.#parts.push(body);
    if (!isLast) return;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    const message = this.#type === TEXT ? whole.toString() : whole;
    this.received.push(message);
    for (const listener of this.#listeners) listener(message);
  }

  #next(): { opcode: number; body: Buffer; isLast: boolean } | null {
    const bytes = this.#bytes;
    if (bytes.length < 2) return null;
    const short = (bytes[1] as number) & 0x7f;
    const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
    const start = 2 + lengthBytes + 4;
    if (bytes.length < start) return null;
    const length = lengthBytes === 2 ? bytes.readUInt16BE(2) : lengthBytes === 8 ? bytes.readUInt32BE(6) : short;
    if (bytes.length < start + length) return null;
    if (((bytes[1] as number) & 0x80) === 0) throw new Error("A client must mask what it sends.");
    const mask = bytes.subarray(start - 4, start);
    const body = Buffer.from(bytes.subarray(start, start + length)).map((byte, i) => byte ^ (mask[i % 4] as number));
    const first = bytes[0] as number;
    this.#bytes = bytes.subarray(start + length);
    return { opcode: first & 15, body: Buffer.from(body), isLast: (first & 0x80) !== 0 };
  }
}

function u32(value: number): number[] {
  return [(value >>> 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
}

/** Treatment of a connection by the server: talks, or refuses the handshake with a status. */
export type SocketBehaviour =
  | ((socket: ServerSocket) => void)
  | { refuse: number; headers?: Record<string, string>; body?: string }
  | { raw: (socket: Duplex, request: IncomingMessage) => void };

/** A WebSocket server for tests: treats the connections with its behaviours in turn, the last one again and again. */
export class SocketServer implements AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  readonly sockets: ServerSocket[] = [];
  /** Handshakes received, refused ones included. */
  handshakes = 0;
  readonly #server: Server;
  readonly #open = new Set<Duplex>();

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.origin = `http://127.0.0.1:${this.port}`;
  }

  static async start(behaviours: SocketBehaviour[]): Promise<SocketServer> {
    const left = [...behaviours];
    const server = createServer((_request, response) => void response.writeHead(404).end());
    server.on("connection", (socket) => {
      started.#open.add(socket);
      socket.on("close", () => started.#open.delete(socket));
    });
    server.on("upgrade", (request: IncomingMessage, raw: Duplex) => {
      started.handshakes++;
      const behaviour = (left.length > 1 ? left.shift() : left[0]) as SocketBehaviour;
      raw.on("error", () => undefined);
      if (typeof behaviour === "function") started.#accept(request, raw, behaviour);
      else if ("raw" in behaviour) behaviour.raw(raw, request);
      else refuse(raw, behaviour);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const started: SocketServer = new SocketServer(server);
    return started;
  }

  #accept(request: IncomingMessage, raw: Duplex, behave: (socket: ServerSocket) => void): void {
    const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash("sha1").update(key).digest("base64");
    raw.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    const socket = new ServerSocket(request, raw);
    this.sockets.push(socket);
    behave(socket);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#open) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

function refuse(
  raw: Duplex,
  { refuse: status, headers = {}, body = "" }: { refuse: number; headers?: object; body?: string },
) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  raw.end(
    `HTTP/1.1 ${status} No\r\n${lines.join("")}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
