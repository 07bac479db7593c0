/** Timers of RFC 3261, table 4, in milliseconds. */
export const T1_MS = 500;
/** Longest pause between two copies of a request other than INVITE, and of a response to an INVITE. */
export const T2_MS = 4_000;
/** Longest time that a message may stay in the network. */
export const T4_MS = 5_000;
/** Timers B, D, F, H, J, L and M. */
export const PATIENCE_MS = 64 * T1_MS;

/** Repeats an action, after pauses that double from T1 up to `longestMs`. */
export class Retransmission {
  readonly #repeat: () => void;
  readonly #longestMs: number;
  #pauseMs = T1_MS;
  #timer: NodeJS.Timeout | undefined;

  constructor(repeat: () => void, longestMs = Number.POSITIVE_INFINITY) {
    this.#repeat = repeat;
    this.#longestMs = longestMs;
  }

  /** Starts; the first repetition comes after T1. */
  start(): void {
    this.stop();
    this.#timer = setTimeout(() => {
      this.#pauseMs = Math.min(this.#pauseMs * 2, this.#longestMs);
      this.start();
      this.#repeat();
    }, this.#pauseMs);
  }

  /** Uses the longest pause from now on (RFC 3261, 17.1.2.2: a request that was answered provisionally). */
  slowDown(): void {
    if (this.#pauseMs === this.#longestMs) return;
    this.#pauseMs = this.#longestMs;
    this.start();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
