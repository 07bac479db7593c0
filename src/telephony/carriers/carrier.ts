import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { Line, TransferOrder, TransferResult } from "#src/audio/line/line.ts";
import type { DialledLeg, MediaSource } from "#src/audio/line/media-source.ts";

/**
 * Guarantees of a carrier about one dial; they decide how an uncertain dial is settled (ARCHITECTURE.md, "Never
 * twice").
 */
export interface CarrierCapabilities {
  /**
   * Idempotency key that makes a second dial harmless: the carrier's name for the key, which carries our attempt id,
   * and how long it is valid. Null: the carrier has none, and a second dial rings a second time.
   */
  dedupe: { key: string; windowMs: number } | null;
  /**
   * Criterion by which a look-up finds a call whose answer was lost. NUMBERS_AND_TIME: both numbers and the time of the
   * dial, which is enough because a person has one live attempt at a time. CALL_ID: only the id that the carrier
   * returned.
   */
  looksUpBy: "ATTEMPT_ID" | "NUMBERS_AND_TIME" | "CALL_ID";
  /** A look-up that finds nothing also bars the attempt id, so "absent" proves that nobody was rung. */
  absenceIsProof: boolean;
  /** Milliseconds after a dial in which a look-up may still be wrong; after that an uncertain call is UNCONFIRMED. */
  horizonMs: number;
}

/** An attempt to look up. */
export interface AskedAttempt {
  attemptId: string;
  workspaceId: string;
  /** Null: the answer to the dial was lost, and no event has come. */
  providerCallId: string | null;
  /** E.164. */
  from: string;
  /** E.164. */
  to: string;
  /** Time at which the attempt was committed: the call is not older. */
  dialledAt: Date;
}

/**
 * Throws when a dial must not be sent any more: the process was paused since it released the dial, lost its lease, or
 * the call was cancelled. Called right before each byte that may ring a phone, with nothing awaited in between.
 * `isUnderWay`: the bytes sent so far rang nobody, and the same dial continues (a challenge, the next hop), which may
 * take longer.
 */
export type AssertMayLeave = (isUnderWay?: boolean) => void;

export interface DialRequest {
  /** Our id, new for every attempt and committed before this request is sent. */
  attemptId: string;
  workspaceId: string;
  /** E.164. */
  from: string;
  /** E.164. */
  to: string;
  /** Longest ringing time in seconds of call time. */
  ringTimeoutSeconds: number;
  /** URL to which a carrier outside this process posts its events. */
  eventsUrl: string;
  /** Absent: no check. A dial that it rejects is REFUSED with REQUEUE. */
  assertMayLeave?: AssertMayLeave;
}

/**
 * The answer to a dial. REFUSED proves that nobody was rung; UNCERTAIN proves nothing and is reconciled.
 * REQUEUE: try again later without using up an attempt (429, connection refused). TERMINAL: do not.
 */
export type DialResult =
  | { kind: "ACCEPTED"; providerCallId: string }
  | {
      kind: "REFUSED";
      then: "REQUEUE" | "TERMINAL";
      outcome: CallOutcome;
      code: string;
      message: string;
      retryAfterMs?: number;
      /**
       * Scope of the fault when it is not limited to this call: every other call from the number, or of the account,
       * would be refused too. No more are dialled until somebody has fixed it.
       */
      blame?: "NUMBER" | "ACCOUNT";
    }
  | { kind: "UNCERTAIN"; code: string; message: string };

/** Reasons for the end of a call, before or after it was answered, in terms that hold for every carrier. */
export const CALL_OUTCOMES = [
  "ANSWERED",
  "VOICEMAIL",
  "CALL_SCREENED",
  "IVR",
  "FAX",
  "BUSY",
  "NO_ANSWER",
  "REJECTED",
  "INVALID_NUMBER",
  "UNREACHABLE",
  "CARRIER_FAILURE",
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

interface EventBase {
  /** Unique per carrier: the same event sent twice has the same key. */
  eventKey: string;
  attemptId: string;
  providerCallId: string;
  /** ISO 8601 UTC, by the carrier's clock. */
  at: string;
}

/** An event that a carrier reports about a call; events may come twice, late, out of order or never. */
export type CarrierEvent =
  | (EventBase & { type: "RINGING" })
  | (EventBase & { type: "ANSWERED"; answeredBy: AnsweredBy })
  | (EventBase & {
      type: "ENDED";
      outcome: CallOutcome;
      hungUpBy: "CUSTOMER" | "AGENT" | "CARRIER";
      sipCode: number | null;
      reason: string;
    });

/** Result of a look-up. ABSENT is proof only where `absenceIsProof`. */
export type LookUpResult =
  | { kind: "RINGING"; providerCallId: string }
  | { kind: "ANSWERED"; providerCallId: string; answeredBy: AnsweredBy }
  | { kind: "ENDED"; event: CarrierEvent & { type: "ENDED" } }
  | { kind: "ABSENT" }
  | { kind: "UNCERTAIN"; message: string };

/** A turn of the transcript, as shown to a person who follows the call. */
export interface ShownTurn {
  index: number;
  role: "ASSISTANT" | "USER" | "SYSTEM" | "TOOL";
  content: string;
}

/** Dials calls, reports events and answers look-ups. Events arrive through `onEvent` of the factory that made it. */
export interface Carrier {
  readonly name: string;
  readonly capabilities: CarrierCapabilities;
  /** Never throws: an unknown result is UNCERTAIN. */
  dial(request: DialRequest, signal: AbortSignal): Promise<DialResult>;
  /** Never throws. */
  lookUp(attempt: AskedAttempt, signal: AbortSignal): Promise<LookUpResult>;
  /** Asks the carrier to end a call; its ENDED event follows. Unknown ids are ignored. */
  hangUp(providerCallId: string): Promise<void>;
  /** The speech of an answered call. */
  openLine(providerCallId: string): Line;
  /**
   * Returns the audio of an answered call, once; null where this call has none and `openLine` must be used. A carrier
   * without this member offers no audio. For each call, only the first used of its line and its audio works.
   */
  openMedia?(providerCallId: string): MediaSource | null;
  /** The audio holds tone speech and no voices. */
  readonly speaksTones?: boolean;
  /** Transfers a call whose audio was opened. A carrier without this member cannot. Never throws. */
  transfer?(providerCallId: string, order: TransferOrder, signal: AbortSignal): Promise<TransferResult>;
  /**
   * Dials the target of a transfer beside a call whose audio was opened, and returns the audio of its answer. For
   * carriers that cannot bridge calls, so that this process bridges them. A call answered after `signal` has aborted is
   * hung up. Never rejects.
   */
  dialLeg?(providerCallId: string, order: TransferOrder, signal: AbortSignal): Promise<DialledLeg>;
  /** Receives the transcript as it grows: read it, do not keep it. */
  showTurns?(providerCallId: string, turns: readonly ShownTurn[]): void;
}
