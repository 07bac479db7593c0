import { t } from "#web/i18n/t.ts";

/** A language model, or one that turns text into vectors. */
export interface Model {
  id: string;
  kind: "CHAT" | "EMBEDDING";
  name: string;
  provider: Provider;
  baseUrl: string | null;
  model: string;
  /** A mask when a key is stored; the key itself is never shown. */
  apiKey: string | null;
  temperature: number | null;
  maxOutputTokens: number | null;
  reasoningEffort: string | null;
  region: string | null;
  accessKeyId: string | null;
  isDefault: boolean;
  createdAt: string;
  updatedAt: string;
}

/** Provider whose protocol the model's server speaks. */
export type Provider = "OPENAI_COMPATIBLE" | "ANTHROPIC" | "GOOGLE" | "AZURE_OPENAI" | "AMAZON_BEDROCK";

/** Levels of reasoning before an answer. */
export const REASONING_EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"];

/** Result of a test question to a model. */
export interface ModelCheck {
  ok: boolean;
  model: string;
  latencyMs: number;
  firstPieceMs: number | null;
  answer: string | null;
  error: { code: string; message: string } | null;
}

/** API path of the models. */
export const MODELS_PATH = "/models";

/** Labels of the providers, each with its default address and an example model. */
export const PROVIDERS: { value: Provider; label: string; url: string; model: string }[] = [
  {
    value: "OPENAI_COMPATIBLE",
    label: t`OpenAI, or a server that speaks like it`,
    url: "https://api.openai.com/v1",
    model: "gpt-5-mini",
  },
  { value: "ANTHROPIC", label: "Anthropic", url: "https://api.anthropic.com/v1", model: "claude-haiku-4-5" },
  {
    value: "GOOGLE",
    label: "Google",
    url: "https://generativelanguage.googleapis.com/v1beta",
    model: "gemini-2.5-flash",
  },
  {
    value: "AZURE_OPENAI",
    label: "Azure OpenAI",
    url: "https://my-resource.openai.azure.com",
    model: t`name of the deployment`,
  },
  {
    value: "AMAZON_BEDROCK",
    label: "Amazon Bedrock",
    url: "https://bedrock-runtime.eu-west-1.amazonaws.com",
    model: "eu.anthropic.claude-haiku-4-5-20251001-v1:0",
  },
];

/** True for providers whose models have no effort that can be set. */
export function hasNoEffort(provider: Provider): boolean {
  return provider === "ANTHROPIC" || provider === "AMAZON_BEDROCK";
}

const SHORT_NAMES: Record<Provider, string> = {
  OPENAI_COMPATIBLE: "OpenAI-compatible",
  ANTHROPIC: "Anthropic",
  GOOGLE: "Google",
  AZURE_OPENAI: "Azure OpenAI",
  AMAZON_BEDROCK: "Amazon Bedrock",
};

/** A provider's short name. */
export function nameProvider(provider: Provider): string {
  return SHORT_NAMES[provider];
}
