import type { ModelMessage } from "#src/engine/models/models.ts";

/** Limit of a flow that sets none. */
export const DEFAULT_HISTORY_TOKENS = 24_000;
/** About four characters make a token, in the languages that providers count. */
const CHARACTERS_PER_TOKEN = 4;
const LEFT_OUT: ModelMessage = { role: "USER", content: "(What was said before is left out.)" };

/**
 * Returns the conversation that fits a model: all instructions, and the latest messages up to `maxTokens`. A tool's
 * result stays with its call, and an answer with its question. Returns the same list when everything fits.
 */
export function keepWithin(messages: ModelMessage[], maxTokens: number): ModelMessage[] {
  const session = messages.filter(({ role }) => role !== "SYSTEM");
  const latest = session.findLastIndex(({ role }) => role === "USER");
  let left = maxTokens * CHARACTERS_PER_TOKEN;
  let from = session.length;
  let i = session.length - 1;
  for (; i >= 0; i--) {
    left -= sizeOf(session[i] as ModelMessage);
    const isQuestion = session[i + 1]?.role === "USER" && session[i]?.role === "ASSISTANT" && !session[i]?.toolCalls;
    // The last exchange stays whatever its size, because without it there is nothing to answer.
    const isLast = from > latest || (from === latest && isQuestion);
    if (left < 0 && !isLast) break;
    if (session[i]?.role === "USER" || isQuestion) from = i;
  }
  if (i < 0) return messages;
  return [...messages.filter(({ role }) => role === "SYSTEM"), LEFT_OUT, ...session.slice(from)];
}

function sizeOf({ content, toolCalls }: ModelMessage): number {
  return content.length + (toolCalls ? JSON.stringify(toolCalls).length : 0);
}
