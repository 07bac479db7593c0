import type { TurnEvent } from "./turn-events.ts";

/** Thresholds at which speech over the agent interrupts it. */
export interface BargeInOptions {
  /** Speech that pauses the agent; 300 unless set. */
  speechMs?: number;
  /** Time without a word after the pause at which the agent goes on; 2000 unless set. */
  falseAlarmMs?: number;
}

/** State of the person's speech at a frame, as the engine passes it. */
export interface SpeechState {
  atMs: number;
  /** Strong speech of the current run, without the fading tail of a bang. */
  strongMs: number;
  /** Time since the last speech. */
  silenceMs: number;
  /** False when no STT listens, so that no words can arrive. */
  hasWords: boolean;
}

const SPEECH_MS = 300;
const FALSE_ALARM_MS = 2_000;
/** A noise shorter than this, with no words in 800 ms of silence after it, was a bang. */
const BANG_MS = 500;
const BANG_SILENCE_MS = 800;
/** Without STT: speech that takes the turn, and silence after which the agent goes on when there was less. */
const WORDLESS_MS = 700;

type State = "IDLE" | "PLAYING" | "PAUSED" | "CLEARED";

/**
 * The agent's speech on one call: paused when the person speaks over it, resumed or cleared when the reason is known.
 */
export class BargeIn {
  state: State = "IDLE";
  readonly #speechMs: number;
  readonly #falseAlarmMs: number;
  readonly #emit: (event: TurnEvent) => void;
  #pausedMs = 0;
  #strongMs = 0;
  #playedMs = 0;

  constructor(options: BargeInOptions, emit: (event: TurnEvent) => void) {
    this.#speechMs = options.speechMs ?? SPEECH_MS;
    this.#falseAlarmMs = options.falseAlarmMs ?? FALSE_ALARM_MS;
    this.#emit = emit;
  }

  start(): void {
    this.state = "PLAYING";
    this.#playedMs = 0;
  }

  end(): void {
    this.state = "IDLE";
  }

  /** Counts a piece of the agent's speech that was played. */
  played(ms: number): void {
    if (this.state === "PLAYING") this.#playedMs += ms;
  }

  /** Takes each frame while the agent speaks or is paused. */
  hear(speech: SpeechState): void {
    if (this.state === "PLAYING" && speech.silenceMs === 0 && speech.strongMs >= this.#speechMs) this.#pause(speech);
    if (this.state !== "PAUSED") return;
    this.#strongMs = Math.max(this.#strongMs, speech.strongMs);
    if (!speech.hasWords && this.#strongMs >= WORDLESS_MS) this.take(speech.atMs);
    else if (this.#isFalseAlarm(speech)) this.resume(speech.atMs, "NO_WORDS");
  }

  /** Ends the agent's turn, because the person's words are real. */
  take(atMs: number): void {
    this.state = "CLEARED";
    this.#emit({ kind: "CLEAR_PLAYOUT", atMs, playedMs: this.#playedMs });
  }

  resume(atMs: number, reason: "NO_WORDS" | "BACKCHANNEL" | "GREETING"): void {
    this.state = "PLAYING";
    this.#emit({ kind: "RESUME_PLAYOUT", atMs, reason });
  }

  #pause(speech: SpeechState): void {
    this.state = "PAUSED";
    this.#pausedMs = speech.atMs;
    this.#strongMs = speech.strongMs;
    this.#emit({ kind: "PAUSE_PLAYOUT", atMs: speech.atMs, speechMs: speech.strongMs });
  }

  #isFalseAlarm(speech: SpeechState): boolean {
    if (!speech.hasWords) return speech.silenceMs >= WORDLESS_MS;
    if (this.#strongMs < BANG_MS && speech.silenceMs >= BANG_SILENCE_MS) return true;
    // While the person goes on speaking, slow STT still has the benefit of the doubt.
    return speech.atMs - this.#pausedMs >= this.#falseAlarmMs && speech.silenceMs >= BANG_MS;
  }
}
