import type { Heard, Line, Spoken } from "#src/audio/line/line.ts";
import type { SpeechEvent } from "#src/audio/stt/stt.ts";
import type { MediaEvent } from "#src/audio/worker/media-call.ts";
import { AmdVerdicts } from "./amd-verdicts.ts";
import { CallClock } from "./call-clock.ts";
import { DigitCollector } from "./digit-collector.ts";
import { LastTurn } from "./last-turn.ts";
import { LastWords } from "./last-words.ts";
import { LevelMeter } from "./level-meter.ts";
import { LineEnd } from "./line-end.ts";
import { ListenQueue } from "./listen-queue.ts";
import { SpeechInput, type SpeechInputParts } from "./speech-input.ts";
import { SpeechOutput, type SpeechOutputParts } from "./speech-output.ts";
import { SupervisorSpeech, type SupervisorWords } from "./supervisor-speech.ts";
import { transferOnHold } from "./transfer-on-hold.ts";

/** Dependencies of a line. */
export interface VoiceParts extends SpeechInputParts, SpeechOutputParts {
  /** Transfers the call, where the carrier can; the person is on hold meanwhile. */
  transfer?: Line["transfer"] | undefined;
  /** Fetches a hold sound, at 8 kHz; null when it is unavailable. Never rejects. */
  loadHoldSound?: (url: string) => Promise<Int16Array | null>;
}

/** Seconds of speech, for billing. */
interface LineUsage {
  readonly speechSeconds: number;
  readonly transcriptionSeconds: number;
}

/**
 * A line of real audio: `say` synthesises and plays a text, `listen` returns whole turns. Results state what was really
 * played, by the call's own clock.
 */
export class VoiceLine implements Line {
  readonly #parts: VoiceParts;
  readonly #clock = new CallClock();
  readonly #end = new LineEnd();
  readonly #input: SpeechInput;
  readonly #output: SpeechOutput;
  readonly #listening = new ListenQueue(this.#clock, () => this.#digits.isCollecting);
  readonly #digits = new DigitCollector((group) => this.#listening.give({ kind: "DIGITS", ...group }));
  readonly #lastTurn = new LastTurn();
  readonly #lastWords = new LastWords();
  /** Call time at which the person last began to speak. */
  #speechStartMs = 0;
  /** Speech of further legs of the call. */
  readonly #legs = { speechSeconds: 0, transcriptionSeconds: 0 };
  #fault: { code: string; message: string } | null = null;
  readonly isLive = true;
  /** Loudness of both sides, for those who watch the call. */
  readonly levels = new LevelMeter();
  /** Results of the answering machine detection (AMD). */
  readonly answers = new AmdVerdicts();
  readonly transfer?: NonNullable<Line["transfer"]>;

  constructor(parts: VoiceParts) {
    this.#parts = parts;
    const { transfer } = parts;
    if (transfer) {
      this.transfer = (order, signal) => {
        this.#output.forgetTurn();
        return transferOnHold({ ...parts, transfer, gone: this.#end.signal }, order, signal);
      };
    }
    this.#output = new SpeechOutput(parts, {
      clock: this.#clock,
      end: this.#end,
      onBroken: (message) => this.#break("TEXT_TO_SPEECH_FAILED", message),
    });
    this.#input = new SpeechInput(parts, (event) => this.#hearWords(event));
    // A person who picks up waits for us.
    parts.media.setCallerWaitingSince(0);
  }

  /** Set when speech can no longer be understood, or no longer be synthesised. */
  get fault(): { code: string; message: string } | null {
    return this.#fault;
  }

  get isHearing(): boolean {
    return this.#listening.isHearing;
  }

  /** Seconds of speech synthesised and transcribed on this line and the legs added to it, for billing. */
  get used(): LineUsage {
    return {
      speechSeconds: this.#output.seconds + this.#legs.speechSeconds,
      transcriptionSeconds: this.#input.seconds + this.#legs.transcriptionSeconds,
    };
  }

  /** Adds the speech of a further leg of the call, which is billed with it. */
  addLeg({ speechSeconds, transcriptionSeconds }: LineUsage): void {
    this.#legs.speechSeconds += speechSeconds;
    this.#legs.transcriptionSeconds += transcriptionSeconds;
  }

  /** Opens the transcription of a supervisor who speaks with the person; its seconds are billed with the call. */
  openSupervisorSpeech(onWords: (words: SupervisorWords) => void): SupervisorSpeech {
    const { stt, language, hints } = this.#parts;
    return new SupervisorSpeech({
      stt,
      language,
      hints,
      onWords,
      elapsedMs: () => this.elapsedMs(),
      onClosed: (transcriptionSeconds) => this.addLeg({ speechSeconds: 0, transcriptionSeconds }),
    });
  }

