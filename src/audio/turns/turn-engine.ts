import { FRAME_MS } from "#src/audio/codec/frame.ts";
import type { SpeechEvent } from "#src/audio/stt/stt.ts";
import type { Vad } from "#src/audio/vad/vad.ts";
import { BargeIn, type BargeInOptions, type SpeechState } from "./barge-in.ts";
import { EchoGate } from "./echo-gate.ts";
import { Endpointing, type EndpointingOptions } from "./endpointing.ts";
import { SpeechRun } from "./speech-run.ts";
import type { TurnEvent } from "./turn-events.ts";
import { isBackchannel, isGreeting } from "./turn-text.ts";
import { TurnTranscript } from "./turn-transcript.ts";
import { toPlainWords, turnWordsOf, type TurnWords } from "./turn-words.ts";

/** Settings of a call's turn engine. */
export interface TurnEngineOptions {
  vad: Vad;
  endpointing: EndpointingOptions;
  bargeIn?: BargeInOptions;
  /** Names that people may answer with. */
  names?: readonly string[];
  /** True when STT listens. Without it only the audio decides. */
  hasStt: boolean;
  /** Called synchronously from `frame` and `hearWords`; must not throw. */
  onEvent: (event: TurnEvent) => void;
}

/** Silence after which STT is asked for final words; a turn never ends sooner. */
const END_OF_SPEECH_MS = 200;
/** Least speech of a turn without words; more is required where STT could have returned words. */
const LEAST_TURN_MS = 200;
const LEAST_WORDLESS_TURN_MS = 500;
/**
 * Time after a turn's end within which new speech, before an answer was heard, means that the person had not finished.
 */
const RESUME_MS = 1_500;
/** Least speech between two pauses for which words are expected; less is a breath. */
const LEAST_SEGMENT_MS = 160;
/** Least speech, and its greatest age, for words over the agent to count; otherwise they are its echo or late. */
const WORDS_SPEECH_MS = 100;
const WORDS_WITHIN_MS = 4_000;
/** Time after the agent's first words began within which people still greet; later speech is an answer to them. */
const GREETING_WITHIN_MS = 3_000;
/** Time after final words that ends the turn where noise hides the silence. */
const WORDS_SETTLED_MS = 2_000;
/** Rounding of a wait: arrivals may lie between frames, so a wait ends at the nearest frame. */
const ROUNDING_MS = FRAME_MS / 2;

/**
 * Turn-taking of one call on its audio clock. It takes 20 ms frames, with silence where none arrived; `atMs` is the
 * call time at a frame's end, and `heldMs` the time since its arrival. It has no timers, so the same audio always gives
 * the same events.
 */
export class TurnEngine {
  readonly #vad: Vad;
  readonly #words: TurnWords;
  readonly #names: ReadonlySet<string>;
  readonly #endpointing: Endpointing;
  readonly #bargeIn: BargeIn;
  readonly #emit: (event: TurnEvent) => void;
  readonly #echo = new EchoGate();
  readonly #run = new SpeechRun();
  readonly #transcript = new TurnTranscript();
  readonly #state: SpeechState = { atMs: 0, strongMs: 0, silenceMs: 0, hasWords: false };
  #hasStt: boolean;
  #nowMs = 0;
  #isSpeaking = false;
  #isOpen = false;
  #turnStartMs = 0;
  #turnSpeechMs = 0;
  /** End of the turn's last speech, or its first words where no speech was detected. */
  #lastMs = 0;
  #lastWordsMs = 0;
  /** Time in the transport's buffer: of the last frame, and of the last speech. */
  #heldNowMs = 0;
  #heldMs = 0;
  #delayMs = 0;
  #endedMs = Number.NEGATIVE_INFINITY;
  #endedText: string | null = null;
  /** True until an answer to the ended turn is heard. */
  #isUnanswered = false;
  /** True while the ended turn's words are not final. */
  #isUnconfirmed = false;
  #hasPartials = false;
  /** Speech between two pauses: its start, its length, and the number of finals that this turn still expects. */
  #segmentStartMs = 0;
  #segmentMs = 0;
  #finalsAwaited = 0;
  /** A greeting that was dropped before its words were final. */
  #openGreeting: { startMs: number; endMs: number } | null = null;
  /** Start of the agent's first words. */
  #firstPlayoutMs = Number.POSITIVE_INFINITY;
  /** End of the agent's first words, when they were played whole. */
  #firstPlayedMs = Number.POSITIVE_INFINITY;

