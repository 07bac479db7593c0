import {
  APICallError,
  type JSONObject,
  type LanguageModelV4FinishReason,
  type LanguageModelV4Usage,
  type SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { TokenUsage } from "#src/engine/models/models.ts";
import { learnCacheRefusal } from "./cache-marks.ts";
import { ModelFault } from "./model-fault.ts";
import type { RefusalMemory } from "./refusal-memory.ts";
import type { Refusal, RequestTraits } from "./request-traits.ts";
import { isRecord } from "./schema-shape.ts";
import type { ModelProvider, ReasoningEffort } from "./vendors.ts";

/** Settings for the requests to a hosted model. */
export interface HostedOptions {
  /** Name for display: provider and model. */
  name: string;
  provider: ModelProvider;
  /** The provider's name of the model. */
  model: string;
  /** Server and model, the key of remembered refusals. */
  server: string;
  /** Kept only to remove it from messages. */
  apiKey: string | null;
  temperature: number | null;
  reasoningEffort: ReasoningEffort | null;
  /** Limit for a turn, hidden reasoning included. */
  maxTurnTokens: number;
  /** Limit for filling an output, hidden reasoning included. */
  maxOutputTokens: number;
  /** Amazon Bedrock gets these members of a request among its parameters; elsewhere they are in the body already. */
  extraBody: Record<string, unknown>;
  /** Null where the provider's own library knows the parameters of its models. */
  traits: RequestTraits | null;
  memory: RefusalMemory;
}

/** Factor on the token limit for the one retry of an answer that ran out of tokens too early. */
export const MORE_ROOM = 4;
/** Number of parameters that a model may refuse in a row. */
const MAX_LESSONS = 5;
const REFUSED = new Set([400, 404, 415, 422, 501]);

/** Returns the settings that every request to the model carries; `more` holds options of this request. */
export function settingsOf(options: HostedOptions, more: SharedV4ProviderOptions = {}) {
  const { provider, temperature, reasoningEffort, extraBody } = options;
  const hasExtra = provider === "AMAZON_BEDROCK" && Object.keys(extraBody).length > 0;
  const bedrock = hasExtra ? { bedrock: { additionalModelRequestFields: extraBody as JSONObject } } : {};
  return {
    ...(temperature === null ? {} : { temperature }),
    ...(reasoningEffort === null ? {} : { reasoning: reasoningEffort }),
    providerOptions: { ...bedrock, ...more },
  };
}

/** Sends a request, and repeats it without a parameter that the server refuses and that is optional. */
export async function sendLearning<Reply>(options: HostedOptions, send: () => PromiseLike<Reply>): Promise<Reply> {
  for (let lessons = 0; ; lessons++) {
    const sentAtMs = performance.now();
    try {
      return await send();
    } catch (thrown) {
      const refusal = readRefusal(thrown);
      if (!refusal || lessons === MAX_LESSONS) throw thrown;
      const hasLearnt = options.traits?.learn({ ...refusal, sentAtMs }) === true;
      if (!hasLearnt && !learnCacheRefusal(options, refusal.message)) throw thrown;
    }
  }
}

/** Returns the server's message about a request that it does not accept in this form; null for any other failure. */
export function readRefusal(thrown: unknown): Omit<Refusal, "sentAtMs"> | null {
  if (!APICallError.isInstance(thrown) || !REFUSED.has(thrown.statusCode ?? 0)) return null;
  const { error } = (thrown.data ?? {}) as { error?: { param?: unknown } };
  const message = `${thrown.message} ${thrown.responseBody?.slice(0, 2_000) ?? ""}`;
  const body = isRecord(thrown.requestBodyValues) ? thrown.requestBodyValues : {};
  return { body, message, parameter: typeof error?.param === "string" ? error.param : null };
}

/** True when the model finished its answer or reached its limit. Throws when the answer was withheld. */
export function isFinished({ unified, raw }: LanguageModelV4FinishReason, name: string): boolean {
  if (unified === "content-filter") throw new ModelFault("MODEL_REFUSED", `${name} withheld its answer (${raw}).`);
  return raw !== undefined && unified !== "error";
}

/** Returns the tokens of an answer in the form in which usage is kept. */
export function countTokens({ inputTokens, outputTokens }: LanguageModelV4Usage): TokenUsage {
  const total = inputTokens.total ?? 0;
  const cachedTokens = Math.min(inputTokens.cacheRead ?? 0, total);
  return {
    inputTokens: total,
    ...(cachedTokens > 0 ? { cachedTokens } : {}),
    outputTokens: outputTokens.total ?? 0,
  };
}
