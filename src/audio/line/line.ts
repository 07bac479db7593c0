import type { AnswerClass } from "./answered-by.ts";

/**
 * The connection that a conversation speaks into and listens to, over any carrier (a phone call, the sandbox, a chat).
 * Times are milliseconds of call time since the answer; the sandbox's clock may run faster than real time.
 */
export interface Line {
  /**
   * Says one utterance. Resolves when it has been played or cut off. `heard` is the part that the person really heard,
   * and only that goes into the model's history.
   */
  say(text: string, signal: AbortSignal): Promise<Spoken>;

  /**
   * Waits for the person, at most `timeoutMs` of call time. When `wake` aborts while the person is not speaking, it
   * returns SILENCE early; a line whose clock runs faster than real time waits for `wake` rather than let the timeout
   * pass. `quietMs`: returns SILENCE also when the person has spoken and then been silent for so long, on lines where
   * words come later than speech.
   */
  listen(timeoutMs: number, signal: AbortSignal, wake?: AbortSignal, quietMs?: number): Promise<Heard>;

  /**
   * Waits, at most `timeoutMs`, until the last text heard is final, and returns it; null when it is still open. A line
   * without this member returns only final text from `listen`.
   */
  confirm?(timeoutMs: number, signal: AbortSignal): Promise<string | null>;

  /** Transfers the call. Absent on a line that cannot. */
  transfer?(order: TransferOrder, signal: AbortSignal): Promise<TransferResult>;

  /** True for real-time audio, on which a person who waits hears silence. */
  readonly isLive?: boolean;

  /** True while the person speaks, on a line of audio. */
  readonly isHearing?: boolean;

  /** Begins to synthesise a text that is said next, so that no gap is heard before it. */
  prepare?(text: string): void;

  /** Sets the answer that is expected (JSON Schema), for STT that recognises expected answers only; null: anything. */
  expect?(schema: Record<string, unknown> | null): void;

  /**
   * Sets the call time since which the caller waits for us; null: they do not. A live line lets a waiting caller hear
   * that it is alive, even while all else is silent. A call begins with the caller waiting since the answer.
   */
  setCallerWaitingSince?(sinceMs: number | null): void;

  /** Plays a short sound that ends the call, for when no words can be said any more. */
  signOff?(signal: AbortSignal): Promise<void>;

  /** Reason that the person can no longer be heard or spoken to; null while all is well. */
  readonly fault?: { code: string; message: string } | null;

  /** Answering machine detection during the conversation; a line without it adds nothing to the carrier's verdict. */
  readonly answers?: AmdWatch;

  /** Sends keypad digits (0-9 * #). */
  sendDigits(digits: string, signal: AbortSignal): Promise<void>;

  /** Ends the call from our side. Idempotent. */
  hangUp(): Promise<void>;

  /** Milliseconds of call time since the answer. */
  elapsedMs(): number;
}

/** Result of an utterance of ours. `hungUp`: the person ended the call while we spoke. */
export interface Spoken {
  heard: string;
  startMs: number;
  endMs: number;
  interrupted: boolean;
  hungUp: boolean;
  /** Greetings that the person said on picking up and whose words arrived while this was said; they need no answer. */
  greetings?: { text: string; startMs: number; endMs: number }[];
  /** Time that the person waited for it; absent where it answers nothing, or where nothing measures. */
  latency?: SpokenLatency;
}

/** Milliseconds from the end of the person's speech to the first sound of the answer, by stage. */
export interface SpokenLatency {
  /** The pause after which a turn counts as ended. */
  endpointingMs: number;
  /** Further wait until the words of the speech-to-text (STT) arrived. */
  sttMs: number;
  /** From the words to the text of the answer: the model, and the tools that it waited for. */
  thinkingMs: number;
  /** From the text to its first sound. */
  ttsMs: number;
  /** The rest: between threads, and until the next frame. */
  transportMs: number;
  /** The total, on the audio clock of the call. */
  totalMs: number;
}

/** Input from the person. */
export type Heard =
  /** `isGreeting`: no more than people say when they pick up. */
  | { kind: "SPEECH"; text: string; startMs: number; endMs: number; isGreeting?: boolean }
  | { kind: "DIGITS"; digits: string; startMs: number; endMs: number }
  | { kind: "SILENCE"; endMs: number }
  | { kind: "HUNG_UP"; endMs: number }
  | { kind: "DROPPED"; endMs: number };

/** Target and manner of a transfer, with every template filled in. */
export interface TransferOrder {
  /** COLD: at once. WARM: after a consultation with the target. AGENTIC_WARM: the agent holds that consultation. */
  mode: "COLD" | "WARM" | "AGENTIC_WARM";
  destinationType: "PHONE" | "SIP" | "FLOW";
  /** An E.164 number, a sip: address, or a flow's id or apiId. */
  destination: string;
  /** Keys pressed once the target has answered. */
  dtmfSequence: string | null;
  callerId: "OWN" | "CUSTOMER";
  /** Said to the target alone, before the parties are joined. */
  whisperMessage: string | null;
  /** Summary of the call for the target; null unless the tool asks for it. */
  summary: string | null;
  holdAudioUrl: string | null;
  ringTimeoutSeconds: number;
  transferOnlyIfHuman: boolean;
  /** Said to the person when the transfer fails. */
  fallbackMessage: string | null;
  sipHeaders: Record<string, string>;
}

/** Outcome of a transfer. After TRANSFERRED the call is no longer ours. */
export type TransferResult = { kind: "TRANSFERRED" } | TransferFailure | { kind: "HUNG_UP" };

/** Reason that a call was not transferred. */
export interface TransferFailure {
  kind: "FAILED";
  reason: "BUSY" | "NO_ANSWER" | "REJECTED" | "UNREACHABLE" | "MACHINE";
  message: string;
}

/** Verdict of the answering machine detection (AMD) or the carrier on who answered. */
export interface AmdVerdict {
  answeredBy: AnswerClass;
  /** From 0 to 1. */
  confidence: number;
  /** Call time at the verdict. */
  decidedAfterMs: number;
  /** Evidence for the verdict: CARRIER, WORDS, BEEP and the like. */
  reason: string;
}

/** Live state of the answering machine detection (AMD). */
export interface AmdWatch {
  /** Null before the first verdict. */
  readonly verdict: AmdVerdict | null;
  /** Reason that a message can be left now: after the beep, or after a greeting that no beep followed; null before. */
  readonly messageDue: "BEEP" | "SILENCE" | null;
  /** Calls `listener` at each change until `signal` aborts. */
  onChange(listener: () => void, signal: AbortSignal): void;
}
