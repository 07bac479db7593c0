import type { Database } from "#src/platform/db/database.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { joinSignals } from "#src/platform/kernel/joined-signal.ts";
import type { Carrier, DialResult } from "#src/telephony/carriers/carrier.ts";
import type { SandboxDial } from "#src/telephony/carriers/sandbox/sandbox-dial.ts";
import type { ClaimedRow } from "./claim.ts";
import type { DialFence } from "./dial-fence.ts";
import type { CallEnd } from "./finish.ts";
import { endAbsent } from "./outcome.ts";
import { waitForTurn } from "./pace.ts";

const PACED = {
  code: "PACED",
  message: "The carrier takes a certain number of calls a second; the call waits its turn.",
};

/** Dependencies of a dial besides its row. */
export interface DialParts {
  database: Database;
  fence: Pick<DialFence, "pass">;
  eventsUrl: () => string;
  /** Timeout of the carrier's answer to a dial. */
  dialTimeoutMs: number;
  /** Aborts when the process dials nobody any more. */
  draining: AbortSignal;
}

/**
 * Result of placing a dial: the carrier's answer and the time of the request by the database's clock, or an end before
 * anything left.
 */
export type PlacedDial = { answer: DialResult; askedAt: Date } | { end: CallEnd };

/** Dials a row's attempt when its turn has come and the fence passes it. Never rejects before anything has left. */
export async function placeDial(
  { database, fence, eventsUrl, dialTimeoutMs, draining }: DialParts,
  carrier: Carrier,
  row: ClaimedRow,
  ringTimeoutSeconds: number,
  { signal, givenUp }: { signal: AbortSignal; givenUp: AbortSignal },
): Promise<PlacedDial> {
  const turn = await waitForTurn(database, row, signal, draining);
  if (draining.aborted) return { end: endAbsent(row, 0, { attemptState: "REFUSED", error: null }) };
  if ("putOffMs" in turn) return { end: endAbsent(row, turn.putOffMs, { attemptState: "REFUSED", error: PACED }) };
  const pass = await fence.pass(row, signal, givenUp);
  // The next claim finds the same obstacle and gives the row the matching state.
  if (!pass) return { end: endAbsent(row, 0, { attemptState: "ABSENT", error: null }) };
  if (turn.isOver()) return { end: endAbsent(row, 0, { attemptState: "REFUSED", error: PACED }) };
  const askedAt = now();
  const assertMayLeave = (isUnderWay = false): void => {
    pass(isUnderWay);
    if (!isUnderWay) turn.leave();
  };
  const request: SandboxDial = {
    attemptId: row.attempt_id as string,
    workspaceId: row.workspace_id,
    from: row.from_number,
    to: row.customer_number,
    attemptNumber: row.attempts_made,
    ringTimeoutSeconds,
    eventsUrl: eventsUrl(),
    sandboxSpeed: row.sandbox_speed ?? "instant",
    assertMayLeave,
  };
  const stop = joinSignals([signal], dialTimeoutMs);
  return { answer: await carrier.dial(request, stop.signal).finally(stop.release), askedAt };
}
