import { SAMPLES_PER_MS } from "#src/audio/codec/frame.ts";

/** Shortest and longest period of a voice, in samples: voices lie between 66 and 200 Hz. */
const MIN_PERIOD = 40;
const MAX_PERIOD = 120;
/** Samples of the past that are compared to find the period. */
const MATCH_SAMPLES = 160;
const HISTORY_SAMPLES = MATCH_SAMPLES + MAX_PERIOD + MAX_PERIOD / 4;
/** Fade as in G.711, appendix I: 10 ms at full strength, then down to nothing at 60 ms. */
const HOLD_SAMPLES = 10 * SAMPLES_PER_MS;
const FADED_SAMPLES = 60 * SAMPLES_PER_MS;
/** Samples over which returning audio is blended in: 5 ms, because a hard edge is heard as a click. */
const BLEND_SAMPLES = 5 * SAMPLES_PER_MS;
/** Highest level of the line's noise (rms): anything louder was a voice or a tone, which must not become a hiss. */
const MAX_NOISE_LEVEL = 200;
/** Most that the level rises per frame: half a percent, so that words do not move it. It falls at once. */
const NOISE_RISE = 1.005;

/** CONCEALED: still made from the voice; NOISE: faded to the line's own noise. */
export type Concealment = "CONCEALED" | "NOISE";

/**
 * Makes up missing audio: the last period of the voice, repeated and faded, over noise as loud as the line's own. All
 * played samples must pass through it, in order.
 */
export class Concealer {
  readonly #history = new Float64Array(HISTORY_SAMPLES);
  readonly #cycle = new Float64Array(MAX_PERIOD);
  #period = MIN_PERIOD;
  #at = 0;
  /** Samples made up since the last real one. */
  #missing = FADED_SAMPLES;
  #blendLeft = 0;
  #blendAt = 0;
  #noiseLevel = 8;
  #random = 1;

  /** Loudness of the line when nobody speaks (rms). */
  get noiseLevel(): number {
    return this.#noiseLevel;
  }

  /** Takes real samples, and blends the first ones after a gap with the made-up ones. */
  accept(samples: Int16Array, from: number, count: number): void {
    if (this.#missing > 0) {
      this.#blendLeft = BLEND_SAMPLES;
      this.#blendAt = this.#missing;
      this.#missing = 0;
    }
    const blended = Math.min(this.#blendLeft, count);
    for (let i = 0; i < blended; i++) {
      const share = this.#blendLeft-- / (BLEND_SAMPLES + 1);
      const real = samples[from + i] as number;
      samples[from + i] = Math.round(real + (this.#next(this.#blendAt++) - real) * share);
    }
    this.#remember(samples, from, count);
    this.#measure(samples, from, count);
  }

  /** Fills a part of `samples` with plausible audio. */
  conceal(samples: Int16Array, from: number, count: number): Concealment {
    if (this.#missing === 0) this.#findPeriod();
    const start = this.#missing;
    for (let i = 0; i < count; i++) {
      const sample = this.#next(this.#missing++);
      samples[from + i] = Math.max(-32_768, Math.min(32_767, Math.round(sample)));
    }
    this.#remember(samples, from, count);
    return start < FADED_SAMPLES ? "CONCEALED" : "NOISE";
  }

  #next(missing: number): number {
    const strength = Math.max(0, Math.min(1, (FADED_SAMPLES - missing) / (FADED_SAMPLES - HOLD_SAMPLES)));
    const noise = this.#nextNoise() * (1 - strength);
    if (strength === 0) return noise;
    const voice = this.#cycle[this.#at] as number;
    this.#at = this.#at + 1 === this.#period ? 0 : this.#at + 1;
    return voice * strength + noise;
  }

  /** Returns uniform noise of the wanted rms: its width is the rms times the root of twelve. */
  #nextNoise(): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) | 0;
    return (this.#random / 2 ** 32) * this.#noiseLevel * 3.464;
  }

  #remember(samples: Int16Array, from: number, count: number): void {
    const history = this.#history;
    const kept = Math.min(count, HISTORY_SAMPLES);
    history.copyWithin(0, kept);
    const to = HISTORY_SAMPLES - kept;
    for (let i = 0; i < kept; i++) history[to + i] = samples[from + count - kept + i] as number;
  }

  #measure(samples: Int16Array, from: number, count: number): void {
    let energy = 0;
    for (let i = from; i < from + count; i++) energy += (samples[i] as number) ** 2;
    const level = Math.sqrt(energy / Math.max(1, count));
    this.#noiseLevel = Math.min(level, Math.max(1, this.#noiseLevel) * NOISE_RISE, MAX_NOISE_LEVEL);
  }

  #findPeriod(): void {
    let best = MIN_PERIOD;
    let bestMatch = -1;
    for (let lag = MIN_PERIOD; lag <= MAX_PERIOD; lag += 2) {
      const match = this.#match(lag, 2);
      if (match > bestMatch) {
        bestMatch = match;
        best = lag;
      }
    }
    const coarse = best;
    bestMatch = this.#match(coarse, 1);
    for (const lag of [coarse - 1, coarse + 1]) {
      const match = lag < MIN_PERIOD || lag > MAX_PERIOD ? -1 : this.#match(lag, 1);
      if (match > bestMatch) {
        bestMatch = match;
        best = lag;
      }
    }
    this.#period = best;
    this.#at = 0;
    this.#makeCycle();
  }

  /** Similarity of the last samples to those `lag` before, from -1 to 1. */
  #match(lag: number, step: number): number {
    const history = this.#history;
    let product = 0;
    let past = 0;
    let recent = 0;
    for (let i = HISTORY_SAMPLES - MATCH_SAMPLES; i < HISTORY_SAMPLES; i += step) {
      const a = history[i] as number;
      const b = history[i - lag] as number;
      product += a * b;
      recent += a * a;
      past += b * b;
    }
    return product / Math.sqrt(recent * past + 1);
  }

  /**
   * Fills the cycle. Its last quarter fades into the samples before the cycle, so that its end runs on into its start.
   */
  #makeCycle(): void {
    const history = this.#history;
    const period = this.#period;
    const start = HISTORY_SAMPLES - period;
    const quarter = period >> 2;
    for (let i = 0; i < period; i++) {
      const share = Math.max(0, (i - (period - quarter) + 1) / (quarter + 1));
      const own = history[start + i] as number;
      const before = history[start + i - period] as number;
      this.#cycle[i] = own + (before - own) * share;
    }
  }
}
