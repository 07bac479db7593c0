import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Parley, type ParleyOptions } from "./client.ts";
import type { Clock } from "./clock.ts";

/** A request as the fake server received it. */
export interface Seen {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Answer of the fake server; "HANG_UP" breaks the connection without an answer. */
export type Answer = { status?: number; headers?: Record<string, string>; body?: unknown } | "HANG_UP";

/** A tiny API server for tests: records requests and answers them from a function. */
export class FakeApi implements AsyncDisposable {
  readonly seen: Seen[] = [];
  readonly #answer: (request: Seen, index: number) => Answer | Promise<Answer>;
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://fake");
      const seen: Seen = {
        method: request.method ?? "",
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      const index = this.seen.push(seen) - 1;
      void Promise.resolve(this.#answer(seen, index)).then((answer) => {
        if (answer === "HANG_UP") return void request.socket.destroy();
        response.writeHead(answer.status ?? 200, { "Content-Type": "application/json", ...answer.headers });
        response.end(answer.body === undefined ? "" : JSON.stringify(answer.body));
      });
    });
  });

  constructor(answer: (request: Seen, index: number) => Answer | Promise<Answer>) {
    this.#answer = answer;
  }

  /** Starts listening on a free port of the loopback address. */
  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Returns a client of this server with a key, unless the options say otherwise. */
  client(clock: Clock, options: ParleyOptions = { apiKey: "svc_live_test" }): Parley {
    return new Parley({ baseUrl: this.url, ...options }, clock);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A clock whose sleeps pass at once and are remembered. */
export class FakeClock implements Clock {
  readonly sleptMs: number[] = [];
  #nowMs = 1_000_000;

  nowMs(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    this.sleptMs.push(ms);
    this.#nowMs += ms;
    return Promise.resolve();
  }

  /** Always returns the middle of the range. */
  random(): number {
    return 0.5;
  }

  /** Lets time pass. */
  advance(ms: number): void {
    this.#nowMs += ms;
  }
}
