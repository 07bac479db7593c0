import type { Line, TransferOrder, TransferResult } from "#src/audio/line/line.ts";
import type { DialledLeg, MediaSource } from "#src/audio/line/media-source.ts";

/** How fast the sandbox's clock runs: 1 is real time, 10 is ten times faster, "instant" does not wait. */
export type SandboxSpeed = number | "instant";

/**
 * What a carrier can promise about one dial, which decides how an uncertain one is settled
 * (design section 5; research, reliability 2.1).
 */
export interface CarrierCapabilities {
  /**
   * What makes a second dial harmless: the name of the carrier's own key, which carries our attempt id, and for how long
   * it counts. Null: a second dial rings a second time, so there is none.
   */
  dedupe: { key: string; windowMs: number } | null;
  /**
   * By what a look-up finds a call whose answer was lost. NUMBERS_AND_TIME: by both numbers and when it was dialled,
   * which is enough because a person has one live attempt at a time. CALL_ID: only by the id that the carrier gave.
   */
  looksUpBy: "ATTEMPT_ID" | "NUMBERS_AND_TIME" | "CALL_ID";
  /** A look-up that finds nothing also bars the attempt id, so "absent" proves that nobody was rung. */
  absenceIsProof: boolean;
  /** How long after a dial a look-up may still be wrong; past it an uncertain call is UNCONFIRMED. */
  horizonMs: number;
}

/** An attempt that is asked about. */
export interface AskedAttempt {
  attemptId: string;
  workspaceId: string;
  /** Null: the answer to the dial was lost, and no event has come. */
  providerCallId: string | null;
  /** E.164. */
  from: string;
  /** E.164. */
  to: string;
  /** When the intent to dial was committed: the call is not older. */
  dialledAt: Date;
}

/**
 * Throws when a dial must not leave any more: the process was paused since it was let out, lost its lease, or the call was
 * called off. Asked right before each byte that may ring somebody, with nothing awaited in between. `isUnderWay`: what left
 * before rang nobody, and the same dial goes on (a challenge, the next hop), which may take longer.
 */
export type AssertMayLeave = (isUnderWay?: boolean) => void;

export interface DialRequest {
  /** Ours, new for every attempt, committed before this request leaves. */
  attemptId: string;
  workspaceId: string;
  /** E.164. */
  from: string;
  /** E.164. */
  to: string;
  /** 1 for the first time this row is dialled; the sandbox's outcome depends on it. */
  attemptNumber: number;
  /** How long it may ring, in seconds of call time. */
  ringTimeoutSeconds: number;
  /** Where a carrier outside this process posts its events. */
  eventsUrl: string;
  sandboxSpeed: SandboxSpeed;
  /** Absent: nothing forbids it. What it forbids is REFUSED with REQUEUE. */
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
       * Whose fault it is when it is not this call's: every other call from the number, or of the account, would be
       * refused too, so no more are dialled until somebody has mended it.
       */
      blame?: "NUMBER" | "ACCOUNT";
    }
  | { kind: "UNCERTAIN"; code: string; message: string };

/** Why a call ended before or after it was answered, in words that hold for every carrier. */
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

export const ANSWERED_BY = [
  "HUMAN",
  "MACHINE_VOICEMAIL",
  "MACHINE_IVR",
  "MACHINE_SCREENING",
  "MACHINE_UNAVAILABLE",
  "FAX",
  "UNCERTAIN",
] as const;
export type AnsweredBy = (typeof ANSWERED_BY)[number];

interface EventBase {
  /** Unique per carrier: the same event sent twice has the same key. */
  eventKey: string;
  attemptId: string;
  providerCallId: string;
  /** ISO 8601 UTC, by the carrier's clock. */
  at: string;
}

/** What a carrier reports of a call; events may come twice, late, out of order or never. */
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

/** What a look-up by attempt id tells. ABSENT is proof only where `absenceIsProof`. */
export type LookUpResult =
  | { kind: "RINGING"; providerCallId: string }
  | { kind: "ANSWERED"; providerCallId: string; answeredBy: AnsweredBy }
  | { kind: "ENDED"; event: CarrierEvent & { type: "ENDED" } }
  | { kind: "ABSENT" }
  | { kind: "UNCERTAIN"; message: string };

/** A turn of the transcript, as far as one who follows the call is shown it. */
export interface ShownTurn {
  index: number;
  role: "ASSISTANT" | "USER" | "SYSTEM" | "TOOL";
  content: string;
}

/** A carrier: dials, reports, is asked. Events arrive through `onEvent` of the factory that made it. */
export interface Carrier {
  readonly name: string;
  readonly capabilities: CarrierCapabilities;
  /** Never throws: what cannot be known is UNCERTAIN. */
  dial(request: DialRequest, signal: AbortSignal): Promise<DialResult>;
  /** Never throws. */
  lookUp(attempt: AskedAttempt, signal: AbortSignal): Promise<LookUpResult>;
  /** Asks the carrier to end a call; its ENDED event follows. Unknown ids are fine. */
  hangUp(providerCallId: string): Promise<void>;
  /** The speech of an answered call. */
  openLine(providerCallId: string): Line;
  /**
   * The audio of an answered call, given once; null where this call has none, and `openLine` is to be used. A carrier
   * without this member offers no audio. Of a call's line and its audio only the one that is used first works.
   */
  openMedia?(providerCallId: string): MediaSource | null;
  /** The audio holds tone speech and no voices. */
  readonly speaksTones?: boolean;
  /** Hands over a call whose audio was opened. A carrier without this member cannot. Never throws. */
  transfer?(providerCallId: string, order: TransferOrder, signal: AbortSignal): Promise<TransferResult>;
  /**
   * Rings the target of a transfer beside a call whose audio was opened, and gives the audio of its answer: for carriers
   * that join no calls themselves, so that it is done here. What is answered after `signal` has aborted is hung up.
   * Never rejects.
   */
  dialLeg?(providerCallId: string, order: TransferOrder, signal: AbortSignal): Promise<DialledLeg>;
  /** Told the transcript as it grows: read it, do not keep it. */
  showTurns?(providerCallId: string, turns: readonly ShownTurn[]): void;
}
