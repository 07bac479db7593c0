/** Call time: it follows the samples of the media, and the wall clock between two events of it. */
export class CallClock {
  #mediaMs = 0;
  #setAt = performance.now();
  #isStopped = false;

  /** Call time of the latest event of the media. */
  get mediaMs(): number {
    return this.#mediaMs;
  }

  /** Returns the milliseconds of call time since the answer. */
  elapsedMs(): number {
    return this.#mediaMs + (this.#isStopped ? 0 : performance.now() - this.#setAt);
  }

  /** Sets the time by an event of the media; it never goes back. */
  set(atMs: number): void {
    this.#mediaMs = Math.max(this.#mediaMs, atMs);
    this.#setAt = performance.now();
  }

  /** Stops the clock at the end of the call. */
  stop(atMs: number): void {
    this.set(atMs);
    this.#isStopped = true;
  }
}