  /** Takes an event of the call's media. */
  onEvent(event: MediaEvent): void {
    switch (event.kind) {
      case "AUDIO":
        this.#clock.set(event.atMs);
        this.#listening.endSilence();
        this.levels.add(event.samples, event.saidPeak);
        return this.#input.write(event.samples);
      case "FLUSH":
        this.#listening.endSpeech();
        return this.#flush();
      case "ANSWER":
        return this.answers.take(event.event);
      case "SPEECH_STARTED":
        this.#speechStartMs = event.atMs;
        return this.#listening.startSpeech();
      case "TURN":
        return this.#takeTurn(event);
      case "GREETING":
        return this.#output.takeGreeting(event);
      case "CONFIRMED":
        return this.#confirm(event.text);
      case "DIGIT":
        return this.#digits.add(event.digit, event.atMs);
      case "PLAYED":
        this.#clock.set(event.endMs);
        return this.#output.takePlayed(event);
      case "CLOSED":
        return this.#close(event);
    }
  }

  elapsedMs(): number {
    return this.#clock.elapsedMs();
  }

  say(text: string, signal: AbortSignal): Promise<Spoken> {
    return this.#output.say(text, signal);
  }

  signOff(signal: AbortSignal): Promise<void> {
    return this.#output.signOff(signal);
  }

  setCallerWaitingSince(sinceMs: number | null): void {
    this.#parts.media.setCallerWaitingSince(sinceMs);
  }

  prepare(text: string): void {
    this.#output.prepare(text);
  }

  expect(schema: Record<string, unknown> | null): void {
    this.#input.expect(schema);
  }

  listen(timeoutMs: number, signal: AbortSignal, wake?: AbortSignal, quietMs?: number): Promise<Heard> {
    return this.#listening.listen(timeoutMs, signal, wake, quietMs);
  }

  async confirm(timeoutMs: number, signal: AbortSignal): Promise<string | null> {
    if (!this.#end.isClosed) await this.#lastTurn.waitUntilFinal(timeoutMs, signal);
    return this.#lastTurn.finalText;
  }

  async sendDigits(digits: string): Promise<void> {
    this.#parts.media.sendDigits(digits);
  }

  async hangUp(): Promise<void> {
    this.#output.stop();
    this.#input.close();
    this.#lastWords.stop();
    this.#parts.media.close();
  }

  #flush(): void {
    this.#lastWords.ask();
    this.#input.flush();
  }

  #hearWords(event: SpeechEvent): void {
    const { media, onFault } = this.#parts;
    if (this.#end.isClosed) return this.#hearLate(event);
    this.#lastWords.take(event);
    if (event.kind !== "FAILED") return media.hearWords(event);
    this.#break("SPEECH_TO_TEXT_FAILED", event.message);
    onFault(event.code, event.message);
    media.hearWords(event);
    // Nothing said from now on would be understood.
    this.#listening.interrupt();
  }

  #takeTurn(turn: MediaEvent & { kind: "TURN" }): void {
    const { text, isGreeting, startMs, endMs } = turn;
    this.#clock.set(endMs + turn.endpointingMs - turn.heldMs);
    this.#lastTurn.begin(turn);
    if (!this.#output.takeTurn(turn)) return;
    this.#listening.give({ kind: "SPEECH", text, startMs, endMs, ...(isGreeting ? { isGreeting } : {}) });
  }

  /** Hears a person who has left. The media is closed, so no turn would be made of their final words. */
  #hearLate(event: SpeechEvent): void {
    if (event.kind === "FINAL") this.#giveUnheard(this.#toLate(event.text));
    // After the words were given, because the line may end with them.
    this.#lastWords.take(event);
  }

  #toLate(text: string): ReturnType<LastTurn["confirm"]> {
    if (this.#lastTurn.finalText === null) return this.#lastTurn.complete(text);
    return text === "" ? null : { text, startMs: this.#speechStartMs, endMs: this.#clock.elapsedMs() };
  }

  /** Takes final words. When their turn had counted as one without words, they are returned as speech. */
  #confirm(text: string): void {
    this.#giveUnheard(this.#lastTurn.confirm(text));
  }

  #giveUnheard(unheard: ReturnType<LastTurn["confirm"]>): void {
    if (unheard) this.#listening.give({ kind: "SPEECH", ...unheard });
  }

  /** Notes the first fault that makes the line useless. */
  #break(code: string, message: string): void {
    this.#fault ??= { code, message };
  }

  /** Ends the line, but hears the person's last words out, which may be an opt-out. */
  #close({ atMs, by }: MediaEvent & { kind: "CLOSED" }): void {
    this.#clock.stop(atMs);
    this.#end.close(by);
    this.#output.stop();
    this.#digits.end();
    if (this.#listening.isHearing) this.#flush();
    this.#lastWords.wait(() => {
      this.#input.close();
      this.#listening.close({ kind: by === "REMOTE" ? "HUNG_UP" : "DROPPED", endMs: atMs });
    });
  }
}
