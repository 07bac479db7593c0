/** Words that are said in pieces, with pauses in between. */
export interface Spread {
  pieces: string[];
  pauseMs: number;
  filledWith: "SILENCE" | "MUSIC";
}

/** Something somebody on the phone does. Times are milliseconds of call time. */
export type SettledReaction =
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
 * Whoever has yet to find out what to do. Nothing is asked of anybody before `settle` is called, so an answer that
 * the agent's next words make useless costs nothing. It rejects only when the signal aborts.
 */
export interface Thinking {
  kind: "THINKING";
  settle(signal: AbortSignal): Promise<SettledReaction>;
}

/** What somebody on the phone does next. */
export type Reaction = SettledReaction | Thinking;

export const PERSONA_KINDS = ["PERSON", "VOICEMAIL", "VOICEMAIL_FULL", "MENU", "SCREENER", "FAX"] as const;
/** Who or what picks up: a person, or a machine, behind which there may be a person. */
export type PersonaKind = (typeof PERSONA_KINDS)[number];

/** How a carrier classes a call that was picked up. */
export type PersonaOutcome = "ANSWERED" | "VOICEMAIL" | "IVR" | "FAX" | "CALL_SCREENED";

/** Something about a persona that its words alone do not tell. */
export interface PersonaNote {
  code: "OPTED_OUT" | "MODEL_MISSING" | "MODEL_FAILED" | "TURN_LIMIT" | "SPEECH_LIMIT";
  /** The agent's turn that it followed (1 is the first); 0 before it. */
  turn: number;
  message: string;
}

/**
 * Somebody who answers the phone. Unless a model speaks for them, what they do depends on their file, the seed and what
 * they heard alone.
 */
export interface Persona {
  readonly kind: PersonaKind;
  /** What is worth knowing of the call so far: that they asked not to be called again, that their model failed. */
  readonly notes: readonly PersonaNote[];
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
  outcome(): PersonaOutcome;
}

/** Does nothing. */
export const SILENCE: SettledReaction = { kind: "SILENCE" };

/** Speech after the usual thinking time. */
export function speak(
  text: string,
  more: Partial<Extract<SettledReaction, { kind: "SPEAK" }>> = {},
): Extract<SettledReaction, { kind: "SPEAK" }> {
  return { kind: "SPEAK", text, delayMs: 600, ...more };
}

const CHARACTERS_PER_SECOND = 15;

/** How long a text takes to say, in milliseconds: about 15 characters a second. */
export function speechMs(text: string): number {
  return Math.round((text.length / CHARACTERS_PER_SECOND) * 1000);
}
