/** Protocols of model servers. OPENAI_COMPATIBLE: OpenAI, vLLM, Ollama, llama.cpp and many others. */
export const MODEL_PROVIDERS = ["OPENAI_COMPATIBLE", "ANTHROPIC", "GOOGLE"] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** Default address of each protocol. */
export const DEFAULT_URLS: Record<ModelProvider, string> = {
  OPENAI_COMPATIBLE: "https://api.openai.com/v1",
  ANTHROPIC: "https://api.anthropic.com/v1",
  GOOGLE: "https://generativelanguage.googleapis.com/v1beta",
};

/** Effort of a reasoning model before it answers. */
export const REASONING_EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];
