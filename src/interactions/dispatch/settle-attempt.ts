import type pg from "pg";
import { untilAvailable } from "#src/platform/db/database.ts";
import type { Carrier, CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import type { ClaimedRow } from "./claim.ts";
import { reconcile, type Settled, type ReportedAttempt } from "./reconcile.ts";

const ATTEMPT_STATE = `select payload as event from carrier_events where attempt_id = $1 order by received_at`;

/** Returns the state of an attempt by its stored events, whichever node received them; null when there are none. */
export async function readReportedAttempt(pool: pg.Pool, attemptId: string): Promise<ReportedAttempt | null> {
  const { rows } = await pool.query<{ event: CarrierEvent }>({
    name: "attempt-state",
    text: ATTEMPT_STATE,
    values: [attemptId],
  });
  const events = rows.map(({ event }) => event);
  const [first] = events;
  if (!first) return null;
  const { providerCallId } = first;
  // Carriers with AMD report the answer first and who answered later.
  const answeredBy = events.findLast((event) => event.type === "ANSWERED")?.answeredBy ?? null;
  const ended = events.find((event) => event.type === "ENDED");
  if (ended) return { providerCallId, state: { kind: "ENDED", event: ended, answeredBy } };
  if (answeredBy) return { providerCallId, state: { kind: "ANSWERED", providerCallId, answeredBy } };
  return { providerCallId, state: { kind: "RINGING", providerCallId } };
}

const NOTE_ANSWER = `
update call_attempts a
   set answered_by = coalesce(a.answered_by, $3),
       answered_at = coalesce(a.answered_at, (select min((e.payload ->> 'at')::timestamptz) from carrier_events e
                                               where e.attempt_id = a.id and e.type = 'ANSWERED'), now())
 where a.workspace_id = $1 and a.id = $2 and a.ended_at is null`;

/**
 * Returns the true state of a row's uncertain attempt, from its events and its carrier. An answer that came while no
 * node held the attempt is recorded, at the carrier's time if it gave one. `isRungOut`: a stored RINGING event counts
 * for nothing once the ringing time is over, because the call may have been answered since. It waits for a database that
 * is away: the phone may ring meanwhile, so the call must not end by that fault.
 */
export async function settleRow(
  pool: pg.Pool,
  carrier: Carrier,
  { workspace_id: workspaceId, attempt_id, from_number: from, customer_number: to }: ClaimedRow,
  known: { providerCallId: string | null; dialledAt: Date },
  signal: AbortSignal,
  isRungOut = false,
): Promise<Settled> {
  const attemptId = attempt_id as string;
  const read = async () => {
    const reported = await untilAvailable(() => readReportedAttempt(pool, attemptId), signal);
    return isRungOut && reported?.state.kind === "RINGING" ? null : reported;
  };
  const found = await reconcile(carrier, { attemptId, workspaceId, from, to, ...known }, read, signal);
  const answeredBy = found.kind === "ANSWERED" || found.kind === "ENDED" ? found.answeredBy : null;
  if (answeredBy !== null) {
    const statement = { name: "note-answer", text: NOTE_ANSWER, values: [workspaceId, attemptId, answeredBy] };
    await untilAvailable(() => pool.query(statement), signal);
  }
  return found;
}
