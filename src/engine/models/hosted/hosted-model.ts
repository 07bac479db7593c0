import type { LanguageModelV4, LanguageModelV4Usage } from "@ai-sdk/provider";
import type { LanguageModel, ModelPiece, TokenUsage, ToolCall, TurnRequest } from "#src/engine/models/models.ts";
import { readExactText } from "#src/platform/http/json.ts";
import { randomText } from "#src/platform/kernel/id.ts";
import { markForCache } from "./cache-marks.ts";
import { fillOutput } from "./fill-output.ts";
import { ModelFault, toModelFault } from "./model-fault.ts";
import { countTokens, type HostedOptions, isFinished, MORE_ROOM, sendLearning, settingsOf } from "./request.ts";
import { toPrompt } from "./to-prompt.ts";
import { toToolSchema } from "./tool-schema.ts";
import { VisibleText } from "./visible-text.ts";

const ID_LENGTH = 24;

/**
 * Puts a model of a provider, or of the workspace's own server, behind the port, streamed. `open` is called before each
 * request. Every failure is a ModelFault: refused, unreachable, cut off, or unreadable.
 */
export function createHostedModel(open: () => Promise<LanguageModelV4>, options: HostedOptions): LanguageModel {
  return {
    name: options.name,
    async *respond(request) {
      try {
        yield* streamTurn(await open(), options, request);
      } catch (thrown) {
        request.signal.throwIfAborted();
        throw toModelFault(thrown, options.name, options.apiKey);
      }
    },
    async extract(request) {
      const usage: TokenUsage = { inputTokens: 0, outputTokens: 0 };
      try {
        const value = await fillOutput(await open(), options, request, usage);
        return { value, ...usage };
      } catch (thrown) {
        request.signal.throwIfAborted();
        throw Object.assign(toModelFault(thrown, options.name, options.apiKey), { usage });
      }
    },
  };
}

async function* streamTurn(
  model: LanguageModelV4,
  options: HostedOptions,
  request: TurnRequest,
): AsyncIterable<ModelPiece> {
  for (let room = options.maxTurnTokens; ; room *= MORE_ROOM) {
    let isShown = false;
    let isTruncated = false;
    for await (const piece of streamOnce(model, options, request, room)) {
      isShown ||= piece.kind === "TEXT" || piece.kind === "TOOL_CALL";
      isTruncated ||= piece.kind === "TRUNCATED";
      if (piece.kind !== "TRUNCATED") yield piece;
    }
    if (!isTruncated) return;
    if (isShown) return yield { kind: "TRUNCATED" };
    if (room > options.maxTurnTokens) {
      throw new ModelFault("MODEL_TRUNCATED", `${options.name} used up ${room} tokens before its first word.`);
    }
  }
}

/** Streams one request. `USAGE` comes before `TRUNCATED`, which is last. */
async function* streamOnce(
  model: LanguageModelV4,
  options: HostedOptions,
  request: TurnRequest,
  maxOutputTokens: number,
): AsyncIterable<ModelPiece> {
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    type: "function" as const,
    name,
    description,
    inputSchema: toToolSchema(options.provider, inputSchema),
  }));
  const { stream } = await sendLearning(options, () =>
    model.doStream({
      ...settingsOf(options),
      maxOutputTokens,
      prompt: markForCache(toPrompt(request.messages, request.outputs, request.language, tools.length > 0), options),
      ...(tools.length > 0 ? { tools, toolChoice: { type: "auto" as const } } : {}),
      includeRawChunks: true,
      abortSignal: request.signal,
    }),
  );
  const visible = new VisibleText();
  let usage: LanguageModelV4Usage | undefined;
  let isTruncated = false;
  for await (const part of stream) {
    switch (part.type) {
      case "text-delta": {
        const text = visible.add(part.delta);
        yield text === "" ? { kind: "ALIVE" } : { kind: "TEXT", text };
        break;
      }
      case "tool-call":
        if (!part.providerExecuted) yield { kind: "TOOL_CALL", call: readCall(part) };
        break;
      case "raw":
        assertNoRefusal(part.rawValue, options.name);
        break;
      case "reasoning-delta":
      case "tool-input-delta":
        yield { kind: "ALIVE" };
        break;
      case "error":
        throw part.error;
      case "finish":
        if (isFinished(part.finishReason, options.name)) usage = part.usage;
        isTruncated = part.finishReason.unified === "length";
        break;
      default:
    }
  }
  // A stream that was cut ends like a complete one, but without a finish reason.
  if (!usage) throw new ModelFault("MODEL_BROKE_OFF", `${options.name} broke off in the middle of its answer.`);
  const rest = visible.end();
  if (rest !== "") yield { kind: "TEXT", text: rest };
  yield { kind: "USAGE", ...countTokens(usage) };
  if (isTruncated) yield { kind: "TRUNCATED" };
}

/** Throws when OpenAI streams a refusal; it marks refusals as such, so none of the words is said. */
function assertNoRefusal(chunk: unknown, name: string): void {
  const { choices } = (chunk ?? {}) as { choices?: { delta?: { refusal?: unknown } | null }[] };
  const refusal = Array.isArray(choices) ? choices[0]?.delta?.refusal : undefined;
  if (typeof refusal === "string" && refusal !== "") {
    throw new ModelFault("MODEL_REFUSED", `${name} refuses to answer: ${refusal.slice(0, 200)}`);
  }
}

/**
 * Returns a call under an id of our own: some servers count anew in each answer, and by its id a tool's server tells a
 * second booking from a repeated request.
 */
function readCall(part: { toolName: string; input: string }): ToolCall {
  const input: unknown = part.input.trim() === "" ? {} : readExactText(part.input);
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new ModelFault("MODEL_GARBLED", `The model called ${part.toolName} with something that is no object.`);
  }
  return { id: `call_${randomText(ID_LENGTH)}`, name: part.toolName, input: input as Record<string, unknown> };
}
