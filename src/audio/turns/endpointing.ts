import { judgeText, type TextState } from "./turn-text.ts";
import { turnWordsOf, type TurnWords } from "./turn-words.ts";

/** Range of the pause that ends a turn. */
export interface EndpointingOptions {
  /** BCP 47. */
  language: string;
  /** For a speaker of whom nothing is known yet; 500 unless set. */
  defaultMs?: number;
  /** 200 unless set. */
  minMs?: number;
  /** 1500 unless set. */
  maxMs?: number;
}

const DEFAULT_MS = 500;
const MIN_MS = 200;
const MAX_MS = 1_500;
/** Ratio of a pause that ends a turn to the speaker's usual pause inside one. */
const PAUSE_FACTOR = 1.4;
const PAUSE_WEIGHT = 0.3;
const COMPLETE_FACTOR = 0.6;
const OPEN_FACTOR = 2.4;
const OPEN_LEAST_MS = 1_200;

/** Determines how long to wait at a pause, from the words so far and this speaker's pauses. */
export class Endpointing {
  readonly #words: TurnWords;
  readonly #minMs: number;
  readonly #maxMs: number;
  #pauseMs: number;

  constructor(options: EndpointingOptions) {
    this.#words = turnWordsOf(options.language);
    this.#minMs = options.minMs ?? MIN_MS;
    this.#maxMs = options.maxMs ?? MAX_MS;
    this.#pauseMs = (options.defaultMs ?? DEFAULT_MS) / PAUSE_FACTOR;
  }

  /** Returns the wait at a pause. `text` is null without STT, and empty when it has returned no word yet. */
  delayMs(text: string | null): number {
    return this.#limit(this.#wish(text));
  }

  /**
   * Learns from a pause inside a turn, after which the speaker went on. `text` is the speaker's text before the pause.
   */
  learnPause(pauseMs: number, text: string | null): void {
    // The words show a pause to think or to read a number; it says nothing about the speaker's pace.
    if (text !== null && isOpen(judgeText(text, this.#words))) return;
    this.#pauseMs += PAUSE_WEIGHT * (Math.min(pauseMs, this.#maxMs) - this.#pauseMs);
  }

  #wish(text: string | null): number {
    const usualMs = PAUSE_FACTOR * this.#pauseMs;
    if (text === null) return usualMs;
    const state = judgeText(text, this.#words);
    if (state === "EMPTY") return this.#maxMs;
    if (isOpen(state)) return Math.max(OPEN_FACTOR * usualMs, OPEN_LEAST_MS);
    return state === "COMPLETE" ? COMPLETE_FACTOR * usualMs : usualMs;
  }

  #limit(wishMs: number): number {
    return Math.round(Math.min(Math.max(wishMs, this.#minMs), this.#maxMs));
  }
}

function isOpen(state: TextState): boolean {
  return state === "UNFINISHED" || state === "HALF_NUMBER";
}
