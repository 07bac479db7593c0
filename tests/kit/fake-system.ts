import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "#src/surfaces/cli/program.ts";
import type { System } from "#src/surfaces/cli/system.ts";

/** A request as a fake server received it. */
export interface SeenRequest {
  method: string;
  url: URL;
  headers: IncomingHttpHeaders;
  body: string;
}

type Handler = (request: SeenRequest, index: number) => { status?: number; body: unknown };

/**
 * A machine for tests: a folder of its own, an API server and an operator socket that answer from functions, and
 * everything that was printed.
 */
export class FakeSystem implements System, AsyncDisposable {
  readonly folder = mkdtempSync(join(tmpdir(), "parley-cli-"));
  readonly env: Record<string, string | undefined> = {
    DATA_DIR: this.folder,
    XDG_CONFIG_HOME: join(this.folder, "config"),
  };
  readonly api: SeenRequest[] = [];
  readonly operator: SeenRequest[] = [];
  readonly questions: string[] = [];
  out = "";
  err = "";
  isTerminal = false;
  canAsk = false;
  answer = "";
  /** Lines typed by the person. */
  lines: string[] = [];
  url = "";
  readonly #servers: Server[] = [];
  #interrupt: (() => void) | undefined;
  #nowMs = 0;

  /** Starts both servers and writes server.json, as the real server does. */
  async start(api: Handler, operator: Handler): Promise<this> {
    const socket = join(this.folder, "op.sock");
    const port = await this.#serve(this.api, api, 0);
    await this.#serve(this.operator, operator, socket);
    this.url = `http://127.0.0.1:${port}`;
    writeFileSync(join(this.folder, "server.json"), JSON.stringify({ url: this.url, pid: 1, socket }));
    return this;
  }

  /** Runs one command line, as a shell would split it. */
  run(...argv: string[]): Promise<number> {
    return runCli(argv, this);
  }

  /** Presses Ctrl-C. */
  interrupt(): void {
    this.#interrupt?.();
  }

  writeOut(text: string): Promise<void> {
    this.out += text;
    return Promise.resolve();
  }

  writeErr(text: string): void {
    this.err += text;
  }

  columns = () => 100;
  nowMs = () => (this.#nowMs += 1000);
  style = (_style: string, text: string) => text;

  ask(question: string): Promise<string> {
    this.questions.push(question);
    return Promise.resolve(this.answer);
  }

  askSecret(question: string): Promise<string> {
    this.questions.push(question);
    return Promise.resolve(this.answer);
  }

  async *readLines(): AsyncGenerator<string> {
    yield* this.lines;
  }

  onInterrupt(handler: () => void): () => void {
    this.#interrupt = handler;
    return () => (this.#interrupt = undefined);
  }

  async #serve(seen: SeenRequest[], handler: Handler, at: number | string): Promise<number> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const url = new URL(request.url ?? "/", "http://fake");
        const entry = {
          method: request.method ?? "",
          url,
          headers: request.headers,
          body: Buffer.concat(chunks).toString("utf8"),
        };
        const { status = 200, body } = handler(entry, seen.push(entry) - 1);
        response.writeHead(status, { "Content-Type": "application/json", "X-Request-Id": "req_1" });
        response.end(typeof body === "string" ? body : JSON.stringify(body));
      });
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) =>
      typeof at === "string" ? server.listen(at, resolve) : server.listen(at, "127.0.0.1", resolve),
    );
    return typeof at === "string" ? 0 : (server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.#servers) {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
