/**
 * A line: what a conversation speaks into and hears from, whatever carries it (a phone call, the sandbox,
 * a chat). Times are milliseconds of call time since the answer; the sandbox's clock may run faster than
 * the wall's.
 */
export interface Line {
  /**
   * Says one utterance. Resolves when it has been played or cut off.
   * `heard` is the part the person really heard, which is what the model may remember.
   */
  say(text: string, signal: AbortSignal): Promise<Spoken>;

  /** Waits for the person, at most `timeoutMs` of call time. */
  listen(timeoutMs: number, signal: AbortSignal): Promise<Heard>;

  /** Sends keypad digits (0-9 * #). */
  sendDigits(digits: string, signal: AbortSignal): Promise<void>;

  /** Ends the call from our side. Idempotent. */
  hangUp(): Promise<void>;

  /** Milliseconds of call time since the answer. */
  elapsedMs(): number;
}

/** What became of an utterance of ours. `hungUp`: the person ended the call while we spoke. */
export interface Spoken {
  heard: string;
  startMs: number;
  endMs: number;
  interrupted: boolean;
  hungUp: boolean;
}

/** What came from the person. */
export type Heard =
  | { kind: "SPEECH"; text: string; startMs: number; endMs: number }
  | { kind: "DIGITS"; digits: string; startMs: number; endMs: number }
  | { kind: "SILENCE"; endMs: number }
  | { kind: "HUNG_UP"; endMs: number }
  | { kind: "DROPPED"; endMs: number };
