import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { Carrier } from "#src/telephony/carriers/carrier.ts";
import type { ClaimedRow } from "./claim.ts";
import type { Mailbox } from "./inbox.ts";
import type { LoadedFlow } from "./plan.ts";

/** One attempt in progress. */
export interface Attempt {
  readonly carrier: Carrier;
  readonly row: ClaimedRow;
  readonly flow: LoadedFlow;
  /** Events of the carrier. One step of the call reads it at a time. */
  readonly mailbox: Mailbox;
  /** Time no later than the dial; milliseconds since the epoch. */
  readonly dialledAtMs: number;
  readonly signal: AbortSignal;
  /** Aborts when the call is ended on request before it was answered. */
  readonly givenUp: AbortSignal;
}

/** A call that the carrier has: it rings, or was answered. */
export interface PlacedCall {
  /** The carrier's id of the call. */
  providerCallId: string;
  /** Null while nobody has answered. */
  answeredBy: AnsweredBy | null;
}

/** Returns the seconds that a call of this flow may ring. */
export function ringSecondsOf({ fields }: LoadedFlow): number {
  return fields.ringTimeoutSeconds ?? 30;
}
