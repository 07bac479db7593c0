/** Kind of person or machine that answered. Carriers report all of them but SILENCE. */
export type AnswerClass =
  | "HUMAN"
  | "MACHINE_VOICEMAIL"
  | "MACHINE_IVR"
  | "MACHINE_SCREENING"
  | "MACHINE_UNAVAILABLE"
  | "FAX"
  | "SILENCE"
  | "UNCERTAIN";

/** Verdict that a carrier may report. */
export type CarrierVerdict = Exclude<AnswerClass, "SILENCE">;

/** Evidence that a verdict rests on. */
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

/** Event of the answering machine detection (AMD). */
export type AnswerEvent =
  | AnswerVerdict
  /** A voicemail's beep has ended at `endMs`. */
  | { kind: "BEEP"; atMs: number; endMs: number; frequencyHz: number }
  /** The voicemail records now, so the message can be spoken. Emitted again when a beep follows after all. */
  | { kind: "MESSAGE_DUE"; atMs: number; after: "BEEP" | "SILENCE" };
