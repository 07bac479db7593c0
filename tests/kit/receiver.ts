import { createServer, type IncomingHttpHeaders, type Server } from "node:http";

/** A request that the receiver got. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

/** A webhook receiver of the tests: answers with the statuses given in turn, then with 200. */
export class Receiver implements AsyncDisposable {
  readonly url: string;
  readonly received: Received[] = [];
  /** Every answer waits for it. */
  gate: Promise<unknown> = Promise.resolve();
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(statuses: number[] = []): Promise<Receiver> {
    const server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      request.on("end", () => {
        receiver.received.push({ headers: request.headers, body, at: performance.now() });
        const status = statuses.shift() ?? 200;
        void receiver.gate.then(() => response.writeHead(status).end());
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const receiver: Receiver = new Receiver(server, `http://127.0.0.1:${port}/hook`);
    return receiver;
  }

  /** Waits until so many requests have come. */
  async waitFor(count: number, timeoutMs = 20_000): Promise<Received[]> {
    const deadline = performance.now() + timeoutMs;
    while (this.received.length < count) {
      if (performance.now() > deadline) throw new Error(`${this.received.length} of ${count} requests came`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return this.received;
  }

  /** Waits for the request that tells of something by its id, among those that tell of other things. */
  async waitForOne(id: string): Promise<Received> {
    for (let count = 1; ; count++) {
      const one = (await this.waitFor(count)).find(({ body }) => body.includes(id));
      if (one) return one;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }
}
