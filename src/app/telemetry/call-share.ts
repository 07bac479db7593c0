const WINDOW_MS = 1_000;
/** A doubled share must leave this much of the limit free, so that a steady rate keeps the share it has. */
const ROOM = 0.8;

/**
 * The share of calls that is traced: all of them while few begin, else a half, a quarter, … so that at most about
 * `perSecond` begin with a trace. A trace is taken by its id: what a small share takes, a larger one takes too, so nodes
 * and seconds with different shares mostly come to the same.
 */
export class CallShare {
  readonly #perSecond: number;
  readonly #clock: () => number;
  #share = 1;
  #begun = 0;
  #sinceMs: number;

  /** `clock` gives milliseconds and never goes back. */
  constructor(perSecond: number, clock: () => number = () => performance.now()) {
    this.#perSecond = perSecond;
    this.#clock = clock;
    this.#sinceMs = clock();
  }

  /** Counts a call whose conversation begins, traced or not. */
  noteBegun(): void {
    this.#begun++;
    const lastedMs = this.#clock() - this.#sinceMs;
    if (lastedMs < WINDOW_MS) return;
    this.#adapt((this.#begun * 1_000) / lastedMs);
    this.#begun = 0;
    this.#sinceMs += lastedMs;
  }

  /** Returns true for a trace of the share. The end of its id (32 hexadecimal digits) must be random. */
  takes(traceId: string): boolean {
    return Number.parseInt(traceId.slice(-8), 16) < this.#share * 2 ** 32;
  }

  #adapt(perSecond: number): void {
    while (this.#share * perSecond > this.#perSecond) this.#share /= 2;
    while (this.#share < 1 && 2 * this.#share * perSecond <= ROOM * this.#perSecond) this.#share *= 2;
  }
}
