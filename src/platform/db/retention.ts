import type pg from "pg";
import type { Retention } from "#src/platform/config/config.ts";
import { eachApart } from "./each-apart.ts";
import { runBounded } from "./housekeeping.ts";

/** Rows of a table that have passed their retention. */
interface Expiry {
  table: string;
  /** Time column that leads an index, by which the oldest rows are found without reading the others. */
  by: string;
  /** Interval for which a row is kept after that time. */
  keptFor: string;
  /** Rows deleted by one statement; fewer where rows are large. */
  bite?: number;
  /** Condition on the rows to delete, matching that of a partial index. */
  only?: string;
  /** Insertion that is due for each row, which it reads from `gone`. */
  then?: string;
}

/** Insertion for artifacts that are deleted, named `gone`: their pieces follow, because they are too large to go along. */
export const DROP_ARTIFACTS_SQL =
  "insert into dropped_artifacts (workspace_id, artifact_id) select workspace_id, id from gone";

const BITE = 5_000;
/** Statements of one run for one table: 100,000 rows a minute, which is more than any node writes. */
const MOST_BITES = 20;

/** Kinds of the tasks that deliver webhooks. */
const DELIVERIES = "('call_job.completed', 'session.event')";

/** Returns the expiries of all tables, including those whose days the operator sets. */
export function listExpiries(days: Retention): readonly Expiry[] {
  const { taskDays, webhookDays, eventDays, usageDays, artifactDays } = days;
  const isOver = "finished_at is not null and kind";
  return [
    ...EXPIRIES,
    { table: "tasks", by: "finished_at", keptFor: `${taskDays} days`, only: `${isOver} not in ${DELIVERIES}` },
    { table: "tasks", by: "finished_at", keptFor: `${webhookDays} days`, only: `${isOver} in ${DELIVERIES}` },
    // With bodies and headers of both sides.
    { table: "webhook_attempts", by: "created_at", keptFor: `${webhookDays} days`, bite: 1_000 },
    { table: "events", by: "created_at", keptFor: `${eventDays} days` },
    { table: "usage_entries", by: "created_at", keptFor: `${usageDays} days` },
    // Made in the transaction that ends their run, so both have one age; a run that goes on has no end.
    { table: "artifacts", by: "created_at", keptFor: `${artifactDays} days`, then: DROP_ARTIFACTS_SQL },
    { table: "automation_runs", by: "ended_at", keptFor: `${artifactDays} days` },
  ];
}

/** Expiries that are the same in every installation. */
const EXPIRIES: readonly Expiry[] = [
  // A reply is replayed for 24 h.
  { table: "idempotency_keys", by: "created_at", keptFor: "24 hours" },
  { table: "access_tokens", by: "expires_at", keptFor: "0" },
  // Raw carrier events serve reconciliation, whose horizon is minutes; three days leave room to look into a fault.
  { table: "carrier_events", by: "received_at", keptFor: "3 days" },
  // Reports of messages that were not sent from here.
  { table: "early_reports", by: "received_at", keptFor: "3 days" },
  // The sandbox is asked about a message for a day.
  { table: "sandbox_messages", by: "taken_at", keptFor: "3 days" },
  // An answer that comes a month late has no session waiting for it.
  { table: "tool_tasks", by: "created_at", keptFor: "30 days" },
  { table: "tool_results", by: "expires_at", keptFor: "0" },
  { table: "tool_places", by: "expires_at", keptFor: "0" },
  // Clients that follow a chat resume within minutes; its messages stay.
  { table: "chat_events", by: "created_at", keptFor: "30 days" },
  // A turn is taken again within minutes; the limits of a chat count a month.
  { table: "chat_actions", by: "created_at", keptFor: "30 days" },
  // Bodies name people; repeats are known for as long.
  { table: "lead_deliveries", by: "created_at", keptFor: "30 days", bite: 500 },
  // Funnels count 92 days at most.
  { table: "stage_visits", by: "entered_at", keptFor: "100 days" },
  { table: "widget_tokens", by: "expires_at", keptFor: "0" },
  { table: "web_calls", by: "expires_at", keptFor: "1 hour" },
  { table: "web_phones", by: "expires_at", keptFor: "0" },
  // Deliveries to a receiver that does not answer stop after 76 hours.
  { table: "webhook_receivers", by: "failing_since", keptFor: "7 days" },
  // They are looked at beside the call.
  { table: "call_alerts", by: "raised_at", keptFor: "400 days" },
  { table: "control_rooms", by: "open_until", keptFor: "1 minute" },
  // They are of a moment ago.
  { table: "call_levels", by: "written_at", keptFor: "1 minute" },
  // Longer than replies are replayed.
  { table: "call_commands", by: "created_at", keptFor: "2 days" },
  { table: "supervision_tokens", by: "expires_at", keptFor: "0" },
  // A session past its absolute end is no longer accepted; its idle end comes seven days later at most.
  { table: "user_sessions", by: "idle_expires_at", keptFor: "0" },
  { table: "sign_in_links", by: "expires_at", keptFor: "0" },
  { table: "connection_sign_ins", by: "expires_at", keptFor: "0" },
  { table: "sign_in_steps", by: "expires_at", keptFor: "0" },
  { table: "sign_in_links", by: "used_at", keptFor: "1 day" },
  // A person may stay ten minutes at their identity provider.
  { table: "sign_on_attempts", by: "created_at", keptFor: "1 hour" },
  // Longer than any time limit for complaints about somebody's actions.
  { table: "audit_log", by: "created_at", keptFor: "400 days" },
  // As long as that log names them. Each deletion looks for tokens, which have no index for it.
  { table: "credentials", by: "revoked_at", keptFor: "400 days", bite: 100 },
  { table: "credentials", by: "expires_at", keptFor: "400 days", bite: 100 },
  // They are only looked at while somebody builds an integration.
  { table: "inspected_requests", by: "created_at", keptFor: "24 hours", bite: 500 },
  // Their transcripts may name people.
  { table: "simulations", by: "created_at", keptFor: "90 days", bite: 500 },
];

