import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";

/** A web site for tests: each path answers as the test sets it. */
export class Site implements AsyncDisposable {
  readonly url: string;
  readonly requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  readonly #pages = new Map<string, (response: ServerResponse, headers: IncomingHttpHeaders) => void>();
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(): Promise<Site> {
    const server = createServer((request, response) => {
      site.requests.push({ path: request.url ?? "", headers: request.headers });
      const page = site.#pages.get(request.url ?? "");
      if (page) page(response, request.headers);
      else response.writeHead(404).end("Not here");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const site: Site = new Site(server, `http://127.0.0.1:${(server.address() as { port: number }).port}`);
    return site;
  }

  /** Sets the response of a path; returns its address. */
  serve(path: string, page: (response: ServerResponse, headers: IncomingHttpHeaders) => void): string {
    this.#pages.set(path, page);
    return this.url + path;
  }

  /** Sets the text of a path; returns its address. */
  text(path: string, body: string | Buffer, type = "text/plain; charset=utf-8"): string {
    return this.serve(path, (response) => response.writeHead(200, { "content-type": type }).end(body));
  }

  /** Waits until a path has been asked for. */
  async waitFor(path: string): Promise<void> {
    for (let i = 0; !this.requests.some((request) => request.path === path); i++) {
      if (i > 2_000) throw new Error(`Nobody asked for ${path}.`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
  }
}
