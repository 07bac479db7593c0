/** Samples that can wait: one second. A power of two, so that places wrap by their low bits. */
export const RING_SAMPLES = 8_192;
const MASK = RING_SAMPLES - 1;
const EMPTY = 0;
const WAITING = 1;
const TAKEN = 2;

/**
 * Samples by their number, of which the newest second is held. It knows of each whether it came and whether it was
 * taken; what is older than a second must not be asked for.
 */
export class SampleRing {
  readonly #samples = new Int16Array(RING_SAMPLES);
  readonly #marks = new Uint8Array(RING_SAMPLES);

  /** Forgets everything. */
  clear(): void {
    this.#marks.fill(EMPTY);
  }

  /** Forgets what had the places of samples that did not come. */
  markMissing(from: number, to: number): void {
    for (let at = Math.max(from, to - RING_SAMPLES); at < to; at++) this.#marks[at & MASK] = EMPTY;
  }

  /** Whether a sample came, taken or not. */
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

  /** Copies samples that wait, which stay; false when one of them is not there. */
  copy(from: number, count: number, out: Int16Array): boolean {
    for (let i = 0; i < count; i++) {
      const place = (from + i) & MASK;
      if (this.#marks[place] !== WAITING) return false;
      out[i] = this.#samples[place] as number;
    }
    return true;
  }

  /** Takes samples that wait, up to the first that is not there; gives how many. */
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

  /** How many samples in a row are not there, up to `count`. */
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
