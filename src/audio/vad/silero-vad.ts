import { FRAME_SAMPLES, FRAME_MS } from "#src/audio/codec/frame.ts";
import { EnergyVad } from "./energy-vad.ts";
import type { Vad } from "./vad.ts";

/** Samples of a window that the model judges at 8 kHz: 32 ms, preceded by the last samples of the window before. */
const WINDOW_SAMPLES = 256;
export const CONTEXT_SAMPLES = 32;
export const INPUT_SAMPLES = CONTEXT_SAMPLES + WINDOW_SAMPLES;
/** Numbers of the model's memory of a call between two windows; all its versions have the same total. */
export const STATE_SIZE = 256;
/** Probability at which speech begins, and below which it ends. */
const ON_PROBABILITY = 0.5;
const OFF_PROBABILITY = 0.35;
/** Age of an unanswered window beyond which the model is late and its last answer no longer holds. */
const LATE_FRAMES = 100 / FRAME_MS;
/** Most windows that wait to be judged; beyond that the oldest is dropped, so that results are current. */
const MAX_WAITING = 4;

/** Judge of the calls' windows. */
export interface SpeechJudge {
  /** False once the model is given up. */
  readonly isOn: boolean;
  /** Registers that the call has a window to judge. */
  offer(call: SileroVad): void;
}

/**
 * Detects speech with the Silero model, which the calls of a thread share. Its answers are late by design: until the
 * first one, and while the model is late or given up, the call falls back to energy.
 */
export class SileroVad implements Vad {
  /** The model's memory of this call; SileroRounds reads and replaces it. */
  readonly state = new Float32Array(STATE_SIZE);
  readonly #judge: SpeechJudge;
  readonly #energy = new EnergyVad();
  /** The window being filled, after its context. */
  readonly #window = new Float32Array(INPUT_SAMPLES);
  #filled = CONTEXT_SAMPLES;
  readonly #waiting: { samples: Float32Array; atFrame: number }[] = [];
  readonly #spare: Float32Array[] = [];
  #frames = 0;
  /** Frame in which the first unanswered window was complete; null: there is none. */
  #pendingSinceFrame: number | null = null;
  /** Null until the model's first answer for this call. */
  #isSpeech: boolean | null = null;

  constructor(judge: SpeechJudge) {
    this.#judge = judge;
  }

  /** Mean square of the last frame, without frequencies below a telephone's band. */
  get power(): number {
    return this.#energy.power;
  }

  /** Number of windows that wait to be judged. */
  get waiting(): number {
    return this.#waiting.length;
  }

  hear(samples: Int16Array): boolean {
    // The energy detector follows the line all the time, so that it can take over with the next frame.
    const isLoud = this.#energy.hear(samples);
    if (!this.#judge.isOn) return isLoud;
    this.#frames++;
    this.#collect(samples);
    return this.#isSpeech === null || this.#isLate() ? isLoud : this.#isSpeech;
  }

  /** Copies the window that waits longest, with its context, into `target` from `at` on; false when none waits. */
  takeWindow(target: Float32Array, at: number): boolean {
    const oldest = this.#waiting.shift();
    if (!oldest) return false;
    target.set(oldest.samples, at);
    this.#spare.push(oldest.samples);
    return true;
  }

  /** Takes the probability of speech in the window that was taken last. */
  hearProbability(probability: number): void {
    this.#pendingSinceFrame = this.#waiting[0]?.atFrame ?? null;
    this.#isSpeech = probability >= (this.#isSpeech ? OFF_PROBABILITY : ON_PROBABILITY);
  }

  #isLate(): boolean {
    return this.#pendingSinceFrame !== null && this.#frames - this.#pendingSinceFrame > LATE_FRAMES;
  }

  #collect(samples: Int16Array): void {
    for (let i = 0; i < FRAME_SAMPLES; i++) {
      this.#window[this.#filled++] = (samples[i] as number) / 32_768;
      if (this.#filled === INPUT_SAMPLES) this.#offer();
    }
  }

  #offer(): void {
    const dropped = this.#waiting.length === MAX_WAITING ? this.#waiting.shift()?.samples : undefined;
    const samples = dropped ?? this.#spare.pop() ?? new Float32Array(INPUT_SAMPLES);
    samples.set(this.#window);
    this.#waiting.push({ samples, atFrame: this.#frames });
    this.#pendingSinceFrame ??= this.#frames;
    this.#window.copyWithin(0, WINDOW_SAMPLES);
    this.#filled = CONTEXT_SAMPLES;
    this.#judge.offer(this);
  }
}
