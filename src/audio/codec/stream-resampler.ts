import { designResampler, type ResamplerDesign, resampleOne } from "./resample.ts";

/** Resamples audio that arrives in pieces. The concatenated results equal `resample` on the whole. */
export class StreamResampler {
  readonly #design: ResamplerDesign;
  readonly #ratio: number;
  /** Inputs that later outputs still depend on; the first of them is input `#first`. */
  #held = new Int16Array(0);
  #first = 0;
  #made = 0;

  constructor(fromHz: number, toHz: number) {
    this.#design = designResampler(fromHz, toHz);
    this.#ratio = toHz / fromHz;
  }

  /** Takes samples and returns the outputs that can be computed so far. */
  push(samples: Int16Array): Int16Array {
    this.#hold(samples);
    const { down, phases, halfWidth } = this.#design;
    const known = this.#first + this.#held.length;
    // Output n depends on inputs up to floor(n * down / phases) + halfWidth, which must be below `known`.
    const count = Math.max(this.#made, Math.ceil(((known - halfWidth) * phases) / down));
    const result = this.#makeUpTo(count);
    this.#forget(Math.floor((this.#made * down) / phases) - halfWidth + 1);
    return result;
  }

  /** Returns the rest, with silence after it. */
  end(): Int16Array {
    return this.#makeUpTo(Math.round((this.#first + this.#held.length) * this.#ratio));
  }

  #hold(samples: Int16Array): void {
    const held = new Int16Array(this.#held.length + samples.length);
    held.set(this.#held);
    held.set(samples, this.#held.length);
    this.#held = held;
  }

  #forget(upTo: number): void {
    const dropped = Math.min(Math.max(0, upTo - this.#first), this.#held.length);
    this.#held = this.#held.slice(dropped);
    this.#first += dropped;
  }

  #makeUpTo(count: number): Int16Array {
    const result = new Int16Array(Math.max(0, count - this.#made));
    for (let i = 0; i < result.length; i++) {
      result[i] = resampleOne(this.#design, this.#made + i, this.#held, this.#first);
    }
    this.#made += result.length;
    return result;
  }
}
