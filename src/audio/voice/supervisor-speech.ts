import { decodeMuLaw } from "#src/audio/codec/mu-law.ts";
import { powerOf } from "#src/audio/codec/power.ts";
import type { SpeechEvent } from "#src/audio/stt/stt.ts";
import { SpeechInput, type SpeechInputParts } from "./speech-input.ts";

/** Mean square above which a frame holds speech (rms 150 of 32,767). */
const LOUD = 150 ** 2;
/** Pause that ends an utterance of a supervisor. */
const PAUSE_MS = 700;
/** Longest wait for the last words once the supervisor is done. */
const LAST_WORDS_MS = 2_000;

/** Words that a supervisor said to the person, in milliseconds of call time. */
export interface SupervisorWords {
  text: string;
  startMs: number;
  endMs: number;
}

/** Dependencies of transcribing a supervisor. */
export interface SupervisorSpeechParts extends SpeechInputParts {
  /** Returns the call time in milliseconds. */
  elapsedMs(): number;
  onWords(words: SupervisorWords): void;
  /** Called once with the seconds transcribed, for billing. */
  onClosed(seconds: number): void;
}

/** Speech of a supervisor who took a call over, streamed to the call's STT beside the person's. */
export class SupervisorSpeech {
  readonly #parts: SupervisorSpeechParts;
  readonly #input: SpeechInput;
  /** Final words of the utterance that is not ended yet. */
  #text: string[] = [];
  #startMs: number | null = null;
  #endMs = 0;
  #pause: NodeJS.Timeout | undefined;
  #isFlushed = false;
  #answered = Promise.withResolvers<void>();
  #isClosed = false;

  constructor(parts: SupervisorSpeechParts) {
    this.#parts = parts;
    this.#input = new SpeechInput(parts, (event) => this.#take(event));
  }

  /** Takes a frame of mu-law at 8 kHz. */
  write(frame: Uint8Array): void {
    if (this.#isClosed) return;
    const samples = decodeMuLaw(frame);
    this.#input.write(samples);
    if (powerOf(samples) <= LOUD) return;
    this.#endMs = this.#parts.elapsedMs();
    this.#startMs ??= this.#endMs;
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => this.#flush(), PAUSE_MS);
  }

  /** Waits at most two seconds for the last words, then ends the stream. Never rejects. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    clearTimeout(this.#pause);
    if (this.#startMs !== null) {
      if (!this.#isFlushed) this.#flush();
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, LAST_WORDS_MS);
      await Promise.race([this.#answered.promise, late.promise]);
      clearTimeout(timer);
    }
    this.#end();
  }

  #flush(): void {
    this.#isFlushed = true;
    this.#answered = Promise.withResolvers<void>();
    this.#input.flush();
  }

  #take(event: SpeechEvent): void {
    if (event.kind === "PARTIAL" || this.#isClosed) return;
    if (event.kind === "FINAL") {
      const text = event.text.trim();
      if (text !== "") this.#text.push(text);
    }
    if (event.kind === "FAILED") return this.#end();
    if (this.#isFlushed) this.#emit();
  }

  #emit(): void {
    const text = this.#text.join(" ");
    const startMs = this.#startMs ?? this.#endMs;
    this.#text = [];
    this.#startMs = null;
    this.#isFlushed = false;
    if (text !== "") this.#parts.onWords({ text, startMs, endMs: Math.max(startMs, this.#endMs) });
    this.#answered.resolve();
  }

  #end(): void {
    if (this.#isClosed) return;
    this.#emit();
    this.#isClosed = true;
    clearTimeout(this.#pause);
    this.#input.close();
    this.#parts.onClosed(this.#input.seconds);
  }
}
