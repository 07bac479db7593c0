import { FRAME_SAMPLES, VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";

/** Least mean power of a frame that is analysed. */
const LEAST_POWER = 60 ** 2;
/** Least share of a frame's power in one frequency that makes it a tone. */
const LEAST_PURITY = 0.72;
const LOWEST_HZ = 300;
const HIGHEST_HZ = 2_500;
/** Difference below which the spectra of neighbouring frames are one held sound. */
const HELD_DIFFERENCE = 0.035;
/** Frames after which a held sound is a tone or music; a voice changes sooner. */
export const HELD_FRAMES = 8;

/** Detects single tones of any frequency, and held sounds (chords, music), in frames of 160 samples. */
export class ToneMeter {
  /** Frequency of the last frame when it is one pure tone, else 0. */
  frequencyHz = 0;
  /** True when the last frame belongs to a sound held without change: tones, chords, music. */
  isHeld = false;
  #heldFrames = 0;
  #lag1 = 0;
  #lag2 = 0;

  /** Takes the next frame. */
  hear(samples: Int16Array): void {
    let power = 0;
    let lag1 = 0;
    let lag2 = 0;
    let before = 0;
    let beforeThat = 0;
    for (let i = 0; i < FRAME_SAMPLES; i++) {
      const sample = samples[i] as number;
      power += sample * sample;
      lag1 += sample * before;
      lag2 += sample * beforeThat;
      beforeThat = before;
      before = sample;
    }
    this.frequencyHz = 0;
    if (power < LEAST_POWER * FRAME_SAMPLES) {
      this.#hold(0, 0, false);
      return;
    }
    this.#hold(lag1 / power, lag2 / power, true);
    const hz = findFrequency(lag1, lag2);
    if (hz >= LOWEST_HZ && hz <= HIGHEST_HZ && measurePower(samples, hz) > LEAST_PURITY * power) this.frequencyHz = hz;
  }

  #hold(lag1: number, lag2: number, isLoud: boolean): void {
    const difference = Math.abs(lag1 - this.#lag1) + Math.abs(lag2 - this.#lag2);
    this.#heldFrames = isLoud && difference < HELD_DIFFERENCE * 2 ? this.#heldFrames + 1 : 0;
    this.#lag1 = lag1;
    this.#lag2 = lag2;
    this.isHeld = this.#heldFrames >= HELD_FRAMES;
  }
}

/**
 * Returns the frequency of one tone from the correlations at one and two samples' distance. White noise adds to
 * neither, so it does not shift the result as it would with the power.
 */
function findFrequency(lag1: number, lag2: number): number {
  const ratio = lag2 / (lag1 || 1e-9);
  const root = Math.sqrt(ratio * ratio + 8);
  const cosine = (lag1 >= 0 ? ratio + root : ratio - root) / 4;
  return (Math.acos(Math.max(-1, Math.min(1, cosine))) * VOICE_RATE_HZ) / (2 * Math.PI);
}

/** Returns the sum of squares that a frame has at one frequency (Goertzel). */
function measurePower(samples: Int16Array, hz: number): number {
  const turn = 2 * Math.cos((2 * Math.PI * hz) / VOICE_RATE_HZ);
  let last = 0;
  let beforeLast = 0;
  for (let i = 0; i < FRAME_SAMPLES; i++) {
    const next = (samples[i] as number) + turn * last - beforeLast;
    beforeLast = last;
    last = next;
  }
  return (2 * (last * last + beforeLast * beforeLast - turn * last * beforeLast)) / FRAME_SAMPLES;
}
