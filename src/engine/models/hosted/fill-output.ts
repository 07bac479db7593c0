import { createHash } from "node:crypto";
import type { LanguageModelV4, LanguageModelV4GenerateResult } from "@ai-sdk/provider";
import { addUsage, type ExtractRequest, type TokenUsage } from "#src/engine/models/models.ts";
import { dropNulls } from "./drop-nulls.ts";
import { ModelFault } from "./model-fault.ts";
import {
  countTokens,
  type HostedOptions,
  isFinished,
  MORE_ROOM,
  readRefusal,
  sendLearning,
  settingsOf,
} from "./request.ts";
import { type Asking, waysToAsk } from "./response-format.ts";
import { toPrompt } from "./to-prompt.ts";
import { withoutThoughts } from "./visible-text.ts";

/** Matches refusals that do not concern the form of the answer, so a less strict request would fail in the same way. */
const TOO_LONG = /context[_ ]length|maximum context|too many tokens|prompt is too long/i;

/**
 * Fills one output. It asks as strictly as the provider allows, and less strictly where the provider refuses the schema
 * or the format. Refusals are remembered, so that the next session does not repeat them. Adds the tokens of every answer
 * to `usage`, also when it throws.
 */
export async function fillOutput(
  model: LanguageModelV4,
  options: HostedOptions,
  request: ExtractRequest,
  usage: TokenUsage,
): Promise<unknown> {
  const { ways, shape } = waysToAsk(options.provider, request.output);
  const digest = createHash("sha256").update(JSON.stringify(request.output.schema)).digest("base64").slice(0, 16);
  const refusals = ways.map(({ firmness }) => `${firmness} ${digest}`);
  let from = refusals.findIndex((refusal) => !options.memory.has(options.server, refusal));
  if (from < 0) from = ways.length - 1;
  const refused: string[] = [];
  for (let i = from; ; i++) {
    try {
      const text = await ask(model, options, request, ways[i] as Asking, usage);
      // Only a request that succeeded in another form proves that the earlier ones were refused for their form.
      for (const refusal of refused) options.memory.note(options.server, refusal);
      const value = readJson(text);
      return shape ? dropNulls(shape, value) : value;
    } catch (thrown) {
      const refusal = readRefusal(thrown);
      if (!refusal || TOO_LONG.test(refusal.message) || i === ways.length - 1) throw thrown;
      refused.push(refusals[i] as string);
    }
  }
}

async function ask(
  model: LanguageModelV4,
  options: HostedOptions,
  request: ExtractRequest,
  way: Asking,
  usage: TokenUsage,
): Promise<string> {
  for (let room = options.maxOutputTokens; ; room *= MORE_ROOM) {
    const { content, ...reply } = await send(model, options, request, way, room);
    addUsage(usage, countTokens(reply.usage));
    if (reply.finishReason.unified === "length") {
      if (room === options.maxOutputTokens) continue;
      throw new ModelFault("MODEL_TRUNCATED", `${options.name} used up ${room} tokens before its answer was whole.`);
    }
    isFinished(reply.finishReason, options.name);
    return content.map((part) => (part.type === "text" ? part.text : "")).join("");
  }
}

function send(
  model: LanguageModelV4,
  options: HostedOptions,
  request: ExtractRequest,
  { firmness, responseFormat, providerOptions }: Asking,
  maxOutputTokens: number,
): Promise<LanguageModelV4GenerateResult> {
  const { output, faults } = request;
  const about = output.description === "" ? "" : ` (${output.description})`;
  const repair = faults.length === 0 ? "" : ` An earlier try was wrong: ${faults.join("; ")}. Mend it.`;
  const absent =
    firmness === "STRICT" ? "Write null for what was not said, whatever type it has" : "Leave out what was not said";
  const task = `The conversation is over. Answer with one JSON object for "${output.name}"${about} that fits this JSON Schema, and nothing else. ${absent}; invent nothing.${repair}\n${JSON.stringify(output.schema)}`;
  const prompt = toPrompt(request.messages, [], request.language, false);
  prompt.push({ role: "user", content: [{ type: "text", text: task }] });
  return sendLearning(options, () =>
    model.doGenerate({
      ...settingsOf(options, providerOptions),
      ...(responseFormat ? { responseFormat } : {}),
      maxOutputTokens,
      prompt,
      abortSignal: request.signal,
    }),
  );
}

/** Extracts the JSON of an answer. Models without a JSON mode wrap it in a fence or in words. */
function readJson(answer: string): unknown {
  const text = withoutThoughts(answer);
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start === -1 || end < start) throw new ModelFault("MODEL_GARBLED", "The model answered without a JSON object.");
  return JSON.parse(text.slice(start, end + 1));
}
