import type { ModelMessage } from "#src/engine/models/models.ts";

/** What the guard knows of a conversation so far. */
export interface OptOutState {
  /** Messages that were judged already, from the start. */
  judged: number;
  /** The person was asked once, and is not asked again. */
  asked: boolean;
  /** Language (ISO 639-1) of the question that is open; null when none is. */
  question: string | null;
  /** The person said that contact may go on. */
  denied: boolean;
  /** Turns of the transcript up to that answer. */
  settledTurns: number;
}

/** Returns the state of a conversation in which nobody has said anything. */
export function newOptOutState(): OptOutState {
  return { judged: 0, asked: false, question: null, denied: false, settledTurns: 0 };
}

/** The note that the model reads in place of the question and its answer. */
export const KEEPS_CONTACT: ModelMessage = {
  role: "SYSTEM",
  content:
    "The person was asked whether we should stop contacting them, and said no. Go on from what they said before.",
};
