import type { AnswerClass } from "#src/audio/line/answered-by.ts";

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
