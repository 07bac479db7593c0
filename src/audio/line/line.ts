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

  /**
   * Waits for the person, at most `timeoutMs` of call time. When `wake` aborts, and the person is not speaking, it
   * gives SILENCE early; a line whose clock runs ahead of the wall's waits for it, rather than let the time-out pass.
   * `quietMs`: gives SILENCE also when the person has spoken and then been silent for so long, on lines where words come
   * later than speech.
   */
  listen(timeoutMs: number, signal: AbortSignal, wake?: AbortSignal, quietMs?: number): Promise<Heard>;

  /**
   * Waits, at most `timeoutMs`, until what was last heard is final, and gives it as it is then; null when it is still
   * open. A line without this member hears final words only.
   */
  confirm?(timeoutMs: number, signal: AbortSignal): Promise<string | null>;

  /** Hands the call over. A line without this member cannot. */
  transfer?(order: TransferOrder, signal: AbortSignal): Promise<TransferResult>;

  /** Sound in real time: whoever waits hears the silence. */
  readonly isLive?: boolean;

  /** Begins to make the sound of a text that is said next, so that no gap is heard before it. */
  prepare?(text: string): void;

  /** The answer that is awaited (JSON Schema), for recognisers that listen for expected answers only; null: anything. */
  expect?(schema: Record<string, unknown> | null): void;

  /**
   * The person waits for us since this call time; null: they do not. A live line lets whoever waits hear that it is
   * alive, whatever else is silent. At first they wait since the answer.
   */
  setCallerWaitingSince?(sinceMs: number | null): void;

  /** Plays a short sound that ends the call, for when no words can be said any more. */
  signOff?(signal: AbortSignal): Promise<void>;

  /** Why nobody can be heard, or be spoken to, any more; null while all is well. */
  readonly fault?: { code: string; message: string } | null;

  /** Who answered, found out while the talk goes on; a line without it has nothing to add to the carrier's word. */
  readonly answers?: AmdWatch;

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
  /** What the person said when they picked up, and of which the words came while this was said: they wait for no answer. */
  greetings?: { text: string; startMs: number; endMs: number }[];
  /** How long the person waited for it; absent where it answers nothing, or nobody measures. */
  latency?: SpokenLatency;
}

/** From the end of the person's speech to the first sound of the answer, by stage, in milliseconds. */
export interface SpokenLatency {
  /** The pause after which a turn counts as ended. */
  endpointingMs: number;
  /** The recogniser's words came that much later. */
  sttMs: number;
  /** From the words to the text of the answer: the model, and the tools it waited for. */
  thinkingMs: number;
  /** From the text to the first of its sound. */
  ttsMs: number;
  /** All the rest: between threads, and to the next frame. */
  transportMs: number;
  /** The whole, on the audio clock of the call. */
  totalMs: number;
}

/** What came from the person. */
export type Heard =
  /** `isGreeting`: no more than what people say when they pick up. */
  | { kind: "SPEECH"; text: string; startMs: number; endMs: number; isGreeting?: boolean }
  | { kind: "DIGITS"; digits: string; startMs: number; endMs: number }
  | { kind: "SILENCE"; endMs: number }
  | { kind: "HUNG_UP"; endMs: number }
  | { kind: "DROPPED"; endMs: number };

/** Where and how a call is handed over, with every template filled in. */
export interface TransferOrder {
  /** COLD: at once. WARM: after a word with the target. AGENTIC_WARM: the agent has that word. */
  mode: "COLD" | "WARM" | "AGENTIC_WARM";
  destinationType: "PHONE" | "SIP" | "FLOW";
  /** An E.164 number, a sip: address, or a flow's id or apiId. */
  destination: string;
  /** Keys pressed once the target has answered. */
  dtmfSequence: string | null;
  callerId: "OWN" | "CUSTOMER";
  /** Told to the target alone, before the parties are joined. */
  whisperMessage: string | null;
  /** What was said so far, for the target; null unless the tool asks for it. */
  summary: string | null;
  holdAudioUrl: string | null;
  ringTimeoutSeconds: number;
  transferOnlyIfHuman: boolean;
  /** Said to the person when the transfer fails. */
  fallbackMessage: string | null;
  sipHeaders: Record<string, string>;
}

/** What became of a transfer. After TRANSFERRED the call is no longer ours. */
export type TransferResult = { kind: "TRANSFERRED" } | TransferFailure | { kind: "HUNG_UP" };

/** Why a call was not handed over. */
export interface TransferFailure {
  kind: "FAILED";
  reason: "BUSY" | "NO_ANSWER" | "REJECTED" | "UNREACHABLE" | "MACHINE";
  message: string;
}

/** A verdict on who or what answered. */
export interface AmdVerdict {
  answeredBy:
    | "HUMAN"
    | "MACHINE_VOICEMAIL"
    | "MACHINE_IVR"
    | "MACHINE_SCREENING"
    | "MACHINE_UNAVAILABLE"
    | "FAX"
    | "SILENCE"
    | "UNCERTAIN";
  /** From 0 to 1. */
  confidence: number;
  /** Call time at the verdict. */
  decidedAfterMs: number;
  /** What made it: CARRIER, WORDS, BEEP and the like. */
  reason: string;
}

/** What is known of who answered. */
export interface AmdWatch {
  /** Null before the first verdict. */
  readonly verdict: AmdVerdict | null;
  /** Why a message can be left now: after the beep, or after a greeting that no beep followed; null before. */
  readonly messageDue: "BEEP" | "SILENCE" | null;
  /** Calls `listener` at each change until `signal` aborts. */
  onChange(listener: () => void, signal: AbortSignal): void;
}
