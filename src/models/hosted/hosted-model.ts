import type {
  LanguageModelV4FinishReason,
  LanguageModelV4,
  LanguageModelV4FunctionTool,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import type { ExtractRequest, LanguageModel, ModelPiece, ToolCall, TurnRequest } from "#src/models/models.ts";
import { ModelFault, toModelFault } from "./model-fault.ts";
import { toPrompt } from "./to-prompt.ts";

/** How a hosted model is asked. */
export interface HostedOptions {
  /** As it is shown: provider and model. */
  name: string;
  /** Only to keep it out of messages. */
  apiKey: string | null;
  temperature: number | null;
  maxOutputTokens: number;
}

/**
 * A model of a provider (or of a server of one's own) behind our port, streamed. Any failure is a ModelFault:
 * refused, unreachable, cut before its end, or not readable.
 */
export function createHostedModel(
  model: LanguageModelV4 | Promise<LanguageModelV4>,
  options: HostedOptions,
): LanguageModel {
  const settings = {
    maxOutputTokens: options.maxOutputTokens,
    ...(options.temperature === null ? {} : { temperature: options.temperature }),
  };
  return {
    name: options.name,
    async *respond(request) {
      try {
        yield* streamTurn(await model, settings, request, options.name);
      } catch (thrown) {
        request.signal.throwIfAborted();
        throw toModelFault(thrown, options.name, options.apiKey);
      }
    },
    async extract(request) {
      try {
        return await fillOutput(await model, settings, request);
      } catch (thrown) {
        request.signal.throwIfAborted();
        throw toModelFault(thrown, options.name, options.apiKey);
      }
    },
  };
}

type Settings = { maxOutputTokens: number; temperature?: number };

async function* streamTurn(
  model: LanguageModelV4,
  settings: Settings,
  request: TurnRequest,
  name: string,
): AsyncIterable<ModelPiece> {
  const tools = request.tools.map((tool): LanguageModelV4FunctionTool => ({
    type: "function",
    ...tool,
    inputSchema: tool.inputSchema,
  }));
  const { stream } = await model.doStream({
    ...settings,
    prompt: toPrompt(request.messages, request.outputs, request.language),
    ...(tools.length > 0 ? { tools, toolChoice: { type: "auto" } } : {}),
    abortSignal: request.signal,
  });
  let usage: LanguageModelV4Usage | undefined;
  for await (const part of stream) {
    if (part.type === "text-delta" && part.delta !== "") yield { kind: "TEXT", text: part.delta };
    else if (part.type === "tool-call" && !part.providerExecuted) yield { kind: "TOOL_CALL", call: readCall(part) };
    else if (part.type === "error") throw part.error;
    else if (part.type === "finish" && isFinished(part.finishReason, name)) usage = part.usage;
  }
  // A stream that was cut ends like one that is done, but never tells why it ended.
  if (!usage) throw new ModelFault("MODEL_BROKE_OFF", `${name} broke off in the middle of its answer.`);
  yield { kind: "USAGE", ...countTokens(usage) };
}

function isFinished({ unified, raw }: LanguageModelV4FinishReason, name: string): boolean {
  if (unified === "content-filter") throw new ModelFault("MODEL_REFUSED", `${name} withheld its answer (${raw}).`);
  return raw !== undefined && unified !== "error";
}

function readCall(part: { toolCallId: string; toolName: string; input: string }): ToolCall {
  const input: unknown = part.input.trim() === "" ? {} : JSON.parse(part.input);
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new ModelFault("MODEL_GARBLED", `The model called ${part.toolName} with something that is no object.`);
  }
  return { id: part.toolCallId, name: part.toolName, input: input as Record<string, unknown> };
}

async function fillOutput(model: LanguageModelV4, settings: Settings, request: ExtractRequest) {
  const { output, faults } = request;
  const repair = faults.length === 0 ? "" : ` An earlier try was wrong: ${faults.join("; ")}. Mend it.`;
  const task = `The conversation is over. Answer with one JSON object for "${output.name}" (${output.description}) that fits this JSON Schema, and nothing else. Leave out what was not said; invent nothing.${repair}\n${JSON.stringify(output.schema)}`;
  const prompt = toPrompt(request.messages, [], request.language);
  prompt.push({ role: "user", content: [{ type: "text", text: task }] });
  const { content, usage } = await model.doGenerate({
    ...settings,
    prompt,
    responseFormat: { type: "json", schema: output.schema, name: output.name.replaceAll(/[^\w-]/g, "_").slice(0, 60) },
    abortSignal: request.signal,
  });
  const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return { value: readJson(text), ...countTokens(usage) };
}

/** The JSON of an answer. Models without a JSON mode wrap it in a fence or in words. */
function readJson(text: string): unknown {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start === -1 || end < start) throw new ModelFault("MODEL_GARBLED", "The model answered without a JSON object.");
  return JSON.parse(text.slice(start, end + 1));
}

function countTokens(usage: LanguageModelV4Usage): { inputTokens: number; outputTokens: number } {
  return { inputTokens: usage.inputTokens.total ?? 0, outputTokens: usage.outputTokens.total ?? 0 };
}
