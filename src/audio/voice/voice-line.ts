import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import type { Heard, Line, Spoken, SpokenLatency } from "#src/audio/line/line.ts";
import type { Stt, SpeechEvent, SpeechStream } from "#src/audio/stt/stt.ts";
import type { Tts } from "#src/audio/tts/tts.ts";
import { makeFarewell } from "#src/audio/worker/comfort-tone.ts";
import type { MediaEvent } from "#src/audio/worker/media-call.ts";
import { AmdVerdicts } from "./amd-verdicts.ts";
import { AnswerClock } from "./answer-clock.ts";
import { Pace, Saying } from "./saying.ts";
import { transferOnHold } from "./transfer-on-hold.ts";
import { Utterance } from "./utterance.ts";

/** Longest call time between keys that belong together. */
const BETWEEN_DIGITS_MS = 2_000;
const MAX_DIGITS = 64;
/** Most characters of one result: no person's turn is longer, so more is a fault of STT. */
const MAX_WORDS_CHARACTERS = 4_000;
/** Longest time from the end of speech to the end of its turn (endpointing waits 1.5 s at most). */
const WORDS_MS = 1_800;
const LONGEST_TURN_MS = 60_000;

/** Media of one call, in this thread or another. */
export interface MediaHandle {
  begin(id: number): void;
  add(id: number, samples: Int16Array): void;
  complete(id: number): void;
  clear(): void;
  hearWords(event: SpeechEvent): void;
  sendDigits(digits: string): void;
  hold(sound: Int16Array | null): void;
  setCallerWaitingSince(sinceMs: number | null): void;
  close(): void;
}

/** Dependencies of a line. */
export interface VoiceParts {
  media: MediaHandle;
  stt: Stt;
  tts: Tts;
  /** BCP 47. */
  language: string;
  voiceId: string | null;
  hints: string[];
  /** Transfers the call, where the carrier can; the person is on hold meanwhile. */
  transfer?: Line["transfer"] | undefined;
  /** Fetches a hold sound, at 8 kHz; null when it is unavailable. Never rejects. */
  loadHoldSound?: (url: string) => Promise<Int16Array | null>;
  /** Called when an answer was heard, with its latency. */
  onAnswered?: (latency: SpokenLatency) => void;
  /** Called when STT or TTS failed. */
  onFault: (code: string, message: string) => void;
}

interface Waiting {
  resolve(heard: Heard): void;
  cleanUp(): void;
  /** Call time at which the wait ends. */
  untilMs: number;
  /** Silence after the person's speech that ends the wait, even before their words arrive; null: words decide. */
  quietMs: number | null;
}

/**
 * A line of real audio: `say` synthesises and plays a text, `listen` returns whole turns. Results state what was really
 * played, by the call's own clock.
 */
export class VoiceLine implements Line {
  readonly #parts: VoiceParts;
  readonly #speech: SpeechStream;
  readonly #heard: Heard[] = [];
  readonly #played = new Map<number, (played: MediaEvent & { kind: "PLAYED" }) => void>();
  readonly #answerClock = new AnswerClock();
  readonly isLive = true;
  /** Results of the answering machine detection (AMD). */
  readonly answers = new AmdVerdicts();
  #waiting: Waiting | undefined;
  #digits: { text: string; startMs: number; endMs: number; timer: NodeJS.Timeout | undefined } | undefined;
  #closed: (MediaEvent & { kind: "CLOSED" }) | undefined;
  #clockMs = 0;
  #clockAt = performance.now();
  #utterances = 0;
  /** The next utterance, which is being synthesised already. */
  #prepared: Utterance | undefined;
  #fault: { code: string; message: string } | null = null;
  readonly #pace = new Pace();
  /** Call time at which the person's last speech ended; null while they speak. */
  #speechEndedMs: number | null = Number.NEGATIVE_INFINITY;
  /** Greetings at the pick-up whose words arrived when we were already speaking. */
  #greetings: NonNullable<Spoken["greetings"]> = [];
  #firstSoundMs = Number.POSITIVE_INFINITY;
  /** The words of the last turn. */
  #last = { text: "", isFinal: true, startMs: 0, endMs: 0 };
  #onConfirmed: (() => void) | undefined;

  /** Aborts when the line is closed. */
  readonly #gone = new AbortController();
  readonly transfer?: NonNullable<Line["transfer"]>;
  /** Seconds of speech synthesised and transcribed, for billing. */
  readonly used = { speechSeconds: 0, transcriptionSeconds: 0 };

