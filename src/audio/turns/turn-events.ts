/** What the turn engine tells. Times are milliseconds of call time. */
export type TurnEvent =
  /** The person speaks since `startMs`. `resumes`: the turn before was ended too early, no answer was heard since. */
  | { kind: "START_OF_SPEECH"; atMs: number; startMs: number; resumes: boolean }
  /** A pause has begun at `endMs`; the recogniser's open words are wanted now. The turn may go on. */
  | { kind: "END_OF_SPEECH"; atMs: number; endMs: number }
  | EndOfTurn
  /** The words of the last turn are final now, and may differ from what END_OF_TURN had. */
  | { kind: "TURN_CONFIRMED"; atMs: number; text: string }
  /** The person said no more than that they listen; the agent goes on. */
  | { kind: "BACKCHANNEL"; atMs: number; text: string }
  /** The person greeted as the agent began its first words, or before; the agent goes on. */
  | { kind: "GREETING"; atMs: number; text: string; startMs: number; endMs: number }
  /** The person speaks over the agent: be silent at once, keep the rest. */
  | { kind: "PAUSE_PLAYOUT"; atMs: number; speechMs: number }
  | { kind: "RESUME_PLAYOUT"; atMs: number; reason: "NO_WORDS" | "BACKCHANNEL" | "GREETING" }
  /** The person has taken the turn: drop the rest. `playedMs` of the utterance were played. */
  | { kind: "CLEAR_PLAYOUT"; atMs: number; playedMs: number };

/** The person has finished. */
export interface EndOfTurn {
  kind: "END_OF_TURN";
  atMs: number;
  /** Empty when speech was heard but no words were recognised. */
  text: string;
  /** It is no more than what people say when they pick up. */
  isGreeting: boolean;
  /** False while the recogniser may still change the words; TURN_CONFIRMED follows then. */
  isFinal: boolean;
  startMs: number;
  /** End of the last speech. */
  endMs: number;
  /** How long it was from the arrival of the last speech until this was decided. */
  endpointingMs: number;
  /** The part of it that was spent waiting for the recogniser's words, beyond the pause that ends a turn. */
  sttMs: number;
  /** How long the last speech was held back before it was heard here, which counts as waiting. */
  heldMs: number;
}
