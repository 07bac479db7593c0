import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import { assertNothingRefused, refuseAsVendor } from "./model-vendors/refuse.ts";

/** Words that each number of a vector counts in a text. */
const CONCEPTS = [
  ["refund", "money", "cancel", "reimburse", "repay"],
  ["dog", "puppy", "pet", "animal", "hound"],
  ["open", "hours", "closing", "monday", "o'clock"],
  ["parking", "car", "garage", "vehicle", "automobile"],
];

/** A request as the server received it. */
export interface EmbeddingRequest {
  path: string;
  headers: IncomingHttpHeaders;
  model: string;
  input: string[];
}

/**
 * An embeddings server for tests that speaks OpenAI's protocol: equal texts get equal vectors, and texts about the same
 * thing get near ones, even when they share no word.
 */
export class EmbeddingServer implements AsyncDisposable {
  readonly url: string;
  readonly requests: EmbeddingRequest[] = [];
  /** Reasons for which requests were refused, as by OpenAI: any fails the test at its end. */
  readonly refused: string[] = [];
  /** Takes over a request; undefined: it is answered. */
  fault: ((response: ServerResponse) => void) | undefined;
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`;
  }

  static async start(): Promise<EmbeddingServer> {
    const server = createServer((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      request.on("end", () => {
        const body = JSON.parse(text) as { model: string; input: string[] };
        const { model, input } = body;
        own.requests.push({ path: request.url ?? "", headers: request.headers, model, input });
        const refusal = refuseAsVendor(request.url ?? "", { ...body });
        if (refusal) {
          own.refused.push(refusal.why);
          return response.writeHead(400, { "content-type": "application/json" }).end(refusal.body);
        }
        if (own.fault) return own.fault(response);
        const data = input.map((one, index) => ({ object: "embedding", index, embedding: embed(one, model) }));
        const answer = { object: "list", data, model, usage: { prompt_tokens: 7, total_tokens: 7 } };
        return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const own: EmbeddingServer = new EmbeddingServer(server);
    return own;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    assertNothingRefused(this.refused);
  }
}

/** Returns a text's vector. Models differ in the order of their numbers, so vectors of one mean nothing to another. */
function embed(text: string, model: string): number[] {
  const words = text.toLowerCase();
  const vector = CONCEPTS.map((concept) => concept.filter((word) => words.includes(word)).length);
  return [...(model === "reversed" ? vector.reverse() : vector), 0.01];
}
