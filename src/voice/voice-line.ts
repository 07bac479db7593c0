import { toError } from "#src/kernel/errors.ts";
import { HOLD_CHIME } from "#src/media/hold-sound.ts";
import type { Heard, Line, Spoken, SpokenLatency, TransferOrder, TransferResult } from "#src/media/line.ts";
import { AnswerClock } from "./answer-clock.ts";
import { AnswerFindings } from "./answer-findings.ts";
import type { MediaEvent } from "./media-worker/media-call.ts";
import {
  type Recogniser,
  type SpeechEvent,
  type SpeechStream,
  type Synthesiser,
  VOICE_RATE_HZ,
} from "./speech-ports.ts";
import { Utterance } from "./utterance.ts";

/** Keys that are pressed within this time of each other belong together. Call time. */
const BETWEEN_DIGITS_MS = 2_000;
const MAX_DIGITS = 64;
/** Utterances in a row of which nothing could be said, after which nobody waits for another. */
const MAX_MUTES = 2;
/** A turn ends at the latest so long after the last of its speech (endpointing waits 1.5 s at most). */
const WORDS_MS = 1_800;
const LONGEST_TURN_MS = 60_000;

/** The media of one call, wherever it runs. */
export interface MediaHandle {
  begin(id: number): void;
  add(id: number, samples: Int16Array): void;
  complete(id: number): void;
  clear(): void;
  hearWords(event: SpeechEvent): void;
  sendDigits(digits: string): void;
  hold(sound: Int16Array | null): void;
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
  /** Hands the call over, where the carrier can; the person is on hold meanwhile. */
  transfer?: Line["transfer"] | undefined;
  /** Fetches a sound of hold, at 8 kHz; null when that cannot be had. Never rejects. */
  loadHoldSound?: (url: string) => Promise<Int16Array | null>;
  /** An answer was heard after so long a wait. */
  onAnswered?: (latency: SpokenLatency) => void;
  /** A recogniser or synthesiser has failed. */
  onFault: (code: string, message: string) => void;
}

interface Waiting {
  resolve(heard: Heard): void;
  cleanUp(): void;
  /** Call time at which nobody waits any longer. */
  untilMs: number;
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
  readonly #answerClock = new AnswerClock();
  readonly isLive = true;
  /** What is found out about who answered. */
  readonly answers = new AnswerFindings();
  #waiting: Waiting | undefined;
  #digits: { text: string; startMs: number; timer: NodeJS.Timeout | undefined } | undefined;
  #closed: (MediaEvent & { kind: "CLOSED" }) | undefined;
  #clockMs = 0;
  #clockAt = performance.now();
  #utterances = 0;
  /** The next utterance, whose sound is being made already. */
  #prepared: Utterance | undefined;
  #fault: { code: string; message: string } | null = null;
  #mutes = 0;
  /** Call time at which the person's last speech ended; null while they speak. */
  #speechEndedMs: number | null = Number.NEGATIVE_INFINITY;
  /** The words of the last turn. */
  #last = { text: "", isFinal: true };
  #onConfirmed: (() => void) | undefined;

  /** Aborts when the line is closed. */
  readonly #gone = new AbortController();
  readonly transfer?: NonNullable<Line["transfer"]>;
  /** Seconds of speech that were made and heard, for the bill. */
  readonly used = { speechSeconds: 0, transcriptionSeconds: 0 };

