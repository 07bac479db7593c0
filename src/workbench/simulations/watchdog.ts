import type { Turn } from "#src/engine/conversation/plan.ts";

/** Milliseconds that an aborted session may take to end. */
const GRACE_MS = 2_000;

/** Ends a conversation in which nothing happens any more. */
export interface Watchdog {
  /** Aborts when the conversation stalls, or when its own signal does. */
  readonly signal: AbortSignal;
  /** Milliseconds without any event when the conversation was ended; null while all is well. */
  readonly stalledMs: number | null;
  /** The transcript of the last note. */
  readonly turns: Turn[];
  /** Records an event with the current transcript. */
  note(this: void, turns: Turn[]): void;
  /** Returns the result of the conversation, or that of `giveUp` when it does not end even after the abort. */
  settle<Result>(work: Promise<Result>, giveUp: () => Result): Promise<Result>;
  stop(): void;
}

/** Watches a conversation, and ends it after `stallMs` of real time without a turn. */
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
