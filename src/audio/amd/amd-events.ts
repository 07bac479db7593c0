/** Who or what answered. All but SILENCE are what carriers tell, too. */
export type AnswerClass =
  | "HUMAN"
  | "MACHINE_VOICEMAIL"
  | "MACHINE_IVR"
  | "MACHINE_SCREENING"
  | "MACHINE_UNAVAILABLE"
  | "FAX"
  | "SILENCE"
  | "UNCERTAIN";

/** Whom a carrier may take the other end for. */
export type CarrierVerdict = Exclude<AnswerClass, "SILENCE">;

/** What made a verdict. */
export type AnswerReason =
  | "CARRIER"
  | "WORDS"
  | "SHORT_GREETING"
  | "LONG_GREETING"
  | "BEEP"
  | "FAX_TONE"
  | "REFUSAL_TONE"
  | "TONES_OR_MUSIC"
  | "NO_SOUND";

/** A verdict on who answered; a later one replaces it. */
export interface AnswerVerdict {
  kind: "VERDICT";
  answeredBy: AnswerClass;
  /** From 0 to 1. */
  confidence: number;
  /** Call time at the verdict. */
  decidedAfterMs: number;
  reason: AnswerReason;
  /** 0 for the first verdict of a call. */
  revision: number;
}

/** What the supervisor tells. */
export type AnswerEvent =
  | AnswerVerdict
  /** A voicemail's beep has ended at `endMs`. */
  | { kind: "BEEP"; atMs: number; endMs: number; frequencyHz: number }
  /** The voicemail records now: the message is to be said. Comes again when a beep follows after all. */
  | { kind: "MESSAGE_DUE"; atMs: number; after: "BEEP" | "SILENCE" };
