import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import type { Vad } from "./vad.ts";

/** Feedback of the high-pass that removes DC and most of a mains hum: its corner is near 190 Hz. */
const HIGH_PASS = 0.86;
/**
 * Windows of the noise floor, which is the least smoothed power of 8 windows of 10 frames: 1.6 s, longer than speech
 * goes without a dip.
 */
const WINDOWS = 8;
const WINDOW_FRAMES = 10;
const SMOOTHING = 0.7;
/** Correction of the floor: the least of many smoothed powers lies some 0.8 dB below their mean. */
const MIN_BIAS = 1.2;
/**
 * Thresholds of speech: it begins at 2.1 times (3.2 dB) the noise's mean power, at least 3 dB and at most 6 dB above
 * the floor, so more is required the more the noise swells. It lasts while it is above 0.7 of that.
 */
const ON_FACTOR = 2.1;
const LEAST_ON_RATIO = 2;
const MOST_ON_RATIO = 4;
const OFF_SHARE = 0.7;
const SWELL_WEIGHT = 0.02;
/** Power below which nothing is speech, however quiet the line is: it is coding noise or a room. */
const ON_POWER = 60 ** 2;
const OFF_POWER = 45 ** 2;
/** Floor assumed until the line is known, so that a noisy line does not begin with false speech. */
const FIRST_FLOOR = 150 ** 2;
const LEARNING_FRAMES = 25;
/**
 * Sound that stays within 2.5 dB for 500 ms is a fan or a tone and becomes the floor at once; no vowel lasts so long.
 */
const STEADY_RATIO = 1.8;
const STEADY_FRAMES = 25;
/** Steady frames that are enough at the start of a call: 300 ms. */
const FIRST_STEADY_FRAMES = 15;
/** A sound that is steady from its first or second frame on counts as no voice from its ninth frame on. */
const ONSET_FRAMES = 1;
const DOUBT_FRAMES = 8;

/**
 * Detects speech by its energy above a noise floor that follows the line (minimum statistics). Finds speech down to 4.5
 * dB above white noise. A bang counts as speech too, so an interruption of the agent requires more than one frame.
 */
export class EnergyVad implements Vad {
  power = 0;
  #lastIn = 0;
  #lastOut = 0;
  #smoothed = 0;
  #floor = FIRST_FLOOR;
  #frames = 0;
  /** Mean power of the noise, as a multiple of the floor. */
  #swell = 1;
  #isLoud = false;
  #loudFrames = 0;
  readonly #minima = new Float64Array(WINDOWS).fill(Number.MAX_VALUE);
  #steadyLow = 0;
  #steadyHigh = 0;
  #steadyFrames = 0;

  hear(samples: Int16Array): boolean {
    this.power = this.#measure(samples);
    this.#follow(this.power);
    const onRatio = Math.min(Math.max(ON_FACTOR * this.#swell, LEAST_ON_RATIO), MOST_ON_RATIO);
    const ratio = this.#isLoud ? onRatio * OFF_SHARE : onRatio;
    const least = this.#isLoud ? OFF_POWER : ON_POWER;
    this.#isLoud = this.power > this.#floor * ratio && this.power > least;
    if (!this.#isLoud) this.#swell += SWELL_WEIGHT * (Math.min(this.power / this.#floor, ratio) - this.#swell);
    this.#loudFrames = this.#isLoud ? this.#loudFrames + 1 : 0;
    return this.#isLoud && !this.#isSteadyFromOnset();
  }

  #isSteadyFromOnset(): boolean {
    const isDoubted = this.#steadyFrames > DOUBT_FRAMES || this.#frames <= FIRST_STEADY_FRAMES;
    return isDoubted && this.#loudFrames - this.#steadyFrames <= ONSET_FRAMES;
  }

  #measure(samples: Int16Array): number {
    let lastIn = this.#lastIn;
    let lastOut = this.#lastOut;
    let sum = 0;
    for (let i = 0; i < FRAME_SAMPLES; i++) {
      const sample = samples[i] as number;
      lastOut = sample - lastIn + HIGH_PASS * lastOut;
      lastIn = sample;
      sum += lastOut * lastOut;
    }
    this.#lastIn = lastIn;
    // Denormal numbers, near zero and never zero, would slow down every later frame.
    this.#lastOut = Math.abs(lastOut) < 1e-6 ? 0 : lastOut;
    return sum / FRAME_SAMPLES;
  }

  #follow(power: number): void {
    this.#smoothed = this.#frames === 0 ? power : SMOOTHING * this.#smoothed + (1 - SMOOTHING) * power;
    const frame = this.#frames++;
    const window = Math.floor(frame / WINDOW_FRAMES) % WINDOWS;
    const isNew = frame % WINDOW_FRAMES === 0;
    const least = isNew ? this.#smoothed : Math.min(this.#minima[window] as number, this.#smoothed);
    this.#minima[window] = least;
    this.#followSteady(power);
    if (this.#frames < LEARNING_FRAMES && this.#steadyFrames < FIRST_STEADY_FRAMES) {
      this.#floor = Math.max(Math.min(FIRST_FLOOR, least * MIN_BIAS * MOST_ON_RATIO), 1);
      return;
    }
    let floor = Number.MAX_VALUE;
    for (let i = 0; i < WINDOWS; i++) floor = Math.min(floor, this.#minima[i] as number);
    this.#floor = Math.max(floor * MIN_BIAS, 1);
  }

  #followSteady(power: number): void {
    this.#steadyLow = Math.min(this.#steadyLow, power);
    this.#steadyHigh = Math.max(this.#steadyHigh, power);
    if (this.#steadyFrames === 0 || this.#steadyHigh > this.#steadyLow * STEADY_RATIO) {
      this.#steadyLow = power;
      this.#steadyHigh = power;
      this.#steadyFrames = 0;
    }
    this.#steadyFrames++;
    const isKnown = this.#frames >= LEARNING_FRAMES;
    if (this.#steadyFrames >= (isKnown ? STEADY_FRAMES : FIRST_STEADY_FRAMES)) this.#minima.fill(this.#smoothed);
  }
}
