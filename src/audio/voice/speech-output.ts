import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { cutText } from "#src/audio/line/cut-text.ts";
import type { Spoken, SpokenLatency } from "#src/audio/line/line.ts";
import type { Tts } from "#src/audio/tts/tts.ts";
import { makeFarewell } from "#src/audio/worker/comfort-tone.ts";
import type { MediaEvent } from "#src/audio/worker/media-call.ts";
import { AnswerClock, type AnswerMeasure } from "./answer-clock.ts";
import type { CallClock } from "./call-clock.ts";
import type { LineEnd } from "./line-end.ts";
import type { MediaHandle } from "./media-handle.ts";
import { PickupGreetings } from "./pickup-greetings.ts";
import { Pace, Saying } from "./saying.ts";
import { UtteranceMaker } from "./utterance-maker.ts";
import { type PlayedEvent, UtterancePlayer } from "./utterance-player.ts";

type Turn = MediaEvent & { kind: "TURN" };

/** Dependencies of speaking on a line. */
export interface SpeechOutputParts {
  media: MediaHandle;
  tts: Tts;
  /** BCP 47. */
  language: string;
  voiceId: string | null;
  /** Called when an answer was heard, with its latency. */
  onAnswered?: (latency: SpokenLatency) => void;
  /** Called when STT or TTS failed. */
  onFault: (code: string, message: string) => void;
}

/** State of the call that speaking on its line depends on. */
interface SpokenCall {
  clock: CallClock;
  end: LineEnd;
  /** Called when a text could not be said whole. */
  onBroken: (message: string) => void;
}

/** Our speech on a line: synthesises and plays texts, and states what the person heard of them. */
export class SpeechOutput {
  readonly #parts: SpeechOutputParts;
  readonly #call: SpokenCall;
  readonly #utterances: UtteranceMaker;
  readonly #player: UtterancePlayer;
  readonly #greetings = new PickupGreetings();
  readonly #answerClock = new AnswerClock();
  readonly #pace = new Pace();
  #seconds = 0;

  constructor(parts: SpeechOutputParts, call: SpokenCall) {
    this.#parts = parts;
    this.#call = call;
    this.#utterances = new UtteranceMaker(parts.tts, parts);
    this.#player = new UtterancePlayer(parts.media);
  }

  /** Seconds of speech synthesised. */
  get seconds(): number {
    return this.#seconds;
  }

  /** Says a text, as `Line.say` does. */
  async say(text: string, signal: AbortSignal): Promise<Spoken> {
    const { clock, end, onBroken } = this.#call;
    const startMs = clock.elapsedMs();
    if (end.isClosed || signal.aborted) {
      return { heard: "", startMs, endMs: startMs, interrupted: true, hungUp: end.wasHungUp };
    }
    const asked = this.#answerClock.ask();
    const saying = this.#open(text, asked, (samples) => this.#parts.media.add(id, samples));
    const { id, ended } = this.#player.begin(signal);
    void saying.play().then((error) => {
      if (error) onBroken(error.message);
      this.#parts.media.complete(id);
    });
    const played = await ended;
    saying.stop();
    return this.#toSpoken(text, saying, played, asked);
  }

  /** Plays the sound that ends a call, as `Line.signOff` does. */
  async signOff(signal: AbortSignal): Promise<void> {
    if (this.#call.end.isClosed || signal.aborted) return;
    const { id, ended } = this.#player.begin(signal);
    this.#parts.media.add(id, makeFarewell());
    this.#parts.media.complete(id);
    await ended;
  }

  /** Begins to synthesise the text that is said next. */
  prepare(text: string): void {
    if (!this.#call.end.isClosed) this.#utterances.prepare(text);
  }

  /** Stops the synthesis of the text that would be said next. */
  stop(): void {
    this.#utterances.stop();
  }

  /** Takes the event of an utterance that was played or dropped. */
  takePlayed(played: PlayedEvent): void {
    this.#player.take(played);
  }

  /** Takes a greeting that the words being said answer. */
  takeGreeting(greeting: MediaEvent & { kind: "GREETING" }): void {
    this.#greetings.add(greeting);
  }

  /**
   * Takes a turn that waits for an answer from now on. Returns false for a greeting before our first words: they answer
   * it, and it needs no other answer.
   */
  takeTurn(turn: Turn): boolean {
    if (turn.isGreeting && this.#player.hasBegun && this.#greetings.isBeforeFirstSound(turn)) {
      this.#greetings.add(turn);
      return false;
    }
    this.#answerClock.endTurn(turn);
    return true;
  }

  /** Notes that the person is on hold and waits for no answer. */
  forgetTurn(): void {
    this.#answerClock.forget();
  }

  #open(text: string, asked: AnswerMeasure | null, play: (samples: Int16Array) => void): Saying {
    return new Saying(text, this.#utterances.take(text), {
      make: () => this.#utterances.make(text),
      add: (samples) => {
        asked?.hearFirst();
        this.#seconds += samples.length / VOICE_RATE_HZ;
        play(samples);
      },
      onFault: ({ message }) => this.#parts.onFault("TEXT_TO_SPEECH_FAILED", message),
      pace: this.#pace,
    });
  }

  /** Returns the result of a text of which this was played. */
  #toSpoken(text: string, saying: Saying, played: PlayedEvent, asked: AnswerMeasure | null): Spoken {
    const { startMs, endMs, cut: interrupted } = played;
    const hasSounded = endMs > startMs;
    if (hasSounded) this.#greetings.noteSound(startMs);
    const share = hasSounded ? saying.shareOf(played.fraction) : 0;
    const heard = cutText(text, share);
    const latency = hasSounded ? asked?.measure(startMs) : undefined;
    if (latency) this.#parts.onAnswered?.(latency);
    const times = { startMs, endMs, interrupted, hungUp: this.#call.end.wasHungUp };
    const greetings = this.#greetings.take();
    return { heard, ...times, ...(latency ? { latency } : {}), ...(greetings.length > 0 ? { greetings } : {}) };
  }
}
