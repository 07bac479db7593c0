import type { LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import type { RefusalMemory } from "./refusal-memory.ts";
import type { ModelProvider } from "./vendors.ts";

/** Models of Amazon Bedrock that keep prompts; others refuse a request that asks for it. */
const BEDROCK_CACHES = /anthropic\.claude|amazon\.nova/;
const REFUSED = "cache marks";

/** Model that a prompt is for. */
interface Asked {
  provider: ModelProvider;
  model: string;
  server: string;
  memory: RefusalMemory;
}

/**
 * Marks where a provider's cache may keep a prompt: after the instructions, which stand behind the tools, and after the
 * last message, with which the next turn's prompt begins. OpenAI, Azure and Google keep prompts without marks.
 */
export function markForCache(prompt: LanguageModelV4Prompt, asked: Asked): LanguageModelV4Prompt {
  const mark = markOf(asked);
  if (mark === null) return prompt;
  return prompt.map((message, i) =>
    message.role === "system" || i === prompt.length - 1 ? { ...message, providerOptions: mark } : message,
  );
}

/** Learns from a refusal that names the cache. Returns true when the next request will differ. */
export function learnCacheRefusal(asked: Asked, message: string): boolean {
  if (markOf(asked) === null || !/cach/i.test(message)) return false;
  asked.memory.note(asked.server, REFUSED);
  return true;
}

function markOf({ provider, model, server, memory }: Asked): SharedV4ProviderOptions | null {
  if (memory.has(server, REFUSED)) return null;
  if (provider === "ANTHROPIC") return { anthropic: { cacheControl: { type: "ephemeral" } } };
  if (provider === "AMAZON_BEDROCK" && BEDROCK_CACHES.test(model))
    return { bedrock: { cachePoint: { type: "default" } } };
  return null;
}
