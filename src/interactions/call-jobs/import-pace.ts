import { sleep } from "#src/platform/kernel/async.ts";

/** A number that threads share. */
export type SharedNumber = Int32Array<SharedArrayBuffer>;

/** Returns a number that threads can share, 0. */
export function shareNumber(): SharedNumber {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** Numbers that a process shares with the thread of an import. */
export interface SharedPace {
  /** The rest after each piece of work, in hundredths of the time that the piece took; 0: nobody is disturbed. */
  rests: SharedNumber;
  /** Number of the thread that has the turn of all imports of the process; 0: none. */
  turn: SharedNumber;
}

/** Upper limit of a rest, without which an import would hardly advance when a busy machine needs a second a piece. */
const LONGEST_REST_MS = 1_000;

/** After so long a thread looks for itself: the one that was told that the turn is free may have been stopped. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Work of an import's thread in pieces. While other workspaces send requests, the imports of a process take turns, and
 * each turn ends with a rest: a thread and its backend keep one processor busy, several of them all that there are, and
 * a request waits for a processor several times.
 */
export class ImportPace {
  readonly #shared: SharedPace;
  readonly #thread: number;

  constructor(shared: SharedPace, thread: number) {
    this.#shared = shared;
    this.#thread = thread;
  }

  /** True while no other workspace sends requests, so that work may be done ahead, on a second processor. */
  get isAlone(): boolean {
    return Atomics.load(this.#shared.rests, 0) === 0;
  }

  /** Runs a piece, and rests for at least `leastRest` times as long as it took. */
  async run<T>(work: () => Promise<T>, leastRest = 0): Promise<T> {
    const takesTurn = !this.isAlone;
    if (takesTurn) await this.#takeTurn();
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      const share = Math.max(leastRest, Atomics.load(this.#shared.rests, 0) / 100);
      const restMs = Math.min(LONGEST_REST_MS, share * (performance.now() - startedAt));
      if (restMs > 1) await sleep(restMs);
      if (takesTurn) endTurn(this.#shared, this.#thread);
    }
  }

  async #takeTurn(): Promise<void> {
    const { turn } = this.#shared;
    for (;;) {
      const holder = Atomics.compareExchange(turn, 0, 0, this.#thread);
      if (holder === 0) return;
      await Atomics.waitAsync(turn, 0, holder, LONGEST_WAIT_MS).value;
    }
  }
}

/** Passes the turn on if this thread has it, as it may when it is stopped. */
export function endTurn({ turn }: Pick<SharedPace, "turn">, thread: number): void {
  if (Atomics.compareExchange(turn, 0, thread, 0) === thread) Atomics.notify(turn, 0, 1);
}
