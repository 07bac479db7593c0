import { FRAME_SAMPLES, FRAME_MS } from "#src/audio/codec/frame.ts";
import { EnergyVad } from "./energy-vad.ts";
import type { Vad } from "./vad.ts";

/** What the model judges at a time at 8 kHz: 32 ms, and before them the last samples of the window before. */
const WINDOW_SAMPLES = 256;
export const CONTEXT_SAMPLES = 32;
export const INPUT_SAMPLES = CONTEXT_SAMPLES + WINDOW_SAMPLES;
/** What the model remembers of a call between two windows, in numbers; its versions agree in how many. */
export const STATE_SIZE = 256;
/** Speech begins at the one probability and lasts until the other. */
const ON_PROBABILITY = 0.5;
const OFF_PROBABILITY = 0.35;
/** A window that has had no answer for so long: the model is late, and its last word no longer holds. */
const LATE_FRAMES = 100 / FRAME_MS;
/** Windows that wait to be judged; when there are more the oldest is left out, so that what is judged is of now. */
const MAX_WAITING = 4;

/** Where calls have their windows judged. */
export interface SpeechJudge {
  /** False once the model is given up. */
  readonly isOn: boolean;
  /** Takes note that the call has a window to judge. */
  offer(call: SileroVad): void;
}

/**
 * Tells speech by the Silero model, which the calls of a thread share. Answers come later than the frames they are
 * about: until the first one, and while the model is late or given up, the call is heard by energy.
 */
export class SileroVad implements Vad {
  /** The model's memory of this call; whoever has windows judged reads and replaces it. */
  readonly state = new Float32Array(STATE_SIZE);
  readonly #judge: SpeechJudge;
  readonly #energy = new EnergyVad();
  /** The window that fills, behind its context. */
  readonly #window = new Float32Array(INPUT_SAMPLES);
  #filled = CONTEXT_SAMPLES;
  readonly #waiting: { samples: Float32Array; atFrame: number }[] = [];
  readonly #spare: Float32Array[] = [];
  #frames = 0;
  /** The frame in which the first window without an answer was complete; null: there is none. */
  #pendingSinceFrame: number | null = null;
  /** Null: the model has not said anything of this call yet. */
  #isSpeech: boolean | null = null;

  constructor(judge: SpeechJudge) {
    this.#judge = judge;
  }

  /** Mean square of the last frame, without what lies below a telephone's band. */
  get power(): number {
    return this.#energy.power;
  }

  /** How many windows wait to be judged. */
  get waiting(): number {
    return this.#waiting.length;
  }

  hear(samples: Int16Array): boolean {
    // It follows the line all the time, so that it can take over with the next frame.
    const isLoud = this.#energy.hear(samples);
    if (!this.#judge.isOn) return isLoud;
    this.#frames++;
    this.#collect(samples);
    return this.#isSpeech === null || this.#isLate() ? isLoud : this.#isSpeech;
  }

  /** Puts the window that waits longest, with its context, into `target` from `at` on; false when none waits. */
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
