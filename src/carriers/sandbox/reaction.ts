import type { CallOutcome } from "#src/carriers/carrier.ts";

/** Words that are said in pieces, with pauses in between. */
export interface Spread {
  pieces: string[];
  pauseMs: number;
  filledWith: "SILENCE" | "MUSIC";
}

/** What somebody on the phone does next. Times are milliseconds of call time. */
export type Reaction =
  | {
      kind: "SPEAK";
      text: string;
      /** Thinking time before the first word. */
      delayMs: number;
      /** How long the words take; by default their length at the usual pace. */
      durationMs?: number;
      /** Where the time goes that the words do not take; by default they are said again until it is over. */
      spread?: Spread;
      /** Starts talking when this part (0-1) of the agent's utterance has been heard. */
      interruptsAfterFraction?: number;
      thenHangsUp?: boolean;
    }
  | { kind: "DIGITS"; digits: string; delayMs: number }
  | { kind: "HANG_UP"; delayMs: number; interruptsAfterFraction?: number }
  | { kind: "SILENCE" };

/**
 * Somebody who answers the phone. Deterministic: what they do depends on the behaviour, the seed and what
 * they heard.
 */
export interface Persona {
  /** What they do after picking up as long as the agent says nothing. */
  open(): Reaction;
  /**
   * What they do on hearing the agent's words of this turn (1 is the first). Called again with the longer
   * text while the agent goes on talking in the same turn.
   */
  hear(text: string, turn: number): Reaction;
  /** What they do when the agent waits and they have nothing left to answer. */
  goOn(): Reaction;
  /** What they do on hearing keypad tones; null: nothing changes. */
  hearDigits(digits: string): Reaction | null;
  /** How the carrier classes the call if it ends now. */
  outcome(): CallOutcome;
}

export const SILENCE: Reaction = { kind: "SILENCE" };

/** Speech after the usual thinking time. */
export function speak(text: string, more: Partial<Extract<Reaction, { kind: "SPEAK" }>> = {}): Reaction {
  return { kind: "SPEAK", text, delayMs: 600, ...more };
}

const CHARACTERS_PER_SECOND = 15;

/** How long a text takes to say, in milliseconds: about 15 characters a second. */
export function speechMs(text: string): number {
  return Math.round((text.length / CHARACTERS_PER_SECOND) * 1000);
}
