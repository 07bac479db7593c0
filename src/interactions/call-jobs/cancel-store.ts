import { ANNOUNCE_SESSION_ENDED_SQL } from "#src/interactions/calls/session-end.ts";
import { allowsOnCall, ROW_STATUSES, type RowStatus } from "#src/interactions/calls/states.ts";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { ANNOUNCE_COMPLETED_SQL } from "./completion.ts";

/** Stored statuses that permit a cancel. WAITING_FOR_WINDOW is only shown, and the indexes do not know it. */
const CANCELLABLE = sql.raw(
  ROW_STATUSES.filter((status) => status !== "WAITING_FOR_WINDOW" && allowsOnCall(status, "cancel"))
    .map((status) => `'${status}'`)
    .join(", "),
);

/** Ends rows `r` that wait. */
const CANCEL = sql`
  update call_rows r set status = 'CANCELLED', outcome = 'CANCELLED', end_reason = 'CANCELLED_BY_USER', updated_at = now(),
         ended_at = `;
const CLOSE_SESSIONS = sql`
  closed_sessions as (
    select workspace_id, id, gen_random_uuid() as event_id, status, outcome, end_reason, answered_at, human_requested
      from cancelled where attempts_made > 0
  ),
  ${sql.raw(ANNOUNCE_SESSION_ENDED_SQL)}`;

/**
 * The most rows that one transaction cancels. It holds the lock of the job, and the first one those of the job's numbers,
 * for which the ends of calls wait, and with them those of all others that end at the same time.
 */
const BITE = 5_000;

/** Progress of the cancel of a job. */
export interface CancelProgress {
  /** The end of all rows that are cancelled with the job, as PostgreSQL writes it; null: now. */
  at: string | null;
  /** The last row that was looked at. */
  after: string;
}

/** Rows that were cancelled together. */
export interface CancelledRows {
  count: number;
  progress: CancelProgress & { at: string };
  /** False when more may wait. */
  isLast: boolean;
}

/**
 * Cancels the next rows that wait, and the job: at once when no others wait and no call is live, otherwise CANCELLING
 * until then. Completes the job like FINISH does. The caller has locked the job, and for the first rows its numbers,
 * whose lanes are closed.
 */
export async function cancelSome(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  { at, after }: CancelProgress,
): Promise<CancelledRows> {
  const done = await first<{ count: number; last: string | null; at: string; status: string }>(
    tx,
    sql`with waiting as materialized (
          select id from call_rows where workspace_id = ${workspaceId} and job_id = ${jobId}
             and status in (${CANCELLABLE}) and id > ${after}
           order by id limit ${BITE} for update
        ), cancelled as (
          ${CANCEL} coalesce(${at}::timestamptz, now()) from waiting w
          where r.workspace_id = ${workspaceId} and r.id = w.id
          returning r.workspace_id, r.id, r.status, r.outcome, r.end_reason, r.answered_at, r.attempts_made, r.human_requested
        ), ${CLOSE_SESSIONS}, closed as (
          update lanes set is_open = false where workspace_id = ${workspaceId} and job_id = ${jobId} and is_open
        ), counted as (
          update call_jobs j
             set processed_rows = j.processed_rows + c.n, error_rows = j.error_rows + c.n, pause_reason = null,
                 status = case when j.processed_rows + c.n = j.total_rows then 'CANCELLED' else 'CANCELLING' end,
                 completed_at = case when j.processed_rows + c.n = j.total_rows then now() end, updated_at = now()
            from (select count(*)::int as n from cancelled) c
           where j.workspace_id = ${workspaceId} and j.id = ${jobId}
          returning j.*, ${uuidv7()}::uuid as event_id
        ), completed as (select * from counted where status = 'CANCELLED'),
        ${sql.raw(ANNOUNCE_COMPLETED_SQL)}
        select (select count(*)::int from cancelled) as count, (select id from waiting order by id desc limit 1) as last,
               coalesce(${at}, now()::text) as at, (select status from counted) as status`,
  );
  const { count, last, at: end, status } = done as NonNullable<typeof done>;
  return { count, progress: { at: end, after: last ?? after }, isLast: count < BITE || status === "CANCELLED" };
}

/**
 * Announces that the rows of a job were cancelled with it: a million may be, so one event stands for all of them, once
 * they are all stored. It has the time of their ends, by which digests find them. `since` is an id from before the first
 * of them: the event is there once, however often this is asked for.
 */
export async function announceCancelled(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  { at, since }: { at: string; since: string },
): Promise<void> {
  await all(
    tx,
    sql`insert into events (workspace_id, id, type, subject_id, data, created_at)
        select ${workspaceId}::uuid, ${uuidv7()}::uuid, 'call_job.rows_cancelled', ${jobId}::uuid, '{}', ${at}::timestamptz
         where not exists (select 1 from events where workspace_id = ${workspaceId} and id > ${since}
                              and type = 'call_job.rows_cancelled' and subject_id = ${jobId})`,
  );
}

/** Returns the fields that decide whether a row can be cancelled; undefined when there is no such row. */
export function findCancellable(
  db: Executor,
  workspaceId: string,
  rowId: string,
): Promise<{ job_id: string; status: RowStatus; ended_at: Date | null } | undefined> {
  return first(
    db,
    sql`select job_id, status, ended_at from call_rows where workspace_id = ${workspaceId} and id = ${rowId}`,
  );
}

/**
 * Cancels one row if it waits; false when it no longer does. The last row completes its job like FINISH does. The
 * caller has locked the job, if there is one.
 */
export async function cancelWaitingRow(tx: Executor, workspaceId: string, rowId: string): Promise<boolean> {
  const cancelled = await first(
    tx,
    sql`with cancelled as (
          ${CANCEL} now()
          where workspace_id = ${workspaceId} and id = ${rowId} and status in (${CANCELLABLE})
          returning workspace_id, id, job_id, status, outcome, end_reason, answered_at, attempts_made, human_requested
        ), ${CLOSE_SESSIONS}, announced as (
          insert into events (workspace_id, id, type, subject_id, data)
          select workspace_id, ${uuidv7()}::uuid, 'call.ended', id,
                 json_build_object('jobId', job_id, 'status', status, 'outcome', outcome)
            from cancelled
        ), counted as (
          update call_jobs j
             set processed_rows = j.processed_rows + 1, error_rows = j.error_rows + 1,
                 status = case when j.processed_rows + 1 < j.total_rows then j.status
                               when j.status = 'CANCELLING' then 'CANCELLED' else 'COMPLETED' end,
                 pause_reason = case when j.processed_rows + 1 < j.total_rows then j.pause_reason end,
                 completed_at = case when j.processed_rows + 1 = j.total_rows then now() end, updated_at = now()
            from cancelled c where j.workspace_id = c.workspace_id and j.id = c.job_id
          returning j.*, ${uuidv7()}::uuid as event_id
        ), completed as (select * from counted where processed_rows = total_rows),
        closed as (
          update lanes l set is_open = false from completed j where l.workspace_id = j.workspace_id and l.job_id = j.id
        ),
        ${sql.raw(ANNOUNCE_COMPLETED_SQL)}
        select id from cancelled`,
  );
  return cancelled !== undefined;
}
