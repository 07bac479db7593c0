import { designResampler, type ResamplerDesign } from "./resample.ts";

/**
 * Turns a stream of samples of one rate into another, frame by frame, with the filters of `resample`: what comes out is
 * what `resample` gives for the whole, later by `delaySamples`. Frames may have any length up to `maxInputSamples`.
 */
export class StreamingResampler {
  /** How much later a sound comes out than it went in, in samples of the outgoing rate. */
  readonly delaySamples: number;
  readonly #design: ResamplerDesign;
  /** The samples that the next output still needs, then the frame: one row without a seam for the filter. */
  readonly #row: Float64Array;
  readonly #historySamples: number;
  readonly #maxInputSamples: number;
  /** Where the next output lies after the row's history, in parts of an incoming sample (one of `phases`). */
  #position = 0;

  constructor(fromHz: number, toHz: number, maxInputSamples: number) {
    this.#design = designResampler(fromHz, toHz);
    this.#historySamples = this.#design.reach * 2 - 1;
    this.#maxInputSamples = maxInputSamples;
    this.#row = new Float64Array(this.#historySamples + maxInputSamples);
    this.delaySamples = (this.#design.reach * toHz) / fromHz;
  }

  /** The most samples that one frame of `inputSamples` can give. */
  maxOutputSamples(inputSamples: number): number {
    return Math.ceil((inputSamples * this.#design.phases) / this.#design.down);
  }

  /**
   * Takes the first `count` samples of `input` and writes what they give to `output`, which must hold
   * `maxOutputSamples(count)`; gives how many were written. Throws a RangeError when a buffer is too small.
   */
  process(input: Int16Array, count: number, output: Int16Array): number {
    if (count > this.#maxInputSamples || count > input.length || output.length < this.maxOutputSamples(count)) {
      throw new RangeError("A frame is larger than the resampler's buffers.");
    }
    const row = this.#row;
    const history = this.#historySamples;
    for (let i = 0; i < count; i++) row[history + i] = input[i] as number;
    const { phases, down, filters } = this.#design;
    const end = count * phases;
    let position = this.#position;
    let written = 0;
    for (; position < end; position += down) {
      const sum = weighRow(row, Math.floor(position / phases), filters[position % phases] as Float64Array);
      output[written++] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
    }
    this.#position = position - end;
    row.copyWithin(0, count, count + history);
    return written;
  }

  /** Forgets what was heard, as before another stream. */
  reset(): void {
    this.#row.fill(0);
    this.#position = 0;
  }
}

/** Two sums side by side, because one would wait for each addition before the next. Filters have an even length. */
function weighRow(row: Float64Array, start: number, filter: Float64Array): number {
  let even = 0;
  let odd = 0;
  for (let k = 0; k < filter.length; k += 2) {
    even += (row[start + k] as number) * (filter[k] as number);
    odd += (row[start + k + 1] as number) * (filter[k + 1] as number);
  }
  return even + odd;
}
