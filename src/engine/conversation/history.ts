import type { ModelMessage } from "#src/engine/models/models.ts";

/** About four characters make a token, in the languages that providers count. */
const CHARACTERS_PER_TOKEN = 4;
const LEFT_OUT: ModelMessage = { role: "USER", content: "(What was said before is left out.)" };

/**
 * Returns the conversation that fits a model: all instructions, and the latest messages up to `maxTokens`. A tool's
 * result stays with its call. Returns the same list when everything fits.
 */
export function keepWithin(messages: ModelMessage[], maxTokens: number): ModelMessage[] {
  const budget = maxTokens * CHARACTERS_PER_TOKEN;
  let used = 0;
  for (const message of messages) used += sizeOf(message);
  if (used <= budget) return messages;
  const system = messages.filter(({ role }) => role === "SYSTEM");
  const session = messages.filter(({ role }) => role !== "SYSTEM");
  let left = budget;
  let from = session.length;
  // The last exchange stays whatever its size, because without it there is nothing to answer.
  for (let i = session.length - 1; i >= 0; i--) {
    left -= sizeOf(session[i] as ModelMessage);
    if (left < 0 && from < session.length) break;
    if (session[i]?.role === "USER") from = i;
  }
  return [...system, LEFT_OUT, ...session.slice(from === session.length ? 0 : from)];
}

function sizeOf({ content, toolCalls }: ModelMessage): number {
  return content.length + (toolCalls ? JSON.stringify(toolCalls).length : 0);
}
