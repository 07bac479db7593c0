import { findOwnMember } from "#src/engine/models/hosted/request-body.ts";
import { addressOf, takesEffort } from "#src/engine/models/hosted/vendors.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { MASK } from "#src/platform/kernel/mask.ts";
import type { ConfiguredModelChange } from "./configured-model.ts";
import type { LanguageModelRow } from "./store.ts";

const MAX_EXTRA_BYTES = 8_192;

/** Settings of a model that are no secrets. */
export type PlainSettings = Pick<
  LanguageModelRow,
  | "kind"
  | "name"
  | "provider"
  | "base_url"
  | "model"
  | "temperature"
  | "max_output_tokens"
  | "reasoning_effort"
  | "region"
  | "access_key_id"
  | "extra_body"
>;

/** Merges what was sent into the stored settings; a field that was not sent stays. */
export function mergeSettings(before: LanguageModelRow | undefined, input: ConfiguredModelChange): PlainSettings {
  const stored = <Value>(sent: Value | undefined, value: Value | undefined, fallback: Value): Value =>
    sent === undefined ? (value ?? fallback) : sent;
  return {
    kind: before?.kind ?? input.kind ?? "CHAT",
    name: stored(input.name, before?.name, ""),
    provider: stored(input.provider, before?.provider, "OPENAI_COMPATIBLE"),
    base_url: stored(input.baseUrl, before?.base_url, null),
    model: stored(input.model, before?.model, ""),
    temperature: stored(input.temperature, before?.temperature, null),
    max_output_tokens: stored(input.maxOutputTokens, before?.max_output_tokens, null),
    reasoning_effort: stored(input.reasoningEffort, before?.reasoning_effort, null),
    region: stored(input.region, before?.region, null),
    access_key_id: stored(input.accessKeyId, before?.access_key_id, null),
    extra_body: stored(input.extraBody, before?.extra_body, null),
  };
}

/** Refuses settings that do not go together; `hasKey` is true when a key is, or will be, stored. */
export function assertSettings(settings: PlainSettings, hasKey: boolean): void {
  assertKind(settings);
  assertProvider(settings, hasKey);
  const extra = settings.extra_body ?? {};
  if (JSON.stringify(extra).length > MAX_EXTRA_BYTES)
    throw fieldError("extraBody", "TOO_LARGE", `must be at most ${MAX_EXTRA_BYTES} bytes of JSON.`);
  const own = findOwnMember(extra);
  if (own !== undefined) throw fieldError(`extraBody.${own}`, "NOT_ALLOWED", "is set by the service.");
}

function assertKind({ kind, provider, ...settings }: PlainSettings): void {
  if (kind === "CHAT") return;
  if (provider !== "OPENAI_COMPATIBLE") {
    throw fieldError("provider", "KIND", "must be OPENAI_COMPATIBLE for a model of kind EMBEDDING.");
  }
  const only = {
    temperature: settings.temperature,
    maxOutputTokens: settings.max_output_tokens,
    reasoningEffort: settings.reasoning_effort,
    extraBody: settings.extra_body,
  };
  for (const [field, value] of Object.entries(only)) {
    if (value !== null) throw fieldError(field, "KIND", "is only for models of kind CHAT.");
  }
}

function assertProvider(settings: PlainSettings, hasKey: boolean): void {
  const { provider, base_url: baseUrl, region, access_key_id: accessKeyId } = settings;
  const refuse = (field: string, message: string) => fieldError(field, "PROVIDER", message);
  if (settings.reasoning_effort !== null && !takesEffort(provider))
    throw refuse("reasoningEffort", `is not for models of ${provider}.`);
  const isBedrock = provider === "AMAZON_BEDROCK";
  if (!isBedrock && region !== null) throw refuse("region", "is only for models of AMAZON_BEDROCK.");
  if (!isBedrock && accessKeyId !== null) throw refuse("accessKeyId", "is only for models of AMAZON_BEDROCK.");
  if (isBedrock && region === null) throw fieldError("region", "REQUIRED", "is required for AMAZON_BEDROCK.");
  if (provider === "AZURE_OPENAI" && baseUrl === null)
    throw fieldError("baseUrl", "REQUIRED", "is required for AZURE_OPENAI: the endpoint of the resource.");
  if ((isBedrock || provider === "AZURE_OPENAI") && !hasKey)
    throw fieldError("apiKey", "REQUIRED", `is required for ${provider}.`);
}

/**
 * Refuses a change that would send a stored key or header to another address: whoever makes the change may be unable to
 * read it. Without an address of its own, a model is asked at the one of its provider.
 */
export function assertSecretsStay(
  before: LanguageModelRow,
  after: PlainSettings,
  input: ConfiguredModelChange,
  keepsKey: boolean,
): void {
  const [from, to] = [before, after].map(({ provider, base_url, region }) => addressOf(provider, base_url, region));
  if (from === to) return;
  const message = "is required again when the address or the provider changes.";
  if (keepsKey && before.api_key !== null) throw fieldError("apiKey", "REQUIRED", message);
  const keepsHeaders = input.headers === undefined || Object.values(input.headers ?? {}).includes(MASK);
  if (keepsHeaders && before.headers !== null) throw fieldError("headers", "REQUIRED", message);
}
