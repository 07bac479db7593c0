/** Whose protocol a model server speaks. OPENAI_COMPATIBLE: OpenAI, vLLM, Ollama, llama.cpp and many others. */
export const MODEL_PROVIDERS = ["OPENAI_COMPATIBLE", "ANTHROPIC", "GOOGLE"] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** Where each protocol is served when no address is given. */
export const DEFAULT_URLS: Record<ModelProvider, string> = {
  OPENAI_COMPATIBLE: "https://api.openai.com/v1",
  ANTHROPIC: "https://api.anthropic.com/v1",
  GOOGLE: "https://generativelanguage.googleapis.com/v1beta",
};

/** How hard a reasoning model thinks before it answers. */
export const REASONING_EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];
