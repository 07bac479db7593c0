import type { LanguageModel } from "#src/engine/models/models.ts";
import type { WebFetch } from "#src/platform/http/web-fetch.ts";
import { createHostedModel } from "./hosted-model.ts";
import { openProvider, type ProviderAccount } from "./open-provider.ts";
import { RefusalMemory } from "./refusal-memory.ts";
import { isReasoningModel, RequestTraits } from "./request-traits.ts";
import { addressOf, type ReasoningEffort, speaksOpenAi } from "./vendors.ts";

/** Enough for many spoken turns; a model that wants more has lost its thread. */
const TURN_TOKENS = 1_024;
const OUTPUT_TOKENS = 4_096;
/** Added for models that reason, because hidden reasoning counts as output. */
const REASONING_TOKENS = 8_192;

/** Configuration of a provider's model. */
export interface HostedSettings extends Pick<ProviderAccount, "provider" | "apiKey" | "model"> {
  /** Null: the provider's default address. */
  baseUrl: string | null;
  temperature: number | null;
  region?: string | null;
  accessKeyId?: string | null;
  headers?: ProviderAccount["headers"] | null;
  extraBody?: ProviderAccount["extraBody"] | null;
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
  const { provider, model, maxOutputTokens = null, reasoningEffort = null, region = null } = settings;
  const baseUrl = addressOf(provider, settings.baseUrl, region) ?? "";
  const account: ProviderAccount = {
    ...settings,
    baseUrl,
    region,
    accessKeyId: settings.accessKeyId ?? null,
    headers: settings.headers ?? {},
    extraBody: settings.extraBody ?? {},
  };
  const isReasoning = speaksOpenAi(provider) && isReasoningModel(model);
  const traits = speaksOpenAi(provider) ? new RequestTraits(baseUrl, model, memory) : null;
  const open = keepOpened(() => openProvider(account, fetch, traits));
  const extra = isReasoning ? REASONING_TOKENS : 0;
  return createHostedModel(open, {
    name: `${provider.toLowerCase()}/${model}`,
    provider,
    model,
    server: `${baseUrl} ${model}`,
    apiKey: settings.apiKey,
    temperature: settings.temperature,
    reasoningEffort: reasoningEffort ?? (isReasoning ? "low" : null),
    maxTurnTokens: maxOutputTokens ?? TURN_TOKENS + extra,
    maxOutputTokens: maxOutputTokens ?? OUTPUT_TOKENS + extra,
    extraBody: account.extraBody,
    traits,
    memory,
  });
}

/**
 * Opens at once, and again for whoever asks after a failure: sessions share the model, and its library may not load in
 * a moment when the process has too many files open.
 */
function keepOpened<Opened>(open: () => Promise<Opened>): () => Promise<Opened> {
  let opened: Promise<Opened> | undefined;
  const get = () =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined;
      throw error;
    }));
  // The first request reports the failure; until then nothing awaits it.
  get().catch(() => undefined);
  return get;
}
