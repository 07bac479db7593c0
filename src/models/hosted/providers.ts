import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { WebFetch } from "#src/http/web-fetch.ts";
import type { LanguageModel } from "#src/models/models.ts";
import { createHostedModel } from "./hosted-model.ts";

/** Whose protocol a model server speaks. OPENAI_COMPATIBLE: OpenAI, vLLM, Ollama, llama.cpp and many others. */
export const MODEL_PROVIDERS = ["OPENAI_COMPATIBLE", "ANTHROPIC", "GOOGLE"] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** Where each protocol is served when no address is given. */
export const DEFAULT_URLS: Record<ModelProvider, string> = {
  OPENAI_COMPATIBLE: "https://api.openai.com/v1",
  ANTHROPIC: "https://api.anthropic.com/v1",
  GOOGLE: "https://generativelanguage.googleapis.com/v1beta",
};

/** Enough for a spoken turn many times over; a model that wants more has lost its thread. */
const MAX_OUTPUT_TOKENS = 1_024;

/** A model of a provider, as it was configured. */
export interface HostedSettings {
  provider: ModelProvider;
  /** Null: the provider's own. */
  baseUrl: string | null;
  /** Null for servers of one's own that ask for none. */
  apiKey: string | null;
  /** The provider's name of the model. */
  model: string;
  temperature: number | null;
}

/** Opens a configured model. Nothing is sent until it is asked. */
export function openHostedModel(settings: HostedSettings, fetch: WebFetch): LanguageModel {
  const opened = openProvider(settings, fetch);
  // Whoever asks the model is told; until then nobody waits for it.
  opened.catch(() => undefined);
  return createHostedModel(opened, {
    name: `${settings.provider.toLowerCase()}/${settings.model}`,
    apiKey: settings.apiKey,
    temperature: settings.temperature,
    maxOutputTokens: MAX_OUTPUT_TOKENS,
  });
}

/** Loads the provider's library when the first of its models is opened: a start does without them. */
async function openProvider(
  { provider, baseUrl, apiKey, model }: HostedSettings,
  fetch: WebFetch,
): Promise<LanguageModelV4> {
  const baseURL = baseUrl ?? DEFAULT_URLS[provider];
  switch (provider) {
    case "OPENAI_COMPATIBLE": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
      return createOpenAICompatible({
        name: "openai-compatible",
        baseURL,
        fetch,
        includeUsage: true,
        supportsStructuredOutputs: true,
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
