/** Capacity in samples: one second. A power of two, so that positions wrap by their low bits. */
export const RING_SAMPLES = 8_192;
const MASK = RING_SAMPLES - 1;
const EMPTY = 0;
const WAITING = 1;
const TAKEN = 2;

/**
 * Samples by number, of which the newest second is held. The ring knows of each sample if it came and if it was taken.
 * Numbers older than a second must not be asked for.
 */
export class SampleRing {
  readonly #samples = new Int16Array(RING_SAMPLES);
  readonly #marks = new Uint8Array(RING_SAMPLES);

  /** Forgets everything. */
  clear(): void {
    this.#marks.fill(EMPTY);
  }

  /** Clears the positions of samples that did not come. */
  markMissing(from: number, to: number): void {
    for (let at = Math.max(from, to - RING_SAMPLES); at < to; at++) this.#marks[at & MASK] = EMPTY;
  }

  /** True when a sample came, taken or not. */
  has(at: number): boolean {
    return this.#marks[at & MASK] !== EMPTY;
  }

  /** Puts the samples from `skipped` on; the first of all has the number `start`. */
  put(start: number, samples: Int16Array, skipped: number, count: number): void {
    for (let i = skipped; i < count; i++) {
      const place = (start + i) & MASK;
      this.#samples[place] = samples[i] as number;
      this.#marks[place] = WAITING;
    }
  }

  /** Copies waiting samples and keeps them; false when one of them is missing. */
  copy(from: number, count: number, out: Int16Array): boolean {
    for (let i = 0; i < count; i++) {
      const place = (from + i) & MASK;
      if (this.#marks[place] !== WAITING) return false;
      out[i] = this.#samples[place] as number;
    }
    return true;
  }

  /** Takes waiting samples up to the first that is missing; returns their number. */
  take(from: number, count: number, out: Int16Array, outAt: number): number {
    let taken = 0;
    for (; taken < count; taken++) {
      const place = (from + taken) & MASK;
      if (this.#marks[place] !== WAITING) break;
      out[outAt + taken] = this.#samples[place] as number;
      this.#marks[place] = TAKEN;
    }
    return taken;
  }

  /** Number of samples in a row that are missing, up to `count`. */
  countMissing(from: number, count: number): number {
    let missing = 0;
    while (missing < count && this.#marks[(from + missing) & MASK] !== WAITING) missing++;
    return missing;
  }

  /** Marks samples as taken. */
  drop(from: number, count: number): void {
    for (let i = 0; i < count; i++) this.#marks[(from + i) & MASK] = TAKEN;
  }
}
