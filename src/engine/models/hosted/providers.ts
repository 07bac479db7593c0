import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { LanguageModel } from "#src/engine/models/models.ts";
import type { WebFetch } from "#src/platform/http/web-fetch.ts";
import { createHostedModel } from "./hosted-model.ts";
import { RefusalMemory } from "./refusal-memory.ts";
import { isReasoningModel, RequestTraits } from "./request-traits.ts";
import { DEFAULT_URLS, type ModelProvider, type ReasoningEffort } from "./vendors.ts";

/** Enough for many spoken turns; a model that wants more has lost its thread. */
const TURN_TOKENS = 1_024;
const OUTPUT_TOKENS = 4_096;
/** Added for models that reason, because hidden reasoning counts as output. */
const REASONING_TOKENS = 8_192;

/** Configuration of a provider's model. */
export interface HostedSettings {
  provider: ModelProvider;
  /** Null: the provider's default address. */
  baseUrl: string | null;
  /** Null for self-hosted servers without a key. */
  apiKey: string | null;
  /** The provider's name of the model. */
  model: string;
  temperature: number | null;
  /** Tokens of one answer, hidden reasoning included; null: as many as its family needs. */
  maxOutputTokens?: number | null;
  /** Null: low for models known to reason, unset for others. */
  reasoningEffort?: ReasoningEffort | null;
}

/**
 * Opens a configured model. Sends nothing until it is asked. `memory` keeps what servers refuse, and is shared by the
 * sessions of a process.
 */
export function openHostedModel(
  settings: HostedSettings,
  fetch: WebFetch,
  memory: RefusalMemory = new RefusalMemory(),
): LanguageModel {
  const { provider, model, maxOutputTokens = null, reasoningEffort = null } = settings;
  const baseUrl = settings.baseUrl ?? DEFAULT_URLS[provider];
  const isReasoning = provider === "OPENAI_COMPATIBLE" && isReasoningModel(model);
  const traits = provider === "OPENAI_COMPATIBLE" ? new RequestTraits(baseUrl, model, memory) : null;
  const opened = openProvider({ ...settings, baseUrl }, fetch, traits);
  // The first request reports the failure; until then nothing awaits it.
  opened.catch(() => undefined);
  const extra = isReasoning ? REASONING_TOKENS : 0;
  return createHostedModel(opened, {
    name: `${provider.toLowerCase()}/${model}`,
    provider,
    server: `${baseUrl} ${model}`,
    apiKey: settings.apiKey,
    temperature: settings.temperature,
    reasoningEffort: reasoningEffort ?? (isReasoning ? "low" : null),
    maxTurnTokens: maxOutputTokens ?? TURN_TOKENS + extra,
    maxOutputTokens: maxOutputTokens ?? OUTPUT_TOKENS + extra,
    traits,
    memory,
  });
}

/** Loads the provider's library when its first model is opened, so that a start does not pay for it. */
async function openProvider(
  { provider, baseUrl: baseURL, apiKey, model }: HostedSettings & { baseUrl: string },
  fetch: WebFetch,
  traits: RequestTraits | null,
): Promise<LanguageModelV4> {
  switch (provider) {
    case "OPENAI_COMPATIBLE": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        name: "openai-compatible",
        baseURL,
        fetch,
        includeUsage: true,
        supportsStructuredOutputs: true,
        ...(traits ? { transformRequestBody: (body: Record<string, unknown>) => traits.fit(body) } : {}),
        ...(apiKey === null ? {} : { apiKey }),
      }).chatModel(model);
    }
    case "ANTHROPIC": {
      const { createAnthropic } = await import("@ai-sdk/anthropic");
      return createAnthropic({ baseURL, apiKey: apiKey ?? "none", fetch }).chat(model);
    }
    case "GOOGLE": {
      const { createGoogle } = await import("@ai-sdk/google");
      return createGoogle({ baseURL, apiKey: apiKey ?? "none", fetch }).chat(model);
    }
  }
}
