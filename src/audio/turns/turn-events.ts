/** Event of the turn engine. Times are milliseconds of call time. */
export type TurnEvent =
  /**
   * The person speaks since `startMs`. `resumes`: the turn before was ended too early, and no answer was heard since.
   */
  | { kind: "START_OF_SPEECH"; atMs: number; startMs: number; resumes: boolean }
  /** A pause has begun at `endMs`; STT is asked for its open words now. The turn may go on. */
  | { kind: "END_OF_SPEECH"; atMs: number; endMs: number }
  | EndOfTurn
  /** The words of the last turn are final now, and may differ from what END_OF_TURN had. */
  | { kind: "TURN_CONFIRMED"; atMs: number; text: string }
  /** The person only showed that they listen; the agent goes on. */
  | { kind: "BACKCHANNEL"; atMs: number; text: string }
  /** The person greeted as the agent began its first words, or before; the agent goes on. */
  | { kind: "GREETING"; atMs: number; text: string; startMs: number; endMs: number }
  /** The person speaks over the agent: stop playing at once, keep the rest. */
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
  /** True when it is no more than people say when they pick up. */
  isGreeting: boolean;
  /** False while STT may still change the words; TURN_CONFIRMED follows then. */
  isFinal: boolean;
  startMs: number;
  /** End of the last speech. */
  endMs: number;
  /** Time from the arrival of the last speech to this decision. */
  endpointingMs: number;
  /** Part of it spent waiting for the words of STT, beyond the pause that ends a turn. */
  sttMs: number;
  /** Time that the last speech was held back before it was heard here, which counts as waiting. */
  heldMs: number;
}
