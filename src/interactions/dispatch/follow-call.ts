import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { Database } from "#src/platform/db/database.ts";
import { joinSignals } from "#src/platform/kernel/joined-signal.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { type Attempt, type PlacedCall, ringSecondsOf } from "./attempt.ts";
import { endGivenUp, endSettled } from "./call-ends.ts";
import type { ClaimedRow } from "./claim.ts";
import type { CallEnd } from "./finish.ts";
import type { Mailbox } from "./inbox.ts";
import { endByEvent, endUnanswered, scaleMs } from "./outcome.ts";
import { settleRow } from "./settle-attempt.ts";

/** Dependencies of following a call until it is answered. */
export interface FollowParts {
  database: Pick<Database, "pool">;
  random: () => number;
  /** Milliseconds beyond the ringing time that a carrier may be silent before it is asked. */
  graceMs: number;
  /** Aborts when the operator's time for live calls is over. */
  closing: AbortSignal;
}

/** Result of following a call: who answered it, or its end. */
type Followed = { answeredBy: AnsweredBy } | { end: CallEnd };

/** Follows a call that the carrier has until it is answered or over. */
export async function followCall(
  parts: FollowParts,
  attempt: Attempt,
  { providerCallId, answeredBy }: PlacedCall,
): Promise<Followed> {
  if (answeredBy !== null) return { answeredBy };
  const { carrier, row, flow, mailbox, signal, givenUp } = attempt;
  const waitMs = scaleMs(row, ringSecondsOf(flow) * 1000) + parts.graceMs;
  const stop = joinSignals([signal, givenUp, parts.closing]);
  const event = await waitForAnswer(mailbox, waitMs, stop.signal).finally(stop.release);
  if (event?.type === "ENDED") return { end: endByEvent(row, event, parts.random) };
  if (givenUp.aborted) {
    await carrier.hangUp(providerCallId);
    return { end: endGivenUp(providerCallId) };
  }
  if (event?.type === "ANSWERED") return { answeredBy: event.answeredBy };
  if (parts.closing.aborted || signal.aborted) {
    await carrier.hangUp(providerCallId);
    return { end: endCutShort(row, providerCallId, parts.random) };
  }
  return askSilentCarrier(parts, attempt, providerCallId);
}

/** Returns the end of a call that rang when the server had to stop: nobody answered, and the job's rules apply. */
function endCutShort(row: ClaimedRow, providerCallId: string, random: () => number): CallEnd {
  const error = { code: "INTERRUPTED", message: "The server was stopped while the phone rang." };
  const base = { outcome: "NO_ANSWER" as const, endReason: "INTERRUPTED_BY_OPERATOR", attemptState: "ENDED" as const };
  return endUnanswered(row, { ...base, providerCallId, error }, random);
}

/** Returns the event that ends the ringing; null when none came in time. */
async function waitForAnswer(mailbox: Mailbox, waitMs: number, signal: AbortSignal): Promise<CarrierEvent | null> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const event = await mailbox.take(Math.max(0, deadline - performance.now()), signal);
    if (event === null || event.type !== "RINGING") return event;
  }
}

/** Handles a carrier that reported nothing in time: it is asked, and a call that still rings is given up. */
async function askSilentCarrier(parts: FollowParts, attempt: Attempt, providerCallId: string): Promise<Followed> {
  const { carrier, row, signal } = attempt;
  const dialledAt = new Date(attempt.dialledAtMs);
  const found = await settleRow(parts.database.pool, carrier, row, { providerCallId, dialledAt }, signal, true);
  if (found.kind === "UNCONFIRMED") await carrier.hangUp(providerCallId);
  if (found.kind === "ANSWERED") return { answeredBy: found.answeredBy };
  if (found.kind !== "RINGING") return { end: endSettled(row, found, parts.random) };
  await carrier.hangUp(providerCallId);
  const error = { code: "CARRIER_SILENT", message: "The carrier accepted the call and reported nothing more." };
  const base = { outcome: "CARRIER_FAILURE" as const, endReason: "CARRIER_SILENT", attemptState: "ENDED" as const };
  return { end: endUnanswered(row, { ...base, providerCallId, error }, parts.random) };
}
