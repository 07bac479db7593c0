import type { Turn } from "#src/engine/conversation/plan.ts";

/** The agent's words, and the person's reaction. */
export interface Exchange {
  /** The agent's words since the person spoke last; empty where the person began. */
  asked: string;
  /** True when the person spoke or hung up while the agent spoke. */
  interrupted: boolean;
  /** The person's words; null: none. */
  said: string | null;
  /** Milliseconds before the person answered; null where that is unknown. */
  thoughtMs: number | null;
  /** Milliseconds that the person spoke without a pause. */
  spokeMs: number;
}

/** A pause of the agent after which it spoke again counts as a question that the person did not answer. */
const SILENCE_MS = 3_000;

/** Splits a transcript into exchanges; lines of tools and the system are left out. */
export function readExchanges(transcript: readonly Turn[]): Exchange[] {
  const spoken = transcript.filter(({ role, whisper }) => !whisper && (role === "ASSISTANT" || role === "USER"));
  const exchanges: Exchange[] = [];
  let open: Turn[] = [];
  for (const turn of spoken) {
    const last = open.at(-1);
    if (turn.role === "ASSISTANT") {
      if (last && turn.startMs - last.endMs >= SILENCE_MS) {
        exchanges.push(toExchange(open, null));
        open = [];
      }
      open.push(turn);
      continue;
    }
    const before = exchanges.at(-1);
    if (open.length === 0 && before && before.said !== null) extend(before, turn);
    else exchanges.push(toExchange(open, turn));
    open = [];
  }
  if (open.length > 0) exchanges.push(toExchange(open, null));
  return exchanges;
}

function extend(exchange: Exchange, { content, startMs, endMs }: Turn): void {
  exchange.said = exchange.said === null ? content : `${exchange.said} ${content}`;
  exchange.spokeMs += endMs - startMs;
}

function toExchange(asked: Turn[], answer: Turn | null): Exchange {
  const last = asked.at(-1);
  return {
    asked: asked.map(({ content }) => content).join(" "),
    interrupted: last?.interrupted ?? false,
    said: answer?.content ?? null,
    thoughtMs: answer && last && !last.interrupted ? Math.max(0, answer.startMs - last.endMs) : null,
    spokeMs: answer ? answer.endMs - answer.startMs : 0,
  };
}
