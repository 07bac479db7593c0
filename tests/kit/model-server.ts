import { createServer, type Server } from "node:http";
import { assertNothingRefused, refuseAsVendor } from "./model-vendors/refuse.ts";

/** Request to the model. */
export interface ModelQuestion {
  messages: { role: string; content: unknown; tool_calls?: unknown[]; tool_call_id?: string }[];
  tools: { function: { name: string; description: string; parameters: unknown } }[];
  /** True for a structured output to be filled. */
  wantsJson: boolean;
}

/** Reply of the model. */
export interface ModelReply {
  text?: string;
  calls?: { name: string; input: unknown }[];
}

/**
 * A model server that speaks the OpenAI wire protocol, refuses what OpenAI refuses, and otherwise replies from a
 * function.
 */
export class ModelServer implements AsyncDisposable {
  readonly url: string;
  readonly asked: ModelQuestion[] = [];
  /** Times at which connections were opened. */
  readonly connectedMs: number[] = [];
  /** Reasons for which requests were refused, as by OpenAI. A test removes those it expects: the rest fails it. */
  readonly refused: string[] = [];
  think: (question: ModelQuestion, turn: number) => ModelReply = () => ({ text: "Hello." });
  /** Tokens of each question's 100 that the server says it had kept from an earlier one. */
  cachedTokens = 0;
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(): Promise<ModelServer> {
    const server = createServer((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      request.on("end", () => {
        const body = JSON.parse(text) as {
          messages: ModelQuestion["messages"];
          tools?: ModelQuestion["tools"];
          stream?: boolean;
          response_format?: unknown;
        };
        const refusal = refuseAsVendor("/chat/completions", body);
        if (refusal) {
          self.refused.push(refusal.why);
          return response.writeHead(400, { "content-type": "application/json" }).end(refusal.body);
        }
        const question = {
          messages: body.messages,
          tools: body.tools ?? [],
          wantsJson: body.response_format !== undefined || body.stream !== true,
        };
        self.asked.push(question);
        const reply = self.think(question, self.asked.length);
        if (body.stream !== true) return response.end(JSON.stringify(whole(reply, usageOf(self))));
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const chunk of chunks(reply, usageOf(self))) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
        return response.end("data: [DONE]\n\n");
      });
    });
    server.on("connection", () => self.connectedMs.push(performance.now()));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const self: ModelServer = new ModelServer(server, `http://127.0.0.1:${port}`);
    return self;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    assertNothingRefused(this.refused);
  }
}

let ids = 0;

function usageOf({ cachedTokens }: ModelServer): object {
  const kept = cachedTokens > 0 ? { prompt_tokens_details: { cached_tokens: cachedTokens } } : {};
  return { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110, ...kept };
}

function* chunks({ text = "", calls = [] }: ModelReply, usage: object): Generator<object> {
  const base = { id: "c", object: "chat.completion.chunk", created: 1, model: "trial" };
  const delta = (value: object, finish: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta: value, finish_reason: finish }],
  });
  for (const word of text.match(/\S+\s*/g) ?? []) yield delta({ role: "assistant", content: word });
  for (const [index, { name, input }] of calls.entries()) {
    const call = { index, id: `call_${++ids}`, type: "function" };
    yield delta({ tool_calls: [{ ...call, function: { name, arguments: JSON.stringify(input) } }] });
  }
  yield delta({}, calls.length > 0 ? "tool_calls" : "stop");
  yield { ...base, choices: [], usage };
}

function whole({ text = "" }: ModelReply, usage: object): object {
  return {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "trial",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
    usage,
  };
}

/** Returns what the person said last. */
export function lastSaid({ messages }: ModelQuestion): string {
  const said = messages.findLast(({ role }) => role === "user");
  return typeof said?.content === "string" ? said.content : JSON.stringify(said?.content ?? "");
}

/** Returns the last tool result, if nothing happened after it. */
export function lastToolAnswer({ messages }: ModelQuestion): string | null {
  // Speech from the meantime comes after the result, followed by our own text that lets the model go on.
  const last = messages.findLast(({ role, content }) => role !== "assistant" && content !== "(Go on.)");
  return last?.role === "tool" ? String(last.content) : null;
}