  constructor(parts: VoiceParts) {
    this.#parts = parts;
    const { transfer } = parts;
    if (transfer) this.transfer = (order, signal) => this.#handOver(transfer, order, signal);
    this.#speech = parts.recogniser.open({
      language: parts.language,
      hints: parts.hints,
      expected: null,
      onEvent: (event) => {
        if (event.kind === "FAILED") {
          this.#fault ??= { code: "SPEECH_TO_TEXT_FAILED", message: event.message };
          parts.onFault(event.code, event.message);
        }
        parts.media.hearWords(event);
      },
    });
  }

  /** Set when nothing that is said is understood any more, or nothing can be said. */
  get fault(): { code: string; message: string } | null {
    return this.#fault;
  }

  /** Takes what the media tells. */
  onEvent(event: MediaEvent): void {
    switch (event.kind) {
      case "AUDIO":
        this.#setClock(event.atMs);
        this.#endSilence();
        this.used.transcriptionSeconds += event.samples.length / VOICE_RATE_HZ;
        return this.#speech.write(event.samples);
      case "FLUSH":
        this.#speechEndedMs = this.#clockMs;
        return this.#speech.flush();
      case "ANSWER":
        return this.answers.take(event.event);
      case "SPEECH_STARTED":
        this.#speechEndedMs = null;
        return;
      case "TURN":
        this.#setClock(event.endMs + event.endpointingMs - event.heldMs);
        this.#last = { text: event.text, isFinal: event.isFinal };
        this.#answerClock.endTurn(event);
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
    const asked = this.#answerClock.ask();
    const utterance = this.#takePrepared(text);
    const onAbort = () => this.#parts.media.clear();
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      this.#parts.media.begin(id);
      void this.#play(id, utterance, asked);
      const played = await promise;
      const hasSounded = played.endMs > played.startMs;
      const heard = played.fraction >= 1 && hasSounded ? text : cutText(text, hasSounded ? played.fraction : 0);
      const latency = hasSounded ? asked?.measure(played.startMs) : undefined;
      if (latency) this.#parts.onAnswered?.(latency);
      const { startMs, endMs, cut: interrupted } = played;
      return { heard, startMs, endMs, interrupted, hungUp: this.#wasHungUp(), ...(latency ? { latency } : {}) };
    } finally {
      utterance.stop();
      this.#played.delete(id);
      signal.removeEventListener("abort", onAbort);
    }
  }

  prepare(text: string): void {
    this.#prepared?.stop();
    this.#prepared = this.#closed ? undefined : this.#makeUtterance(text);
  }

  expect(schema: Record<string, unknown> | null): void {
    this.#speech.expect?.(schema);
  }

  listen(timeoutMs: number, signal: AbortSignal, wake?: AbortSignal): Promise<Heard> {
    const ready = this.#heard.shift() ?? this.#ended();
    if (ready) return Promise.resolve(ready);
    return new Promise((resolve) => {
      const silence = () => this.#settle({ kind: "SILENCE", endMs: this.elapsedMs() });
      // Time passes with the samples; the wall's clock is asked only when none come any more.
      const timer = setTimeout(silence, 2 * timeoutMs + LONGEST_TURN_MS);
      for (const one of [signal, wake]) one?.addEventListener("abort", silence, { once: true });
      const cleanUp = () => {
        clearTimeout(timer);
        for (const one of [signal, wake]) one?.removeEventListener("abort", silence);
      };
      this.#waiting = { resolve, cleanUp, untilMs: this.elapsedMs() + timeoutMs };
      if (signal.aborted || wake?.aborted) silence();
    });
  }

  /** Speech that began in time is heard to its end; what is noise ends no later than a turn would. */
  #endSilence(): void {
    if (!this.#waiting || this.#clockMs < this.#waiting.untilMs) return;
    const isHearing = this.#speechEndedMs === null || this.#clockMs < this.#speechEndedMs + WORDS_MS;
    if (isHearing && this.#clockMs < this.#waiting.untilMs + LONGEST_TURN_MS) return;
    this.#settle({ kind: "SILENCE", endMs: this.#clockMs });
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
    this.#prepared?.stop();
    this.#speech.close();
    this.#parts.media.close();
  }

  /** The person is on hold while it is tried, and back when it has failed. */
  async #handOver(
    transfer: NonNullable<Line["transfer"]>,
    order: TransferOrder,
    signal: AbortSignal,
  ): Promise<TransferResult> {
    if (this.#closed) return { kind: "HUNG_UP" };
    const { media, loadHoldSound } = this.#parts;
    const isOver = new AbortController();
    const either = AbortSignal.any([signal, this.#gone.signal]);
    this.#answerClock.forget();
    media.hold(HOLD_CHIME);
    if (order.holdAudioUrl !== null && loadHoldSound) {
      void loadHoldSound(order.holdAudioUrl).then((sound) => {
        if (sound && !isOver.signal.aborted) media.hold(sound);
      });
    }
    try {
      const result = await transfer(order, either);
      if (result.kind === "FAILED" && this.#gone.signal.aborted) return { kind: "HUNG_UP" };
      if (result.kind === "FAILED") media.hold(null);
      return result;
    } catch (error) {
      media.hold(null);
      throw error;
    } finally {
      isOver.abort();
    }
  }

  #makeUtterance(text: string): Utterance {
    const { synthesiser, language, voiceId } = this.#parts;
    return new Utterance(text, synthesiser, { language, voiceId });
  }

  /** What was made beforehand is of use only when it is what is said. */
  #takePrepared(text: string): Utterance {
    const prepared = this.#prepared;
    this.#prepared = undefined;
    if (prepared?.text === text) return prepared;
    prepared?.stop();
    return this.#makeUtterance(text);
  }

  async #play(id: number, utterance: Utterance, asked: ReturnType<AnswerClock["ask"]>): Promise<void> {
    const { media, onFault } = this.#parts;
    try {
      for await (const samples of utterance.pieces()) {
        asked?.hearFirst();
        this.used.speechSeconds += samples.length / VOICE_RATE_HZ;
        this.#mutes = 0;
        media.add(id, samples);
      }
    } catch (error) {
      const { message } = toError(error);
      onFault("TEXT_TO_SPEECH_FAILED", message);
      if (++this.#mutes >= MAX_MUTES) this.#fault ??= { code: "TEXT_TO_SPEECH_FAILED", message };
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
    this.#gone.abort();
    this.#prepared?.stop();
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
