import type { Tts, VoiceOptions } from "#src/audio/tts/tts.ts";
import { Notifier } from "#src/platform/kernel/async.ts";
import { toError } from "#src/platform/kernel/errors.ts";

const LONGEST_WAIT_MS = 60_000;

/** One text and its audio, which is synthesised as soon as this exists, even if nothing consumes it yet. */
export class Utterance {
  readonly text: string;
  readonly #stop = new AbortController();
  readonly #pieces: Int16Array[] = [];
  readonly #more = new Notifier();
  #isMade = false;
  #error: Error | null = null;

  constructor(text: string, tts: Tts, options: VoiceOptions) {
    this.text = text;
    void this.#make(tts, options);
  }

  /** Yields the pieces as they arrive. Throws when TTS failed; ends early when it was stopped. */
  async *pieces(): AsyncGenerator<Int16Array> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece) yield piece;
      else if (this.#error) throw this.#error;
      else if (this.#isMade || this.#stop.signal.aborted) return;
      else await this.#more.wait(LONGEST_WAIT_MS);
    }
  }

  /** Stops the synthesis. */
  stop(): void {
    this.#stop.abort();
    this.#more.notify();
  }

  async #make(tts: Tts, options: VoiceOptions): Promise<void> {
    const { signal } = this.#stop;
    try {
      for await (const piece of tts.speak(this.text, options, signal)) {
        if (signal.aborted) break;
        this.#pieces.push(piece);
        this.#more.notify();
      }
      this.#isMade = true;
    } catch (error) {
      if (!signal.aborted) this.#error = toError(error);
    }
    this.#more.notify();
  }
}
