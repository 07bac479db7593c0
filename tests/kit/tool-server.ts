import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";

/** A request that a tool sent. */
export interface ToolRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Answer = (request: ToolRequest, response: ServerResponse) => void;

/** The other side of API tools: records requests and answers as the test sets it. */
export class ToolServer implements AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly requests: ToolRequest[] = [];
  answer: Answer = (_request, response) => ToolServer.json(response, { ok: true });
  readonly #server: Server;

  private constructor(server: Server, port: number) {
    this.#server = server;
    this.port = port;
    this.url = `http://127.0.0.1:${port}`;
  }

  static async start(): Promise<ToolServer> {
    const server = createServer((request, response) => {
      let body = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
      request.on("end", () => {
        const got = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
        self.requests.push(got);
        self.answer(got, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const self: ToolServer = new ToolServer(server, (server.address() as { port: number }).port);
    return self;
  }

  static json(response: ServerResponse, value: unknown, status = 200): void {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  }

  /** The latest request; throws without one. */
  get last(): ToolRequest {
    const request = this.requests.at(-1);
    if (!request) throw new Error("No request came.");
    return request;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }
}
