import { toError } from "#src/kernel/errors.ts";
import type { Heard, Line, Spoken } from "#src/media/line.ts";
import type { MediaEvent } from "./media-worker/media-call.ts";
import type { Recogniser, SpeechEvent, SpeechStream, Synthesiser } from "./speech-ports.ts";

/** Keys that are pressed within this time of each other belong together. Call time. */
const BETWEEN_DIGITS_MS = 2_000;
const MAX_DIGITS = 64;

/** The media of one call, wherever it runs. */
export interface MediaHandle {
  begin(id: number): void;
  add(id: number, samples: Int16Array): void;
  complete(id: number): void;
  clear(): void;
  hearWords(event: SpeechEvent): void;
  sendDigits(digits: string): void;
  close(): void;
}

/** What a line speaks and hears with. */
export interface VoiceParts {
  media: MediaHandle;
  recogniser: Recogniser;
  synthesiser: Synthesiser;
  /** BCP 47. */
  language: string;
  voiceId: string | null;
  hints: string[];
  /** A recogniser or synthesiser has failed for good. */
  onFault: (code: string, message: string) => void;
}

interface Waiting {
  resolve(heard: Heard): void;
  cleanUp(): void;
}

/**
 * A line of real audio: what is said is synthesised and played, what is heard comes as whole turns. It resolves with
 * what was really played, and by the call's own clock.
 */
export class VoiceLine implements Line {
  readonly #parts: VoiceParts;
  readonly #speech: SpeechStream;
  readonly #heard: Heard[] = [];
  readonly #played = new Map<number, (played: MediaEvent & { kind: "PLAYED" }) => void>();
  #waiting: Waiting | undefined;
  #digits: { text: string; startMs: number; timer: NodeJS.Timeout | undefined } | undefined;
  #closed: (MediaEvent & { kind: "CLOSED" }) | undefined;
  #clockMs = 0;
  #clockAt = performance.now();
  #utterances = 0;
  #isSpeechLost = false;
  /** The words of the last turn. */
  #last = { text: "", isFinal: true };
  #onConfirmed: (() => void) | undefined;