  constructor(options: TurnEngineOptions) {
    this.#vad = options.vad;
    this.#words = turnWordsOf(options.endpointing.language);
    this.#names = new Set(toPlainWords((options.names ?? []).join(" ")));
    this.#endpointing = new Endpointing(options.endpointing);
    this.#emit = options.onEvent;
    this.#bargeIn = new BargeIn(options.bargeIn ?? {}, options.onEvent);
    this.#hasStt = options.hasStt;
    this.#weigh();
  }

  /** True when the last frame held the person's speech. */
  isSpeech = false;

  /** Takes the next frame from the person. */
  frame(samples: Int16Array, atMs: number, heldMs = 0): void {
    this.#nowMs = atMs;
    this.#heldNowMs = heldMs;
    const isLoud = this.#vad.hear(samples);
    const isEcho = this.#echo.hearNear(this.#vad.power, this.#bargeIn.state === "PLAYING");
    this.isSpeech = isLoud && !isEcho;
    const beforeMs = this.#run.endMs;
    if (this.#run.hear(this.isSpeech, this.#vad.power, atMs)) this.#hearSpeech(beforeMs);
    if (this.#isSpeaking && atMs - this.#run.endMs >= END_OF_SPEECH_MS) this.#endSpeech();
    if (this.#bargeIn.state === "PLAYING" || this.#bargeIn.state === "PAUSED") this.#hearOverAgent();
    if (this.#isOpen && this.#isOver()) this.#endTurn();
  }

  /** Takes a frame of the agent's speech as it is sent to the person. */
  played(samples: Int16Array): void {
    this.#echo.hearFar(samples);
    this.#bargeIn.played(FRAME_MS);
  }

  /** Notes that the agent begins an utterance. */
  startPlayout(): void {
    this.#isUnanswered = false;
    this.#firstPlayoutMs = Math.min(this.#firstPlayoutMs, this.#nowMs);
    this.#bargeIn.start();
  }

  /** Notes that the agent's utterance was played to its end, or dropped. */
  endPlayout(): void {
    if (this.#bargeIn.state === "PLAYING") this.#firstPlayedMs = Math.min(this.#firstPlayedMs, this.#nowMs);
    this.#bargeIn.end();
  }

  /** Takes an event of the STT stream. */
  hearWords(event: SpeechEvent): void {
    if (event.kind === "FAILED") {
      this.#hasStt = false;
      this.#weigh();
      return;
    }
    const isNewSpeech = this.#run.endMs > this.#endedMs;
    if (event.kind === "FINAL") {
      this.#finalsAwaited = Math.max(0, this.#finalsAwaited - 1);
      const settled = this.#transcript.hearFinal(event.text, isNewSpeech);
      if (settled !== null) this.#settle(settled);
    } else {
      this.#hasPartials = true;
      if (!this.#transcript.hearPartial(event.text, isNewSpeech)) return;
    }
    if (this.#transcript.text === "") return;
    this.#lastWordsMs = this.#nowMs;
    if (!this.#isOpen) this.#openByWords(isNewSpeech || this.#endedText === "");
    else if (this.#turnSpeechMs === 0) this.#lastMs = this.#nowMs;
    this.#weigh();
    this.#weighWords(event.kind === "FINAL");
  }

  /** Ends the turn of a person who leaves before their pause has ended it, when it has words. */
  leave(): void {
    if (this.#isOpen && this.#transcript.text !== "") this.#endTurn();
  }

  /**
   * Settles the words of the turn before. Words of a dropped turn still count when they are more than "mhm" or hello.
   */
  #settle(text: string): void {
    if (this.#isUnconfirmed) this.#emit({ kind: "TURN_CONFIRMED", atMs: this.#nowMs, text });
    else if (this.#openGreeting && this.#isGreeting(text))
      this.#emit({ kind: "GREETING", atMs: this.#nowMs, text, ...this.#openGreeting });
    else if (!isBackchannel(text, this.#words)) this.#transcript.hearFinal(text, true);
    this.#isUnconfirmed = false;
    this.#openGreeting = null;
  }

  /** Opens a turn by words alone: late words for speech that was heard, or words of speech too quiet to detect here. */
  #openByWords(isLate: boolean): void {
    const { speechMs, startMs, endMs } = this.#run;
    if (isLate && endMs > 0) this.#openTurn(endMs, startMs);
    else this.#openTurn(this.#nowMs, this.#nowMs);
    this.#turnSpeechMs = isLate ? Math.max(speechMs, endMs - startMs) : 0;
  }

  #hearSpeech(beforeMs: number): void {
    if (!this.#isSpeaking) {
      this.#isSpeaking = true;
      this.#startSpeech(beforeMs);
    }
    if (this.#run.isStrong) {
      this.#turnSpeechMs += FRAME_MS;
      this.#segmentMs += FRAME_MS;
      if (this.#segmentMs === LEAST_SEGMENT_MS) this.#finalsAwaited++;
    }
    this.#lastMs = this.#nowMs;
    this.#heldMs = this.#heldNowMs;
  }

  #startSpeech(beforeMs: number): void {
    const { startMs } = this.#run;
    const resumes = !this.#isOpen && this.#isUnanswered && startMs - this.#endedMs < RESUME_MS;
    if (this.#isOpen && beforeMs > 0) this.#endpointing.learnPause(startMs - this.#lastMs, this.#heardText());
    else if (resumes) this.#endpointing.learnPause(startMs - beforeMs, this.#endedText);
    if (!this.#isOpen) this.#openTurn(this.#nowMs, startMs);
    this.#segmentStartMs = startMs;
    this.#segmentMs = 0;
    this.#emit({ kind: "START_OF_SPEECH", atMs: this.#nowMs, startMs, resumes });
  }

  #openTurn(lastMs: number, startMs: number): void {
    this.#isOpen = true;
    this.#lastMs = lastMs;
    this.#turnStartMs = startMs;
    this.#turnSpeechMs = this.#run.strongMs;
  }

  #endSpeech(): void {
    this.#isSpeaking = false;
    this.#weigh();
    this.#emit({ kind: "END_OF_SPEECH", atMs: this.#nowMs, endMs: this.#run.endMs });
  }

  #hearOverAgent(): void {
    const state = this.#state;
    state.atMs = this.#nowMs;
    state.strongMs = this.#run.strongMs;
    state.silenceMs = this.isSpeech ? 0 : this.#nowMs - this.#run.endMs;
    state.hasWords = this.#hasStt;
    const wasPaused = this.#bargeIn.state === "PAUSED";
    this.#bargeIn.hear(state);
    if (!wasPaused || this.#bargeIn.state !== "PLAYING") return;
    const { text } = this.#transcript;
    if (this.#isGreeting(text)) this.#passGreeting(text);
    else this.#closeTurn();
  }

  /** Decides by the person's words over the agent's speech. */
  #weighWords(isFinal: boolean): void {
    const { state } = this.#bargeIn;
    if (state !== "PLAYING" && state !== "PAUSED") return;
    const { text } = this.#transcript;
    if (this.#isGreeting(text)) {
      if (isFinal) this.#passGreeting(text);
    } else if (isBackchannel(text, this.#words)) {
      if (isFinal && state === "PAUSED") this.#passBackchannel(text);
    } else if (this.#turnSpeechMs >= WORDS_SPEECH_MS && this.#nowMs - this.#run.endMs <= WORDS_WITHIN_MS) {
      this.#bargeIn.take(this.#nowMs);
    }
  }

  /** True for the words of a person who picked up. Late words for speech before the agent's take no turn either. */
  #isGreeting(text: string): boolean {
    if (this.#turnStartMs > Math.min(this.#firstPlayoutMs + GREETING_WITHIN_MS, this.#firstPlayedMs)) return false;
    // A "yes" over the agent is an answer or a backchannel; before the agent's first words it is a greeting.
    if (this.#turnStartMs > this.#firstPlayoutMs && isBackchannel(text, this.#words)) return false;
    return isGreeting(text, this.#transcript.isFinal, this.#words, this.#names);
  }

  #passGreeting(text: string): void {
    if (this.#bargeIn.state === "PAUSED") this.#bargeIn.resume(this.#nowMs, "GREETING");
    const greeting = { startMs: this.#turnStartMs, endMs: this.#lastMs };
    const { isFinal } = this.#transcript;
    this.#closeTurn();
    if (isFinal) this.#emit({ kind: "GREETING", atMs: this.#nowMs, text, ...greeting });
    else this.#openGreeting = greeting;
  }

  #passBackchannel(text: string): void {
    if (this.#bargeIn.state === "PAUSED") this.#bargeIn.resume(this.#nowMs, "BACKCHANNEL");
    this.#emit({ kind: "BACKCHANNEL", atMs: this.#nowMs, text });
    this.#closeTurn();
  }

  #isOver(): boolean {
    // People wait from when they stopped, not from when the jitter buffer released their speech.
    const waitedMs = this.#nowMs - this.#lastMs + this.#heldMs;
    if (!this.#isSpeaking && waitedMs + Math.min(ROUNDING_MS, this.#heldMs) >= this.#delayMs) return true;
    if (!this.#hasPartials || this.#nowMs - this.#lastWordsMs < WORDS_SETTLED_MS) return false;
    return this.#transcript.isFinal && this.#transcript.text !== "";
  }

  #endTurn(): void {
    const { text, isFinal } = this.#transcript;
    const { state } = this.#bargeIn;
    if (state === "PLAYING" || state === "PAUSED") {
      if (this.#isGreeting(text)) this.#passGreeting(text);
      else if (isBackchannel(text, this.#words)) this.#passBackchannel(text);
      // While paused, only words or the false alarm decide.
      else if (state === "PLAYING") this.#closeTurn();
      return;
    }
    if (text === "" && this.#turnSpeechMs < (this.#hasStt ? LEAST_WORDLESS_TURN_MS : LEAST_TURN_MS)) {
      this.#closeTurn();
      return;
    }
    const startMs = this.#turnStartMs;
    const endMs = this.#isSpeaking ? this.#lastWordsMs : this.#lastMs;
    const heardText = this.#heardText();
    const isHello = this.#isGreeting(text);
    this.#closeTurn();
    this.#endedText = heardText;
    this.#isUnanswered = true;
    this.#isUnconfirmed = !isFinal;
    this.#bargeIn.end();
    const atMs = this.#nowMs;
    const heldMs = this.#heldMs;
    const endpointingMs = atMs - endMs + heldMs;
    // The frame on which a wait ends is part of it.
    const neededMs = this.#endpointing.delayMs(heardText) + FRAME_MS;
    const sttMs = Math.max(0, endpointingMs - neededMs);
    const words = { text, isGreeting: isHello, isFinal };
    this.#emit({ kind: "END_OF_TURN", atMs, ...words, startMs, endMs, endpointingMs, sttMs, heldMs });
  }

  #closeTurn(): void {
    this.#transcript.endTurn();
    this.#endedMs = this.#nowMs;
    this.#endedText = "";
    this.#isUnanswered = false;
    this.#isUnconfirmed = false;
    this.#isOpen = false;
    this.#finalsAwaited = 0;
    this.#turnSpeechMs = 0;
  }

  #heardText(): string | null {
    return this.#hasStt ? this.#transcript.text : null;
  }

  /** Computes the wait. It changes only with pauses and words, so it is not computed at every frame. */
  #weigh(): void {
    const text = this.#heardText();
    this.#delayMs = this.#endpointing.delayMs(text !== null && this.#awaitsWords() ? "" : text);
  }

  /** True when the last speech still lacks its words; the words of earlier speech say nothing about it. */
  #awaitsWords(): boolean {
    if (!this.#hasPartials) return this.#finalsAwaited > 0;
    return this.#segmentMs >= LEAST_SEGMENT_MS && this.#lastWordsMs < this.#segmentStartMs;
  }
}
