import { ANNOUNCE_SESSION_ENDED_SQL } from "#src/interactions/calls/session-end.ts";
import { allowsOnCall, ROW_STATUSES, type RowStatus } from "#src/interactions/calls/states.ts";
import { type Executor, first, sql } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { ANNOUNCE_COMPLETED_SQL } from "./completion.ts";

/** Stored statuses that permit a cancel. WAITING_FOR_WINDOW is only shown, and the indexes do not know it. */
const CANCELLABLE = sql.raw(
  ROW_STATUSES.filter((status) => status !== "WAITING_FOR_WINDOW" && allowsOnCall(status, "cancel"))
    .map((status) => `'${status}'`)
    .join(", "),
);

/** Cancels the rows that its `where` selects. */
const CANCEL = sql`
  update call_rows set status = 'CANCELLED', outcome = 'CANCELLED', end_reason = 'CANCELLED_BY_USER', ended_at = now(),
         updated_at = now()`;
const CLOSE_SESSIONS = sql`
  closed_sessions as (
    select workspace_id, id, gen_random_uuid() as event_id, status, outcome, end_reason, answered_at, human_requested
      from cancelled where attempts_made > 0
  ),
  ${sql.raw(ANNOUNCE_SESSION_ENDED_SQL)}`;

/**
 * Cancels the rows that wait, and the job: at once when no call is live, otherwise CANCELLING until the live ones end.
 * The caller has locked numbers and job. Completes the job like FINISH does. A million rows may wait, so one event
 * stands for all of them. It is created at the time when they ended, by which digests find them.
 */
export async function cancelWaiting(tx: Executor, workspaceId: string, jobId: string): Promise<void> {
  const cancelled = await first<{ n: number }>(
    tx,
    sql`with cancelled as (
          ${CANCEL}
          where workspace_id = ${workspaceId} and job_id = ${jobId} and status in (${CANCELLABLE})
          returning workspace_id, id, status, outcome, end_reason, answered_at, attempts_made, human_requested
        ), ${CLOSE_SESSIONS}, closed as (
          update lanes set is_open = false where workspace_id = ${workspaceId} and job_id = ${jobId}
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
        select count(*)::int as n from cancelled`,
  );
  if (!cancelled?.n) return;
  const data = { rows: cancelled.n };
  await appendEvents(tx, workspaceId, [{ type: "call_job.rows_cancelled", subjectId: jobId, data }]);
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
          ${CANCEL}
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
