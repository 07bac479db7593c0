import type { Turn } from "#src/engine/conversation/plan.ts";

/** How long a session that was told to end may take to do so. */
const GRACE_MS = 2_000;

/** Ends a conversation in which nothing happens any more. */
export interface Watchdog {
  /** Aborts when the conversation stalls, or when its own signal does. */
  readonly signal: AbortSignal;
  /** How long nothing had happened when it was ended; null while all is well. */
  readonly stalledMs: number | null;
  /** The transcript as it was last told. */
  readonly turns: Turn[];
  /** Something happened. */
  note(this: void, turns: Turn[]): void;
  /** The result of the conversation, or what `giveUp` says when it does not even end after it was told to. */
  settle<Result>(work: Promise<Result>, giveUp: () => Result): Promise<Result>;
  stop(): void;
}

/** Watches a conversation: `stallMs` of real time without a turn ends it. */
export function watchProgress(stallMs: number, outer: AbortSignal): Watchdog {
  const stalled = new AbortController();
  let stalledMs: number | null = null;
  let turns: Turn[] = [];
  const timer = setTimeout(() => {
    stalledMs = stallMs;
    stalled.abort();
  }, stallMs);
  const signal = AbortSignal.any([outer, stalled.signal]);
  return {
    signal,
    get stalledMs() {
      return stalledMs;
    },
    get turns() {
      return turns;
    },
    note(now) {
      turns = now;
      timer.refresh();
    },
    settle: (work, giveUp) => settleInTime(work, signal, giveUp),
    stop: () => clearTimeout(timer),
  };
}

async function settleInTime<Result>(work: Promise<Result>, signal: AbortSignal, giveUp: () => Result): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Result>((resolve) => {
    signal.addEventListener("abort", () => (timer = setTimeout(() => resolve(giveUp()), GRACE_MS)), { once: true });
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
