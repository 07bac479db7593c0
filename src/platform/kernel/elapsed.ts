/**
 * Milliseconds since the object was made. The monotonic clock stands still while a virtual machine or a laptop sleeps,
 * and the wall clock may be set back, so the one that advanced further counts.
 */
export class Elapsed {
  readonly #monotonicMs = performance.now();
  readonly #wallMs = Date.now();

  get ms(): number {
    return Math.max(performance.now() - this.#monotonicMs, Date.now() - this.#wallMs);
  }
}
