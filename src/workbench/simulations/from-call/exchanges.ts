import type { Turn } from "#src/engine/conversation/plan.ts";

/** What the agent said, and what the person did then. */
export interface Exchange {
  /** The agent's words since the person spoke last; empty where the person began. */
  asked: string;
  /** The person spoke, or went, while the agent did. */
  interrupted: boolean;
  /** What the person said; null: nothing. */
  said: string | null;
  /** How long they thought; null where nobody can tell. */
  thoughtMs: number | null;
  /** How long they spoke without a pause. */
  spokeMs: number;
}

/** A pause of the agent after which it spoke again: the person was asked, and said nothing. */
const SILENCE_MS = 3_000;

/** A transcript as one exchange after the other; what tools and the system did in between is left out. */
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
