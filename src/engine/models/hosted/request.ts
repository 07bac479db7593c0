import { APICallError, type LanguageModelV4FinishReason, type LanguageModelV4Usage } from "@ai-sdk/provider";
import { ModelFault } from "./model-fault.ts";
import type { RefusalMemory } from "./refusal-memory.ts";
import type { RequestTraits } from "./request-traits.ts";
import type { ModelProvider, ReasoningEffort } from "./vendors.ts";

/** How a hosted model is asked. */
export interface HostedOptions {
  /** As it is shown: provider and model. */
  name: string;
  provider: ModelProvider;
  /** Server and model, to remember what it refuses. */
  server: string;
  /** Only to keep it out of messages. */
  apiKey: string | null;
  temperature: number | null;
  reasoningEffort: ReasoningEffort | null;
  /** For a turn, hidden reasoning included. */
  maxTurnTokens: number;
  /** For an output that is filled, hidden reasoning included. */
  maxOutputTokens: number;
  /** Null where the provider's own library knows what its models take. */
  traits: RequestTraits | null;
  memory: RefusalMemory;
}

/** A turn that ran out of tokens before its first word is asked for once more, with so many times the room. */
export const MORE_ROOM = 4;
/** Parameters that a model may refuse one after the other. */
const MAX_LESSONS = 5;
const REFUSED = new Set([400, 404, 415, 422, 501]);

/** The settings that every request to the model carries. */
export function settingsOf({ temperature, reasoningEffort }: HostedOptions) {
  return {
    ...(temperature === null ? {} : { temperature }),
    ...(reasoningEffort === null ? {} : { reasoning: reasoningEffort }),
  };
}

/** Sends a request; where the server refuses a parameter that it can do without, sends it again without that. */
export async function sendLearning<Reply>({ traits }: HostedOptions, send: () => PromiseLike<Reply>): Promise<Reply> {
  for (let lessons = 0; ; lessons++) {
    try {
      return await send();
    } catch (thrown) {
      const refusal = readRefusal(thrown);
      if (!refusal || lessons === MAX_LESSONS || !traits?.learn(refusal.message, refusal.parameter)) throw thrown;
    }
  }
}

/** What a server says of a request that it will not take in this form; null for any other failure. */
export function readRefusal(thrown: unknown): { message: string; parameter: string | null } | null {
  if (!APICallError.isInstance(thrown) || !REFUSED.has(thrown.statusCode ?? 0)) return null;
  const { error } = (thrown.data ?? {}) as { error?: { param?: unknown } };
  const message = `${thrown.message} ${thrown.responseBody?.slice(0, 2_000) ?? ""}`;
  return { message, parameter: typeof error?.param === "string" ? error.param : null };
}

/** True when the model ended its answer itself or at its limit. Throws when the answer was withheld. */
export function isFinished({ unified, raw }: LanguageModelV4FinishReason, name: string): boolean {
  if (unified === "content-filter") throw new ModelFault("MODEL_REFUSED", `${name} withheld its answer (${raw}).`);
  return raw !== undefined && unified !== "error";
}

/** The tokens of an answer, as usage is kept. */
export function countTokens(usage: LanguageModelV4Usage): { inputTokens: number; outputTokens: number } {
  return { inputTokens: usage.inputTokens.total ?? 0, outputTokens: usage.outputTokens.total ?? 0 };
}
