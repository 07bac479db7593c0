import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { ModelProvider } from "#src/engine/models/hosted/vendors.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { converseFrames } from "./bedrock-frames.ts";
import { assertNothingRefused, refuseAsVendor } from "./refuse.ts";

/** Answer of a trial server to a request, in pieces, and how it ends. */
export interface TrialAnswer {
  status?: number;
  headers?: Record<string, string>;
  /** Text; frames of Amazon's, which begin with a NUL, are sent with one byte for each character. */
  body: string;
  /** CLOSE ends properly, CUT destroys the connection, STALL says nothing more. */
  end?: "CLOSE" | "CUT" | "STALL";
}

/** A request as the trial server received it. */
export interface TrialRequest {
  path: string;
  headers: IncomingMessage["headers"];
  body: Record<string, unknown>;
  /** The far port, which differs for each connection. */
  port: number | undefined;
}

/** A model server on this machine that refuses what the vendors refuse, and otherwise answers as the test sets it. */
export class TrialServer implements AsyncDisposable {
  readonly url: string;
  readonly requests: TrialRequest[] = [];
  /** Reasons for which requests were refused, as by the vendors. A test removes those it expects: the rest fails it. */
  readonly refused: string[] = [];
  answer: TrialAnswer = { body: "" };
  /** Returns the answer to a request that no vendor would refuse; `answer` unless a test replaces it. */
  think: (body: Record<string, unknown>, path: string) => TrialAnswer | Promise<TrialAnswer> = () => this.answer;
  readonly #server: Server;

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(): Promise<TrialServer> {
    const server = createServer((request, response) => {
      let text = "";
      request.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      request.on("end", () => {
        const asked = readJson(text);
        trial.requests.push({
          path: request.url ?? "",
          headers: request.headers,
          body: asked,
          port: request.socket.remotePort,
        });
        const refusal = refuseAsVendor(request.url ?? "", asked);
        if (refusal) {
          trial.refused.push(refusal.why);
          return response.writeHead(400, { "content-type": "application/json" }).end(refusal.body);
        }
        return void answer(response, trial.think(asked, request.url ?? ""));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const trial: TrialServer = new TrialServer(
      server,
      `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    );
    return trial;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
    assertNothingRefused(this.refused);
  }
}

async function answer(response: ServerResponse, given: TrialAnswer | Promise<TrialAnswer>): Promise<void> {
  const { status = 200, headers, body, end = "CLOSE" } = await given;
  response.writeHead(status, { "content-type": "text/event-stream", ...headers });
  response.write(body, body.startsWith("\0") ? "latin1" : "utf8", () => {
    if (end === "CLOSE") response.end();
    if (end === "CUT") response.destroy();
  });
}

function readJson(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (error) {
    return { unreadable: toError(error).message };
  }
}

const OPENAI_TURN = toEvents([
  openAiChunk({ role: "assistant", content: "Hello " }),
  openAiChunk({ content: "there." }),
  openAiChunk({
    tool_calls: [{ index: 0, id: "call_1", type: "function", function: { name: "look_up", arguments: '{"da' } }],
  }),
  openAiChunk({ tool_calls: [{ index: 0, function: { arguments: 'y":"Monday"}' } }] }),
  openAiChunk({}, "tool_calls"),
  { ...openAiChunk({}), choices: [], usage: { prompt_tokens: 21, completion_tokens: 8, total_tokens: 29 } },
  "[DONE]",
]);

/** One streamed turn: two pieces of text, one tool call in two pieces, and the tokens used. */
export const STREAMED_TURN: Record<ModelProvider, string> = {
  OPENAI_COMPATIBLE: OPENAI_TURN,
  AZURE_OPENAI: OPENAI_TURN,
  AMAZON_BEDROCK: converseFrames(
    ["Hello ", "there."],
    [{ id: "call_1", name: "look_up", input: ['{"da', 'y":"Monday"}'] }],
    { inputTokens: 21, outputTokens: 8, totalTokens: 29 },
  ).join(""),
  ANTHROPIC: toEvents(
    [
      {
        type: "message_start",
        message: {
          id: "m1",
          type: "message",
          role: "assistant",
          model: "trial",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 21, output_tokens: 1 },
        },
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello " } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "there." } },
      { type: "content_block_stop", index: 0 },
      {
        type: "content_block_start",
        index: 1,
        content_block: { type: "tool_use", id: "call_1", name: "look_up", input: {} },
      },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: '{"da' } },
      { type: "content_block_delta", index: 1, delta: { type: "input_json_delta", partial_json: 'y":"Monday"}' } },
      { type: "content_block_stop", index: 1 },
      { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 8 } },
      { type: "message_stop" },
    ],
    true,
  ),
  GOOGLE: toEvents([
    googleChunk([{ text: "Hello " }]),
    googleChunk([{ text: "there." }]),
    {
      ...googleChunk([{ functionCall: { name: "look_up", args: { day: "Monday" } } }], "STOP"),
      usageMetadata: { promptTokenCount: 21, candidatesTokenCount: 8, totalTokenCount: 29 },
    },
  ]),
};

/** Returns one event of OpenAI's stream. */
export function openAiChunk(delta: object, finish: string | null = null): object {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return { id: "c1", object: "chat.completion.chunk", created: 1, model: "trial", choices };
}

/** Returns one event of Google's stream; with a reason the last one. */
export function googleChunk(parts: object[], finishReason?: string): object {
  return { candidates: [{ content: { role: "model", parts }, index: 0, ...(finishReason ? { finishReason } : {}) }] };
}

/** Returns events in the format of a stream, `named` with their type before them. */
export function toEvents(events: (object | string)[], named = false): string {
  return events
    .map((event) => {
      const name = named ? `event: ${(event as { type: string }).type}\n` : "";
      return `${name}data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`;
    })
    .join("");
}

/** Returns one answer that is not streamed: a JSON object as text. */
export function wholeAnswer(provider: ModelProvider, text: string): string {
  const usage = { input_tokens: 30, output_tokens: 5 };
  switch (provider) {
    case "OPENAI_COMPATIBLE":
    case "AZURE_OPENAI":
      return JSON.stringify({
        id: "c1",
        object: "chat.completion",
        created: 1,
        model: "trial",
        choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
        usage: { prompt_tokens: 30, completion_tokens: 5, total_tokens: 35 },
      });
    case "ANTHROPIC":
      return JSON.stringify({
        id: "m1",
        type: "message",
        role: "assistant",
        model: "trial",
        content: [{ type: "text", text }],
        stop_reason: "end_turn",
        stop_sequence: null,
        usage,
      });
    case "GOOGLE":
      return JSON.stringify({
        candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP", index: 0 }],
        usageMetadata: { promptTokenCount: 30, candidatesTokenCount: 5, totalTokenCount: 35 },
      });
    case "AMAZON_BEDROCK":
      return JSON.stringify({
        output: { message: { role: "assistant", content: [{ text }] } },
        stopReason: "end_turn",
        usage: { inputTokens: 30, outputTokens: 5, totalTokens: 35 },
        metrics: { latencyMs: 5 },
      });
  }
}

/** Returns the events of a streamed turn, each in the framing of its vendor. */
export function eventsOf(provider: ModelProvider): string[] {
  const turn = STREAMED_TURN[provider];
  if (provider !== "AMAZON_BEDROCK") {
    return turn
      .split("\n\n")
      .filter(Boolean)
      .map((event) => `${event}\n\n`);
  }
  const bytes = Buffer.from(turn, "latin1");
  const events: string[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readUInt32BE(at)) {
    events.push(bytes.toString("latin1", at, at + bytes.readUInt32BE(at)));
  }
  return events;
}
