/**
 * Protocols of model servers. OPENAI_COMPATIBLE: OpenAI, vLLM, Ollama, llama.cpp and many others. AZURE_OPENAI: a
 * deployment of an Azure resource. AMAZON_BEDROCK: the Converse API.
 */
export const MODEL_PROVIDERS = ["OPENAI_COMPATIBLE", "ANTHROPIC", "GOOGLE", "AZURE_OPENAI", "AMAZON_BEDROCK"] as const;
export type ModelProvider = (typeof MODEL_PROVIDERS)[number];

/** Default address of each protocol; null: each account has its own, by its resource or its region. */
const DEFAULT_URLS: Record<ModelProvider, string | null> = {
  OPENAI_COMPATIBLE: "https://api.openai.com/v1",
  ANTHROPIC: "https://api.anthropic.com/v1",
  GOOGLE: "https://generativelanguage.googleapis.com/v1beta",
  AZURE_OPENAI: null,
  AMAZON_BEDROCK: null,
};

/** Effort of a reasoning model before it answers. */
export const REASONING_EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** True for providers that speak the protocol of OpenAI's chat completions. */
export function speaksOpenAi(provider: ModelProvider): boolean {
  return provider === "OPENAI_COMPATIBLE" || provider === "AZURE_OPENAI";
}

/** True for providers that accept an effort of reasoning; the others want hidden reasoning sent back to them. */
export function takesEffort(provider: ModelProvider): boolean {
  return provider !== "ANTHROPIC" && provider !== "AMAZON_BEDROCK";
}

const AZURE_HOST = /\.(openai\.azure|services\.ai\.azure|cognitiveservices\.azure)\.com$/i;

/** Returns the address at which a configured model is asked; null when neither address nor region tells it. */
export function addressOf(
  provider: ModelProvider,
  baseUrl: string | null,
  region: string | null = null,
): string | null {
  const address = (baseUrl ?? DEFAULT_URLS[provider] ?? (region === null ? null : bedrockAddress(region)))?.trim();
  if (address === undefined) return null;
  const bare = address.replace(/\/+$/, "");
  // The portal shows a resource's endpoint without the path of its API.
  const isBareResource = provider === "AZURE_OPENAI" && isAzureHost(bare) && !/\/openai(\/|$)/i.test(bare);
  return isBareResource ? `${bare}/openai/v1` : bare;
}

/** True for addresses of Azure resources. */
export function isAzureHost(address: string): boolean {
  return AZURE_HOST.test(URL.parse(address)?.hostname ?? "");
}

function bedrockAddress(region: string): string {
  const domain = region.startsWith("cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  return `https://bedrock-runtime.${region}.${domain}`;
}
