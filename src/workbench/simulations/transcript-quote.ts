import type { Turn } from "#src/engine/conversation/plan.ts";

const MAX_QUOTE_CHARACTERS = 300;

/** A line of a transcript, quoted in a failure; `turn` is 1-based. */
export interface QuotedTurn {
  turn: number | null;
  quote: string | null;
}

/** Quotes one line, by its 1-based number. */
export function quoteTurn(transcript: Turn[], turn: number | null): QuotedTurn {
  const found = turn === null ? undefined : transcript[turn - 1];
  if (!found) return { turn: null, quote: null };
  return { turn, quote: shorten(found.content) };
}

/** Quotes the last line, of `role` where there is one; nothing of an empty transcript. */
export function quoteLast(transcript: Turn[], role?: Turn["role"]): QuotedTurn {
  const found = transcript.findLast((turn) => role === undefined || turn.role === role) ?? transcript.at(-1);
  return quoteTurn(transcript, found ? found.index + 1 : null);
}

/** Quotes the agent's first line. */
export function quoteFirst(transcript: Turn[]): QuotedTurn {
  const found = transcript.find(({ role }) => role === "ASSISTANT") ?? transcript[0];
  return quoteTurn(transcript, found ? found.index + 1 : null);
}

/** Quotes the agent's line that says these words, whole or up to an interruption; nothing when no line does. */
export function quoteWords(transcript: Turn[], words: string): QuotedTurn {
  const found = transcript.find(({ role, content, interrupted }) => {
    if (role !== "ASSISTANT" || content === "" || words === "") return false;
    return content.startsWith(words) || (interrupted && words.startsWith(content));
  });
  return quoteTurn(transcript, found ? found.index + 1 : null);
}

function shorten(text: string): string {
  return text.length > MAX_QUOTE_CHARACTERS ? `${text.slice(0, MAX_QUOTE_CHARACTERS)}…` : text;
}
