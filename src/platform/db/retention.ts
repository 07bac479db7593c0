import type pg from "pg";
import type { Retention } from "#src/platform/config/config.ts";
import { runBounded } from "./housekeeping.ts";

/** Rows of a table that have served their time. */
interface Expiry {
  table: string;
  /** Column of time that leads an index, by which the oldest are found without reading the others. */
  by: string;
  /** How long after that time a row is kept, as an interval. */
  keptFor: string;
  /** Deleted by one statement; fewer where rows are large. */
  bite?: number;
  /** Condition of the rows that are meant; that of a partial index. */
  only?: string;
}

const BITE = 5_000;
/** Statements of one run for one table: 100,000 rows a minute, which is more than any node writes. */
const MOST_BITES = 20;

/** Kinds of the tasks that deliver webhooks. */
const DELIVERIES = "('call_job.completed', 'session.event')";

/** Returns what is forgotten when, of which the operator sets the days. */
export function listExpiries({ taskDays, webhookDays, eventDays, usageDays }: Retention): readonly Expiry[] {
  const isOver = "finished_at is not null and kind";
  return [
    ...EXPIRIES,
    { table: "tasks", by: "finished_at", keptFor: `${taskDays} days`, only: `${isOver} not in ${DELIVERIES}` },
    { table: "tasks", by: "finished_at", keptFor: `${webhookDays} days`, only: `${isOver} in ${DELIVERIES}` },
    // With bodies and headers of both sides.
    { table: "webhook_attempts", by: "created_at", keptFor: `${webhookDays} days`, bite: 1_000 },
    { table: "events", by: "created_at", keptFor: `${eventDays} days` },
    { table: "usage_entries", by: "created_at", keptFor: `${usageDays} days` },
  ];
}

/** What is forgotten everywhere after the same time. */
const EXPIRIES: readonly Expiry[] = [
  // A reply is replayed for 24 h (design section 4, "Idempotency-Key").
  { table: "idempotency_keys", by: "created_at", keptFor: "24 hours" },
  { table: "access_tokens", by: "expires_at", keptFor: "0" },
  // Raw carrier events serve reconciliation, whose horizon is minutes; three days leave room to look into a fault.
  { table: "carrier_events", by: "received_at", keptFor: "3 days" },
  // Reports of messages that nobody here sent.
  { table: "early_reports", by: "received_at", keptFor: "3 days" },
  // An answer that comes a month late has nobody to hear it.
  { table: "tool_tasks", by: "created_at", keptFor: "30 days" },
  { table: "tool_results", by: "expires_at", keptFor: "0" },
  { table: "tool_places", by: "expires_at", keptFor: "0" },
  // Who follows a chat resumes within minutes; its messages stay.
  { table: "chat_events", by: "created_at", keptFor: "30 days" },
  { table: "widget_tokens", by: "expires_at", keptFor: "0" },
  { table: "web_calls", by: "expires_at", keptFor: "1 hour" },
  { table: "web_phones", by: "expires_at", keptFor: "0" },
  // Nothing is sent to a receiver for longer than 76 hours without an answer.
  { table: "webhook_receivers", by: "failing_since", keptFor: "7 days" },
  // Longer than a reply is replayed.
  { table: "call_commands", by: "created_at", keptFor: "2 days" },
  { table: "supervision_tokens", by: "expires_at", keptFor: "0" },
  // One that reached its absolute end is no longer accepted; its idle end comes seven days later at most.
  { table: "user_sessions", by: "idle_expires_at", keptFor: "0" },
  { table: "sign_in_links", by: "expires_at", keptFor: "0" },
  { table: "sign_in_links", by: "used_at", keptFor: "1 day" },
  // Longer than any limit to complain of what somebody did.
  { table: "audit_log", by: "created_at", keptFor: "400 days" },
  // They are looked at while somebody builds.
  { table: "inspected_requests", by: "created_at", keptFor: "24 hours", bite: 500 },
  // Their transcripts may name people.
  { table: "simulations", by: "created_at", keptFor: "90 days", bite: 500 },
];

/**
 * Returns the statement that deletes a bite of the oldest rows. The ids of rows are read in the order of the index and the
 * rows deleted by their place, so it costs the rows that it deletes, however large the table is.
 */
export function expiryStatement({ table, by, keptFor, bite = BITE, only }: Expiry): string {
  return `delete from ${table} where ctid = any (array(
     select ctid from ${table} where ${by} < now() - interval '${keptFor}'${only === undefined ? "" : ` and ${only}`}
      order by ${by} limit ${bite}))`;
}

/** Statements that are not plain deletions by age, with how many rows each takes at most. */
const OTHERS: readonly { text: string; bite: number }[] = [
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
    // Nobody waits for them any more, and their words are personal.
    text: `update call_commands set state = 'LOST', words = null, settled_at = now() where ctid = any (array(
       select ctid from call_commands where settled_at is null and created_at < now() - interval '1 minute' limit 5000))`,
    bite: BITE,
  },
];

/** Forgets what has served its time; a table with more than a run's share goes on in the next run. */
export async function forgetExpired(pool: pg.Pool, retention: Retention, signal: AbortSignal): Promise<void> {
  const statements = [
    ...listExpiries(retention).map((expiry) => ({ text: expiryStatement(expiry), bite: expiry.bite ?? BITE })),
    ...OTHERS,
  ];
  for (const { text, bite } of statements) {
    for (let bites = 0; bites < MOST_BITES && !signal.aborted; bites++) {
      const { rowCount } = await runBounded(pool, text);
      if ((rowCount ?? 0) < bite) break;
    }
  }
}

/**
 * Buckets change with every request, so no index follows their time: each statement reads its table once. They hold one
 * short row for each address, account or visitor of the last hours.
 */
const BUCKETS = [
  { table: "widget_buckets", keptFor: "1 hour" },
  { table: "address_buckets", keptFor: "1 hour" },
  { table: "sign_in_buckets", keptFor: "2 hours" },
];
const MOST_BUCKETS = 50_000;

/** Deletes token buckets that are full again, so that a new one says the same. */
export async function forgetBuckets(pool: pg.Pool): Promise<void> {
  for (const { table, keptFor } of BUCKETS) {
    await runBounded(
      pool,
      `delete from ${table} where ctid = any (array(
         select ctid from ${table} where refilled_at < now() - interval '${keptFor}' limit ${MOST_BUCKETS}))`,
    );
  }
}
