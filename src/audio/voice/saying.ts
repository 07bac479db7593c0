import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Utterance } from "./utterance.ts";

/** Attempts per text, because most failures of a provider are gone a moment later. */
const MAX_TRIES = 2;
const BETWEEN_TRIES_MS = 200;
/** Time without a sound after which no other attempt is made. */
const MUTE_MS = 5_000;
/** Factor beyond which audio is too long for its text: the provider does not stop. */
const RUNAWAY_FACTOR = 6;
const RUNAWAY_SAMPLES = 20 * VOICE_RATE_HZ;
/** Samples per character until this line's own pace is known. */
const USUAL_PACE = VOICE_RATE_HZ / 15;

/** Samples per character of text, learnt from texts that were said whole. */
export class Pace {
  #samples = 0;
  #characters = 0;

  /** Returns the estimated number of samples of a text. */
  expect(text: string): number {
    return text.length * (this.#characters === 0 ? USUAL_PACE : this.#samples / this.#characters);
  }

  learn(text: string, samples: number): void {
    this.#samples += samples;
    this.#characters += text.length;
  }
}

/** Dependencies of saying a text. */
interface SayingParts {
  /** Begins to synthesise the text. */
  make(): Utterance;
  add(samples: Int16Array): void;
  /** Called when an attempt failed. */
  onFault(error: Error): void;
  pace: Pace;
}

class RunawayError extends Error {
  constructor() {
    super("The sound of a text was far too long.");
  }
}

/** Playback of one text. Audio that breaks off is synthesised again from the beginning of the text. */
export class Saying {
  readonly #text: string;
  readonly #parts: SayingParts;
  #utterance: Utterance;
  #isStopped = false;
  /** Samples so far, and those of attempts that broke off. */
  #made = 0;
  #wasted = 0;
  #isBroken = false;

  /** `utterance` is the text's first attempt. */
  constructor(text: string, utterance: Utterance, parts: SayingParts) {
    this.#text = text;
    this.#parts = parts;
    this.#utterance = utterance;
  }

  /** Plays the text; resolves with the reason that it could not be said whole, null when it was. Never rejects. */
  async play(): Promise<Error | null> {
    const startedAt = performance.now();
    for (let tries = 1; ; tries++) {
      const error = await this.#try();
      if (error === null || this.#isStopped) return null;
      this.#parts.onFault(error);
      const isLate = this.#made === 0 && performance.now() - startedAt > MUTE_MS;
      if (tries === MAX_TRIES || isLate || error instanceof RunawayError) {
        this.#isBroken = true;
        return error;
      }
      await sleep(BETWEEN_TRIES_MS);
      if (this.#isStopped) return null;
      this.#wasted = this.#made;
      this.#utterance = this.#parts.make();
    }
  }

  /** Stops the synthesis. */
  stop(): void {
    this.#isStopped = true;
    this.#utterance.stop();
  }

  /** Returns the share of the text that was heard after this fraction of all samples was played. */
  shareOf(fraction: number): number {
    if (!this.#isBroken && this.#wasted === 0) return fraction;
    const whole = this.#isBroken ? this.#parts.pace.expect(this.#text) : this.#made - this.#wasted;
    const played = fraction * this.#made;
    // The person knows the longer one of two attempts that broke off.
    const heard = this.#isBroken
      ? Math.max(Math.min(played, this.#wasted), played - this.#wasted)
      : played - this.#wasted;
    const share = Math.max(0, heard / Math.max(1, whole));
    return this.#isBroken ? Math.min(share, 0.99) : share;
  }

  async #try(): Promise<Error | null> {
    const before = this.#made;
    const most = RUNAWAY_FACTOR * USUAL_PACE * this.#text.length + RUNAWAY_SAMPLES;
    try {
      for await (const samples of this.#utterance.pieces()) {
        this.#made += samples.length;
        if (this.#made - before > most) throw new RunawayError();
        this.#parts.add(samples);
      }
      if (!this.#isStopped) this.#parts.pace.learn(this.#text, this.#made - before);
      return null;
    } catch (error) {
      this.#utterance.stop();
      return toError(error);
    }
  }
}