  constructor(parts: VoiceParts) {
    this.#parts = parts;
    this.#speech = parts.recogniser.open({
      language: parts.language,
      hints: parts.hints,
      expected: null,
      onEvent: (event) => {
        if (event.kind === "FAILED") {
          this.#isSpeechLost = true;
          parts.onFault(event.code, event.message);
        }
        parts.media.hearWords(event);
      },
    });
  }

  /** True when nothing that is said can be understood any more. */
  get isSpeechLost(): boolean {
    return this.#isSpeechLost;
  }

  /** Takes what the media tells. */
  onEvent(event: MediaEvent): void {
    switch (event.kind) {
      case "AUDIO":
        return this.#speech.write(event.samples);
      case "FLUSH":
        return this.#speech.flush();
      case "CLOCK":
        return this.#setClock(event.atMs);
      case "SPEECH_STARTED":
        return;
      case "TURN":
        this.#setClock(event.endMs + event.endpointingMs);
        this.#last = { text: event.text, isFinal: event.isFinal };
        return this.#give({ kind: "SPEECH", text: event.text, startMs: event.startMs, endMs: event.endMs });
      case "CONFIRMED":
        this.#last = { text: event.text, isFinal: true };
        return this.#onConfirmed?.();
      case "DIGIT":
        return this.#hearDigit(event.digit, event.atMs);
      case "PLAYED":
        this.#setClock(event.endMs);
        return this.#played.get(event.id)?.(event);
      case "CLOSED":
        return this.#close(event);
    }
  }

  elapsedMs(): number {
    return this.#clockMs + (this.#closed ? 0 : performance.now() - this.#clockAt);
  }

  async say(text: string, signal: AbortSignal): Promise<Spoken> {
    const startMs = this.elapsedMs();
    const unsaid = { heard: "", startMs, endMs: startMs, interrupted: true, hungUp: this.#wasHungUp() };
    if (this.#closed || signal.aborted) return unsaid;
    const id = ++this.#utterances;
    const { promise, resolve } = Promise.withResolvers<MediaEvent & { kind: "PLAYED" }>();
    this.#played.set(id, resolve);
    const stop = new AbortController();
    const onAbort = () => this.#parts.media.clear();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      this.#parts.media.begin(id);
      void this.#synthesise(id, text, AbortSignal.any([signal, stop.signal]));
      const played = await promise;
      const heard = played.fraction >= 1 ? text : cutText(text, played.fraction);
      const hungUp = this.#wasHungUp();
      return { heard, startMs: played.startMs, endMs: played.endMs, interrupted: played.cut, hungUp };
    } finally {
      stop.abort();
      this.#played.delete(id);
      signal.removeEventListener("abort", onAbort);
    }
  }

  listen(timeoutMs: number, signal: AbortSignal, wake?: AbortSignal): Promise<Heard> {
    const ready = this.#heard.shift() ?? this.#ended();
    if (ready) return Promise.resolve(ready);
    return new Promise((resolve) => {
      const silence = () => this.#settle({ kind: "SILENCE", endMs: this.elapsedMs() });
      const timer = setTimeout(silence, timeoutMs);
      for (const one of [signal, wake]) one?.addEventListener("abort", silence, { once: true });
      const cleanUp = () => {
        clearTimeout(timer);
        for (const one of [signal, wake]) one?.removeEventListener("abort", silence);
      };
      this.#waiting = { resolve, cleanUp };
      if (signal.aborted || wake?.aborted) silence();
    });
  }

  async confirm(timeoutMs: number, signal: AbortSignal): Promise<string | null> {
    if (!this.#last.isFinal && !this.#closed && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        this.#onConfirmed = () => {
          clearTimeout(timer);
          resolve();
        };
        signal.addEventListener("abort", () => this.#onConfirmed?.(), { once: true });
      });
      this.#onConfirmed = undefined;
    }
    return this.#last.isFinal ? this.#last.text : null;
  }

  async sendDigits(digits: string): Promise<void> {
    this.#parts.media.sendDigits(digits);
  }

  async hangUp(): Promise<void> {
    this.#speech.close();
    this.#parts.media.close();
  }

  async #synthesise(id: number, text: string, signal: AbortSignal): Promise<void> {
    const { media, synthesiser, language, voiceId, onFault } = this.#parts;
    try {
      for await (const samples of synthesiser.speak(text, { language, voiceId }, signal)) media.add(id, samples);
    } catch (error) {
      if (!signal.aborted) onFault("SPEECH_FAILED", toError(error).message);
    }
    media.complete(id);
  }

  #setClock(atMs: number): void {
    this.#clockMs = Math.max(this.#clockMs, atMs);
    this.#clockAt = performance.now();
  }

  /** Keys come one at a time; a pause or # ends what belongs together. */
  #hearDigit(digit: string, atMs: number): void {
    this.#digits ??= { text: "", startMs: atMs, timer: undefined };
    this.#digits.text += digit;
    clearTimeout(this.#digits.timer);
    if (digit === "#" || this.#digits.text.length >= MAX_DIGITS) return this.#giveDigits();
    this.#digits.timer = setTimeout(() => this.#giveDigits(), BETWEEN_DIGITS_MS);
  }

  #giveDigits(): void {
    if (!this.#digits) return;
    const { text: digits, startMs, timer } = this.#digits;
    clearTimeout(timer);
    this.#digits = undefined;
    this.#give({ kind: "DIGITS", digits, startMs, endMs: this.elapsedMs() });
  }

  #give(heard: Heard): void {
    if (this.#waiting) this.#settle(heard);
    else this.#heard.push(heard);
  }

  #settle(heard: Heard): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.cleanUp();
    waiting?.resolve(heard);
  }

  #close(event: MediaEvent & { kind: "CLOSED" }): void {
    this.#setClock(event.atMs);
    this.#closed = event;
    this.#speech.close();
    clearTimeout(this.#digits?.timer);
    const ended = this.#ended();
    if (ended && this.#waiting) this.#settle(ended);
  }

  #wasHungUp(): boolean {
    return this.#closed?.by === "REMOTE";
  }

  #ended(): Heard | undefined {
    if (!this.#closed) return undefined;
    return { kind: this.#closed.by === "REMOTE" ? "HUNG_UP" : "DROPPED", endMs: this.#closed.atMs };
  }
}

/** The words that were played whole. */
function cutText(text: string, fraction: number): string {
  const end = Math.floor(text.length * Math.max(0, fraction));
  const lastSpace = text.lastIndexOf(" ", end);
  return text.slice(0, Math.max(0, lastSpace));
}