  constructor(parts: VoiceParts) {
    this.#parts = parts;
    const { transfer } = parts;
    if (transfer) {
      this.transfer = (order, signal) => {
        this.#answerClock.forget();
        return transferOnHold({ ...parts, transfer, gone: this.#gone.signal }, order, signal);
      };
    }
    this.#speech = parts.stt.open({
      language: parts.language,
      hints: parts.hints,
      expected: null,
      onEvent: (event) => this.#hearWords(event),
    });
    // A person who picks up waits for us.
    parts.media.setCallerWaitingSince(0);
  }

  /** Set when speech can no longer be understood, or no longer be synthesised. */
  get fault(): { code: string; message: string } | null {
    return this.#fault;
  }

  /** Takes an event of the call's media. */
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
        this.#last = { text: event.text, isFinal: event.isFinal, startMs: event.startMs, endMs: event.endMs };
        return this.#takeTurn(event);
      case "GREETING":
        return void this.#greetings.push({ text: event.text, startMs: event.startMs, endMs: event.endMs });
      case "CONFIRMED":
        return this.#confirm(event.text);
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
    const asked = this.#answerClock.ask();
    const saying = new Saying(text, this.#takePrepared(text), {
      make: () => this.#makeUtterance(text),
      add: (samples) => {
        asked?.hearFirst();
        this.used.speechSeconds += samples.length / VOICE_RATE_HZ;
        this.#parts.media.add(id, samples);
      },
      onFault: ({ message }) => this.#parts.onFault("TEXT_TO_SPEECH_FAILED", message),
      pace: this.#pace,
    });
    const id = ++this.#utterances;
    const ended = this.#begin(id, signal);
    void saying.play().then((error) => {
      if (error) this.#fault ??= { code: "TEXT_TO_SPEECH_FAILED", message: error.message };
      this.#parts.media.complete(id);
    });
    const played = await ended;
    saying.stop();
    const hasSounded = played.endMs > played.startMs;
    if (hasSounded) this.#firstSoundMs = Math.min(this.#firstSoundMs, played.startMs);
    const share = hasSounded ? saying.shareOf(played.fraction) : 0;
    const heard = share >= 1 ? text : cutText(text, share);
    const latency = hasSounded ? asked?.measure(played.startMs) : undefined;
    if (latency) this.#parts.onAnswered?.(latency);
    const { startMs: soundedMs, endMs, cut: interrupted } = played;
    const times = { startMs: soundedMs, endMs, interrupted, hungUp: this.#wasHungUp() };
    const greetings = this.#greetings.splice(0);
    return { heard, ...times, ...(latency ? { latency } : {}), ...(greetings.length > 0 ? { greetings } : {}) };
  }

  async signOff(signal: AbortSignal): Promise<void> {
    if (this.#closed || signal.aborted) return;
    const id = ++this.#utterances;
    const ended = this.#begin(id, signal);
    this.#parts.media.add(id, makeFarewell());
    this.#parts.media.complete(id);
    await ended;
  }

  setCallerWaitingSince(sinceMs: number | null): void {
    this.#parts.media.setCallerWaitingSince(sinceMs);
  }

  prepare(text: string): void {
    this.#prepared?.stop();
    this.#prepared = this.#closed ? undefined : this.#makeUtterance(text);
  }

  expect(schema: Record<string, unknown> | null): void {
    this.#speech.expect?.(schema);
  }

  listen(timeoutMs: number, signal: AbortSignal, wake?: AbortSignal, quietMs?: number): Promise<Heard> {
    const ready = this.#heard.shift() ?? this.#ended();
    if (ready) return Promise.resolve(ready);
    return new Promise((resolve) => {
      const silence = () => this.#settle({ kind: "SILENCE", endMs: this.elapsedMs() });
      // Time passes with the samples; the wall clock only counts when none arrive any more.
      const timer = setTimeout(silence, 2 * timeoutMs + LONGEST_TURN_MS);
      for (const one of [signal, wake]) one?.addEventListener("abort", silence, { once: true });
      const cleanUp = () => {
        clearTimeout(timer);
        for (const one of [signal, wake]) one?.removeEventListener("abort", silence);
      };
      this.#waiting = { resolve, cleanUp, untilMs: this.elapsedMs() + timeoutMs, quietMs: quietMs ?? null };
      if (signal.aborted || wake?.aborted) silence();
    });
  }

  /**
   * Ends a wait with SILENCE once it is over. Speech that began in time is heard to its end; noise ends the wait no
   * later than a turn would.
   */
  #endSilence(): void {
    if (!this.#waiting) return;
    const { quietMs } = this.#waiting;
    const hasSpoken = this.#speechEndedMs !== Number.NEGATIVE_INFINITY;
    if (this.#clockMs < this.#waiting.untilMs && (quietMs === null || !hasSpoken)) return;
    const isHearing = this.#speechEndedMs === null || this.#clockMs < this.#speechEndedMs + (quietMs ?? WORDS_MS);
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

  #makeUtterance(text: string): Utterance {
    const { tts, language, voiceId } = this.#parts;
    return new Utterance(text, tts, { language, voiceId });
  }

  /** Returns the prepared utterance when its text is the one to say, else a new one. */
  #takePrepared(text: string): Utterance {
    const prepared = this.#prepared;
    this.#prepared = undefined;
    if (prepared?.text === text) return prepared;
    prepared?.stop();
    return this.#makeUtterance(text);
  }

  /** Begins an utterance; resolves once it was played or dropped. */
  async #begin(id: number, signal: AbortSignal): Promise<MediaEvent & { kind: "PLAYED" }> {
    const { media } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<MediaEvent & { kind: "PLAYED" }>();
    this.#played.set(id, resolve);
    const onAbort = () => media.clear();
    signal.addEventListener("abort", onAbort, { once: true });
    media.begin(id);
    try {
      return await promise;
    } finally {
      this.#played.delete(id);
      signal.removeEventListener("abort", onAbort);
    }
  }

  #hearWords(event: SpeechEvent): void {
    const { media, onFault } = this.#parts;
    if (event.kind !== "FAILED") {
      const text = event.text.slice(0, MAX_WORDS_CHARACTERS);
      return media.hearWords({ ...event, text });
    }
    this.#fault ??= { code: "SPEECH_TO_TEXT_FAILED", message: event.message };
    onFault(event.code, event.message);
    media.hearWords(event);
    // Nothing said from now on would be understood.
    this.#settle({ kind: "SILENCE", endMs: this.elapsedMs() });
  }

  /** Takes a turn. A greeting before our first words is answered by them, and needs no other answer. */
  #takeTurn(event: MediaEvent & { kind: "TURN" }): void {
    const { text, isGreeting, startMs, endMs } = event;
    if (isGreeting && this.#utterances > 0 && endMs <= this.#firstSoundMs) {
      this.#greetings.push({ text, startMs, endMs });
      return;
    }
    this.#answerClock.endTurn(event);
    this.#give({ kind: "SPEECH", text, startMs, endMs, ...(isGreeting ? { isGreeting } : {}) });
  }

  /** Takes final words. When their turn had counted as one without words, they are returned as speech. */
  #confirm(text: string): void {
    const { text: before, startMs, endMs } = this.#last;
    this.#last = { text, isFinal: true, startMs, endMs };
    this.#onConfirmed?.();
    if (before === "" && text !== "") this.#give({ kind: "SPEECH", text, startMs, endMs });
  }

  #setClock(atMs: number): void {
    this.#clockMs = Math.max(this.#clockMs, atMs);
    this.#clockAt = performance.now();
  }

  /** Collects keys, which come one at a time; a pause or # ends a group. */
  #hearDigit(digit: string, atMs: number): void {
    this.#digits ??= { text: "", startMs: atMs, endMs: atMs, timer: undefined };
    this.#digits.text += digit;
    this.#digits.endMs = atMs;
    clearTimeout(this.#digits.timer);
    if (digit === "#" || this.#digits.text.length >= MAX_DIGITS) return this.#giveDigits();
    this.#digits.timer = setTimeout(() => this.#giveDigits(), BETWEEN_DIGITS_MS);
  }

  #giveDigits(): void {
    if (!this.#digits) return;
    const { text: digits, startMs, endMs, timer } = this.#digits;
    clearTimeout(timer);
    this.#digits = undefined;
    this.#give({ kind: "DIGITS", digits, startMs, endMs });
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

/** Returns the words that were played whole. */
function cutText(text: string, fraction: number): string {
  const end = Math.floor(text.length * Math.max(0, fraction));
  const lastSpace = text.lastIndexOf(" ", end);
  return text.slice(0, Math.max(0, lastSpace));
}
