/** Words in pieces, with pauses in between. */
export interface Spread {
  pieces: string[];
  pauseMs: number;
  filledWith: "SILENCE" | "MUSIC";
}

/** An action of a persona. Times are milliseconds of call time. */
export type SettledReaction =
  | {
      kind: "SPEAK";
      text: string;
      /** Thinking time before the first word. */
      delayMs: number;
      /** Duration of the words; by default that of their length at the usual pace. */
      durationMs?: number;
      /** Distribution of a duration longer than the words; by default the words are repeated until it is over. */
      spread?: Spread;
      /** Share (0-1) of the agent's utterance after which the persona starts talking over it. */
      interruptsAfterFraction?: number;
      thenHangsUp?: boolean;
    }
  | { kind: "DIGITS"; digits: string; delayMs: number }
  | { kind: "HANG_UP"; delayMs: number; interruptsAfterFraction?: number }
  | { kind: "SILENCE" };

/**
 * An action that is still to be decided. Nothing is requested before `settle` is called, so an answer that the agent's
 * next words make useless costs nothing. `settle` rejects only when the signal aborts.
 */
export interface Thinking {
  kind: "THINKING";
  settle(signal: AbortSignal): Promise<SettledReaction>;
}

/** Next action of a persona. */
export type Reaction = SettledReaction | Thinking;

export const PERSONA_KINDS = ["PERSON", "VOICEMAIL", "VOICEMAIL_FULL", "MENU", "SCREENER", "FAX"] as const;
/** Kinds of answerers: a person, or a machine, behind which there may be a person. */
export type PersonaKind = (typeof PERSONA_KINDS)[number];

/** Class that a carrier gives to an answered call. */
export type PersonaOutcome = "ANSWERED" | "VOICEMAIL" | "IVR" | "FAX" | "CALL_SCREENED";

/** A fact about a persona that its words alone do not show. */
export interface PersonaNote {
  code: "OPTED_OUT" | "MODEL_MISSING" | "MODEL_FAILED" | "TURN_LIMIT" | "SPEECH_LIMIT";
  /** The agent's turn before it (1 is the first); 0 before any. */
  turn: number;
  message: string;
}

/**
 * A simulated person or machine that answers the phone. Unless a model speaks for it, its actions depend only on its
 * file, the seed and what it heard.
 */
export interface Persona {
  readonly kind: PersonaKind;
  /** Notable facts of the call so far: an opt-out, or a failure of the model. */
  readonly notes: readonly PersonaNote[];
  /** Returns the reaction after picking up, while the agent says nothing. */
  open(): Reaction;
  /**
   * Returns the reaction to the agent's words of this turn (1 is the first). Called again with the longer text while
   * the agent goes on talking in the same turn.
   */
  hear(text: string, turn: number): Reaction;
  /** Returns the reaction when the agent waits and there is nothing left to answer. */
  goOn(): Reaction;
  /** Returns the reaction to keypad tones; null: nothing changes. */
  hearDigits(digits: string): Reaction | null;
  /** Returns the carrier's class of the call if it ended now. */
  outcome(): PersonaOutcome;
}

/** The reaction of doing nothing. */
export const SILENCE: SettledReaction = { kind: "SILENCE" };

/** Returns speech after the usual thinking time, 600 ms. */
export function speak(
  text: string,
  more: Partial<Extract<SettledReaction, { kind: "SPEAK" }>> = {},
): Extract<SettledReaction, { kind: "SPEAK" }> {
  return { kind: "SPEAK", text, delayMs: 600, ...more };
}

const CHARACTERS_PER_SECOND = 15;

/** Returns the duration of a text in milliseconds, at about 15 characters a second. */
export function speechMs(text: string): number {
  return Math.round((text.length / CHARACTERS_PER_SECOND) * 1000);
}
