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
  isDefault: boolean;
  createdAt: string;
  updatedAt: string;
}

/** Whose protocol a model's server speaks. */
export type Provider = "OPENAI_COMPATIBLE" | "ANTHROPIC" | "GOOGLE";

/** How hard a model may think before it answers. */
export const REASONING_EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"];

/** How a model answered one question. */
export interface ModelCheck {
  ok: boolean;
  model: string;
  latencyMs: number;
  firstPieceMs: number | null;
  answer: string | null;
  error: { code: string; message: string } | null;
}

/** Where models are read and changed. */
export const MODELS_PATH = "/models";

/** The providers as people call them. */
export const PROVIDERS: { value: Provider; label: string; url: string; model: string }[] = [
  {
    value: "OPENAI_COMPATIBLE",
    label: "OpenAI, or a server that speaks like it",
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
];

/** A provider's short name. */
export function nameProvider(provider: Provider): string {
  return provider === "OPENAI_COMPATIBLE" ? "OpenAI-compatible" : provider === "GOOGLE" ? "Google" : "Anthropic";
}
