import { availableParallelism } from "node:os";
import { type TurnLimits, Turns } from "#src/platform/kernel/turns.ts";

/**
 * Ways to hold a conversation: in the calling thread by a script, by a hosted model or with real audio, or, of large
 * suites, in threads.
 */
export type ConversationKind = "SCRIPTED" | "HOSTED" | "AUDIO" | "THREAD";

/** Turns of one run at what it shares with others. */
export interface RunTurn {
  /** Runs `work` when it is the run's turn; rejects with the reason of the signal. */
  run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Returns true while another workspace waits for a turn. */
  hasOthersWaiting(): boolean;
  /** How long a turn of several conversations may last while others wait. */
  shiftMs: number;
}

export type RunTurns = Record<ConversationKind, RunTurn>;

/** A thread takes a fraction of it to start. */
const SHIFT_MS = 2_000;
const MAX_THREADS = Math.min(4, availableParallelism());

/** In one process. A workspace takes half, which is as much as one run has of its own accord. */
const LIMITS: Record<ConversationKind, TurnLimits> = {
  SCRIPTED: { slots: 2, perKey: 1 },
  HOSTED: { slots: 16, perKey: 8 },
  AUDIO: { slots: 8, perKey: 4 },
  THREAD: { slots: 2 * MAX_THREADS, perKey: MAX_THREADS },
};

/** The turns of a run that shares the process with no other. */
export const UNSHARED: RunTurns = toRunTurns(() => ({
  run: (work) => work(),
  hasOthersWaiting: () => false,
  shiftMs: SHIFT_MS,
}));

/**
 * Shares what simulations take of a process by workspace, one conversation at a time: a suite of ten thousand delays that
 * of another workspace by a conversation, not by itself.
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