/**
 * Returns the statement that deletes a batch of the oldest rows. Row ids are read in index order and rows are deleted
 * by their physical place, so the cost depends on the rows deleted, not on the size of the table.
 */
export function expiryStatement({ table, by, keptFor, bite = BITE, only, then }: Expiry): string {
  const deletion = `delete from ${table} where ctid = any (array(
     select ctid from ${table} where ${by} < now() - interval '${keptFor}'${only === undefined ? "" : ` and ${only}`}
      order by ${by} limit ${bite}))`;
  return then === undefined ? deletion : `with gone as (${deletion} returning *) ${then}`;
}

/** Bytes of pieces that one statement deletes, and one piece more. */
const BITE_BYTES = 32 * 1024 * 1024;
const MOST_PIECES = 1_000;
/** Dropped artifacts that a run may find: more than it deletes pieces, so that it finds those that it emptied again. */
const DROPPED = `(select ctid as place, workspace_id, artifact_id from dropped_artifacts
                   order by workspace_id, artifact_id limit ${(MOST_BITES + 5) * MOST_PIECES}) d`;

/** Statements that are not plain deletions by age, and the rows of each after which it runs once more. */
const OTHERS: readonly { text: string; bite: number }[] = [
  {
    // Pieces of dropped artifacts. Their length is known without reading them.
    text: `delete from artifact_chunks where ctid = any (array(
       select piece from (
         select c.piece, sum(c.bytes) over (rows unbounded preceding) - c.bytes as bytes_before
           from ${DROPPED} cross join lateral (
             select ctid as piece, octet_length(data) as bytes from artifact_chunks
              where workspace_id = d.workspace_id and artifact_id = d.artifact_id limit ${MOST_PIECES}) c
          limit ${MOST_PIECES}) pieces
        where bytes_before < ${BITE_BYTES}))`,
    bite: 1,
  },
  {
    text: `delete from dropped_artifacts where ctid = any (array(
       select d.place from ${DROPPED} left join lateral (
         select true as has_pieces from artifact_chunks
          where workspace_id = d.workspace_id and artifact_id = d.artifact_id limit 1) c on true
        where has_pieces is null limit ${BITE}))`,
    bite: BITE,
  },
  {
    // Pieces of uploads that a crash left before they became a recording.
    text: `with dropped as (
       delete from transcription_uploads where ctid = any (array(
         select ctid from transcription_uploads where created_at < now() - interval '24 hours'
          order by created_at limit 100))
       returning workspace_id, row_id)
     delete from transcription_audio a using dropped d where a.workspace_id = d.workspace_id and a.row_id = d.row_id`,
    bite: Infinity,
  },
  {
    // Commands that nobody waits for any more; their words are personal.
    text: `update call_commands set state = 'LOST', words = null, settled_at = now() where ctid = any (array(
       select ctid from call_commands where settled_at is null and created_at < now() - interval '1 minute' limit 5000))`,
    bite: BITE,
  },
];

/**
 * Deletes expired rows and returns their number. A table with more than one run's share continues in the next run. One
 * whose statement the database refuses, or ends for its time, holds up no other; its fault is thrown at the end.
 */
export async function forgetExpired(pool: pg.Pool, retention: Retention, signal: AbortSignal): Promise<number> {
  let forgotten = 0;
  const statements = [
    ...listExpiries(retention).map((expiry) => ({ text: expiryStatement(expiry), bite: expiry.bite ?? BITE })),
    ...OTHERS,
  ];
  await eachApart(statements, async (statement) => {
    forgotten += await forgetBites(pool, statement, signal);
  });
  return forgotten;
}

async function forgetBites(
  pool: pg.Pool,
  { text, bite }: (typeof OTHERS)[number],
  signal: AbortSignal,
): Promise<number> {
  let forgotten = 0;
  for (let bites = 0; bites < MOST_BITES && !signal.aborted; bites++) {
    const { rowCount } = await runBounded(pool, text);
    forgotten += rowCount ?? 0;
    if ((rowCount ?? 0) < bite) break;
  }
  return forgotten;
}

/**
 * Tables of token buckets. Buckets change with every request, so no index follows their time: each statement reads its
 * table once. They hold one short row for each address, account or visitor of the last hours.
 */
const BUCKETS = [
  { table: "widget_buckets", keptFor: "1 hour" },
  { table: "address_buckets", keptFor: "1 hour" },
  { table: "sign_in_buckets", keptFor: "2 hours" },
];
const MOST_BUCKETS = 50_000;

/** Deletes token buckets that are full again, and returns their number; a new one would hold the same. */
export async function forgetBuckets(pool: pg.Pool): Promise<number> {
  let forgotten = 0;
  for (const { table, keptFor } of BUCKETS) {
    const { rowCount } = await runBounded(
      pool,
      `delete from ${table} where ctid = any (array(
         select ctid from ${table} where refilled_at < now() - interval '${keptFor}' limit ${MOST_BUCKETS}))`,
    );
    forgotten += rowCount ?? 0;
  }
  return forgotten;
}
