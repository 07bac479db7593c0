import type { ModelMessage } from "#src/engine/models/models.ts";

/** State of the opt-out guard in a conversation. */
export interface OptOutState {
  /** Number of messages, from the start, that were judged already. */
  judged: number;
  /** The person was asked once, so the guard does not ask again. */
  asked: boolean;
  /** Language (ISO 639-1) of the open question; null when none is open. */
  question: string | null;
  /** The person said that contact may go on. */
  denied: boolean;
  /** Length of the transcript at that answer. */
  settledTurns: number;
}

/** Returns the state of a conversation in which nobody has said anything. */
export function newOptOutState(): OptOutState {
  return { judged: 0, asked: false, question: null, denied: false, settledTurns: 0 };
}

/** The note that the model reads instead of the guard's question and its answer. */
export const KEEPS_CONTACT: ModelMessage = {
  role: "SYSTEM",
  content:
    "The person was asked whether we should stop contacting them, and said no. Go on from what they said before.",
};
