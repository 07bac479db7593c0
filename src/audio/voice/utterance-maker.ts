import type { Tts, VoiceOptions } from "#src/audio/tts/tts.ts";
import { Utterance } from "./utterance.ts";

/** Makes the utterances of a line, the next one ahead of time. */
export class UtteranceMaker {
  readonly #tts: Tts;
  readonly #options: VoiceOptions;
  /** The next utterance, which is being synthesised already. */
  #prepared: Utterance | undefined;

  constructor(tts: Tts, { language, voiceId }: VoiceOptions) {
    this.#tts = tts;
    this.#options = { language, voiceId };
  }

  /** Begins to synthesise a text. */
  make(text: string): Utterance {
    return new Utterance(text, this.#tts, this.#options);
  }

  /** Begins to synthesise the text that is said next. */
  prepare(text: string): void {
    this.#prepared?.stop();
    this.#prepared = this.make(text);
  }

  /** Returns the prepared utterance when its text is the one to say, else a new one. */
  take(text: string): Utterance {
    const prepared = this.#prepared;
    this.#prepared = undefined;
    if (prepared?.text === text) return prepared;
    prepared?.stop();
    return this.make(text);
  }

  /** Stops the synthesis of the prepared utterance. */
  stop(): void {
    this.#prepared?.stop();
  }
}
