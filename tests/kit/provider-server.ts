import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toError } from "#src/platform/kernel/errors.ts";
import { findContractFaults, findFormFaults } from "./model-vendors/openai-contract.ts";
import { assertNothingRefused } from "./model-vendors/refuse.ts";

/** A request that a provider received, with its whole body. */
export interface ProviderRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The far port, which differs for each connection. */
  port: number | undefined;
}

/** Answer of a provider: a status with JSON or text, or a function that writes any response. */
export type ProviderAnswer =
  | { status: number; json?: unknown; text?: string; headers?: Record<string, string> }
  | ((response: ServerResponse) => void);

/** A provider for tests: gives its answers in turn, the last one again and again. */
export class ProviderServer implements AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  readonly received: ProviderRequest[] = [];
  /** Requests that OpenAI's document does not allow: any fails the test at its end. */
  readonly refused: string[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.port = (server.address() as AddressInfo).port;
    this.origin = `http://127.0.0.1:${this.port}`;
  }

  static async start(answers: ProviderAnswer[]): Promise<ProviderServer> {
    const left = [...answers];
    const server = createServer((request, response) => {
      const pieces: Buffer[] = [];
      request.on("data", (piece: Buffer) => pieces.push(piece));
      request.on("error", () => undefined);
      request.on("end", () => {
        const { method = "", url = "", headers, socket } = request;
        const received = { method, url, headers, body: Buffer.concat(pieces), port: socket.remotePort };
        provider.received.push(received);
        provider.refused.push(...findOpenAiFaults(received));
        const answer = (left.length > 1 ? left.shift() : left[0]) as ProviderAnswer;
        if (typeof answer === "function") return answer(response);
        const text = answer.text ?? JSON.stringify(answer.json ?? {});
        response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers }).end(text);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const provider: ProviderServer = new ProviderServer(server);
    return provider;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => {
      this.#server.close(resolve);
      this.#server.closeAllConnections();
    });
    assertNothingRefused(this.refused);
  }
}

/** Lists the faults of a speech or transcription request against OpenAI's document; other requests have none. */
function findOpenAiFaults(request: ProviderRequest): string[] {
  try {
    if (request.url.endsWith("/audio/speech"))
      return findContractFaults("CreateSpeechRequest", JSON.parse(request.body.toString()));
    if (!request.url.endsWith("/audio/transcriptions")) return [];
    const fields = [...readForm(request)].map(([name, { content }]): [string, string] => [name, content.toString()]);
    return findFormFaults("CreateTranscriptionRequest", fields);
  } catch (error) {
    return [`${request.url} cannot be read: ${toError(error).message}`];
  }
}

/** Returns the parts of a multipart/form-data body by name, read without any library (RFC 7578). */
export function readForm(request: ProviderRequest): Map<string, { headers: string; content: Buffer }> {
  const boundary = /boundary=(\S+)/.exec(request.headers["content-type"] ?? "")?.[1] ?? "";
  const text = request.body.toString("latin1");
  const parts = text.split(`--${boundary}`).slice(1, -1);
  if (!text.endsWith(`--${boundary}--\r\n`)) throw new Error("The form has no end.");
  return new Map(
    parts.map((part) => {
      const cut = part.indexOf("\r\n\r\n");
      const headers = part.slice(2, cut);
      const name = /name="([^"]*)"/.exec(headers)?.[1] ?? "";
      return [name, { headers, content: Buffer.from(part.slice(cut + 4, -2), "latin1") }];
    }),
  );
}
