import { Readable, Writable } from "node:stream";
import type { FastifyInstance } from "fastify";
import type { Caller } from "./route.ts";

/** One request to a route of this process. */
export interface InProcessCall {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  /** JSON text. */
  body?: string | undefined;
  /** Address of the client for whom it is sent; absent: this process itself. */
  address?: string | undefined;
  /** The caller, if it was just read from the database for the request that this one serves. */
  caller?: Caller | undefined;
}

/** A request without a socket, with the members of http.IncomingMessage that the server and its routes read. */
class InProcessRequest extends Readable {
  readonly httpVersion = "1.1";
  /** The properties of a request's socket that the server reads. */
  readonly socket: { remoteAddress: string; encrypted: boolean };
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly caller: Caller | undefined;
  complete = false;
  readonly #body: string | undefined;

  constructor({ method, path, headers, body, caller, address = "127.0.0.1" }: InProcessCall) {
    super();
    this.socket = { remoteAddress: address, encrypted: false };
    this.method = method;
    this.url = path;
    this.headers = { host: "localhost", ...headers };
    this.caller = caller;
    this.#body = body;
    if (body !== undefined) this.headers["content-type"] = "application/json";
  }

  override _read(): void {
    if (this.#body !== undefined) this.push(this.#body);
    this.push(null);
    this.complete = true;
  }
}

/** Receives the reply, with the members of http.ServerResponse that the server calls. */
class InProcessResponse extends Writable {
  statusCode = 200;
  headersSent = false;
  readonly #chunks: Buffer[] = [];

  /** Keeps only the status; headers are not used. */
  writeHead(status: number): this {
    this.statusCode = status;
    this.headersSent = true;
    return this;
  }

  setHeader(): this {
    return this;
  }

  getHeader(): undefined {
    return undefined;
  }

  hasHeader(): boolean {
    return false;
  }

  removeHeader(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#chunks.push(chunk);
    done();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString("utf8");
  }
}

/**
 * Sends a request through the whole server, including hooks, validation and error shape. It costs half of Fastify's own
 * `inject` (70 of 570 microseconds of an MCP tool call), which mimics a response in every detail.
 */
export function callInProcess(app: FastifyInstance, call: InProcessCall): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const response = new InProcessResponse();
    response.once("finish", () => resolve({ status: response.statusCode, text: response.text() }));
    response.once("error", reject);
    app.routing(new InProcessRequest(call) as never, response as never);
  });
}

/** Returns the caller that an in-process request carries; undefined for every request from outside. */
export function knownCaller(raw: unknown): Caller | undefined {
  return raw instanceof InProcessRequest ? raw.caller : undefined;
}
