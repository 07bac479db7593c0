const TICK_MS = 10;
/** A longer gap between two ticks means that this process stood still, and what came meanwhile is read only now. */
const STILL_MS = 50;
/** For so long after it stood still, what is read may have come before. */
const CATCH_UP_MS = 200;

/** Knows since when this process has been reading what arrives, so that its own delays are not taken for another's haste. */
export class ReadingTime implements Disposable {
  #tickMs = Date.now();
  #stoodStill = { fromMs: 0, toMs: 0 };
  readonly #timer = setInterval(() => this.#tick(), TICK_MS).unref();

  /** The earliest moment at which something that is read now can have come, in milliseconds since the epoch. */
  earliestMs(): number {
    const now = Date.now();
    if (now - this.#tickMs > STILL_MS) return this.#tickMs;
    const { fromMs, toMs } = this.#stoodStill;
    return now - toMs < CATCH_UP_MS ? fromMs : now;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #tick(): void {
    const now = Date.now();
    if (now - this.#tickMs > STILL_MS) {
      const goesOn = this.#tickMs - this.#stoodStill.toMs < CATCH_UP_MS;
      this.#stoodStill = { fromMs: goesOn ? this.#stoodStill.fromMs : this.#tickMs, toMs: now };
    }
    this.#tickMs = now;
  }
}
