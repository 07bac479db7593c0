import { availableParallelism } from "node:os";
import { type TurnLimits, Turns } from "#src/platform/kernel/turns.ts";

/**
 * Ways to hold a conversation: in the calling thread by a script, by a hosted model or with real audio; or in threads,
 * for large suites.
 */
export type ConversationKind = "SCRIPTED" | "HOSTED" | "AUDIO" | "THREAD";

/** Access of one run to a resource that it shares with other runs. */
export interface RunTurn {
  /** Runs `work` when it is the run's turn; rejects with the reason of the signal. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Returns true while another workspace waits for a turn. */
  hasOthersWaiting(): boolean;
  /** Milliseconds that a shift of several conversations may last while others wait. */
  shiftMs: number;
}

export type RunTurns = Record<ConversationKind, RunTurn>;

/** Length of a shift; starting a thread takes a fraction of it. */
const SHIFT_MS = 2_000;
const MAX_THREADS = Math.min(4, availableParallelism());

/** Limits of one process. A workspace may take half, which is as much as one run uses by itself. */
const LIMITS: Record<ConversationKind, TurnLimits> = {
  SCRIPTED: { slots: 2, perKey: 1 },
  HOSTED: { slots: 16, perKey: 8 },
  AUDIO: { slots: 8, perKey: 4 },
  THREAD: { slots: 2 * MAX_THREADS, perKey: MAX_THREADS },
};

/** The turns of a run that does not share the process. */
export const UNSHARED: RunTurns = toRunTurns(() => ({
  run: (work) => work(),
  hasOthersWaiting: () => false,
  shiftMs: SHIFT_MS,
}));

/**
 * Shares the process among simulations, by workspace and one conversation at a time: a suite of ten thousand delays
 * another workspace's suite by one conversation.
 */
export class SimulationTurns {
  readonly #turns: Record<ConversationKind, Turns>;
  readonly #shiftMs: number;

  constructor(limits: Record<ConversationKind, TurnLimits> = LIMITS, shiftMs = SHIFT_MS) {
    this.#shiftMs = shiftMs;
    const open = (kind: ConversationKind) => new Turns(limits[kind]);
    this.#turns = { SCRIPTED: open("SCRIPTED"), HOSTED: open("HOSTED"), AUDIO: open("AUDIO"), THREAD: open("THREAD") };
  }

  /** Returns the turns of a workspace's run. */
  of(workspaceId: string): RunTurns {
    return toRunTurns((kind) => ({
      run: (work, signal) => this.#turns[kind].run(workspaceId, work, { signal }),
      hasOthersWaiting: () => this.#turns[kind].hasOthersWaiting(workspaceId),
      shiftMs: this.#shiftMs,
    }));
  }
}

function toRunTurns(make: (kind: ConversationKind) => RunTurn): RunTurns {
  return { SCRIPTED: make("SCRIPTED"), HOSTED: make("HOSTED"), AUDIO: make("AUDIO"), THREAD: make("THREAD") };
}
