import type pg from "pg";
import { answeredSql } from "#src/interactions/calls/answered.ts";
import { wakeLanes } from "#src/interactions/calls/queue-rows.ts";
import { all, type Executor, first, lockName, sql } from "#src/platform/db/database.ts";
import { runBounded } from "#src/platform/db/housekeeping.ts";
import { NIL_UUID } from "#src/platform/kernel/id.ts";

/** Limit of a job's concurrent calls on one of its numbers; null: as many as the number allows. */
export interface LaneShare {
  phoneNumberId: string;
  maxCalls: number | null;
}

/**
 * Serialises changes of a job's list until the transaction ends. Calls go on in the meantime, because neither the claim
 * nor FINISH takes this lock.
 */
export async function lockList(tx: Executor, workspaceId: string, jobId: string): Promise<void> {
  await lockName(tx, "call_jobs", "list", workspaceId, jobId);
}

/** Returns the time of the transaction, as PostgreSQL writes it. */
export async function readNow(tx: Executor): Promise<string> {
  const row = await first<{ at: string }>(tx, sql`select now()::text as at`);
  return (row as { at: string }).at;
}

/** Returns those of the external ids that a job already has. */
export async function findExternalIds(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  externalIds: string[],
): Promise<Set<string>> {
  const rows = await all<{ external_id: string }>(
    tx,
    sql`select distinct external_id from call_rows
        where workspace_id = ${workspaceId} and job_id = ${jobId} and external_id = any(${externalIds}::text[])`,
  );
  return new Set(rows.map((row) => row.external_id));
}

/** Returns the ACTIVE numbers of a job, in the job's order. */
export function findActiveNumbers(
  tx: Executor,
  workspaceId: string,
  numberIds: string[],
): Promise<{ id: string; number: string }[]> {
  return all(
    tx,
    sql`select p.id, p.number from phone_numbers p
        where p.workspace_id = ${workspaceId} and p.id = any(${numberIds}::uuid[]) and p.status = 'ACTIVE' order by p.id`,
  );
}

/** Rows that one statement looks at to put them back into the queue. */
const BITE = 2_000;
/** The most statements of one transaction, and the rows put back after which none follows. A row costs 0.15 ms. */
const MOST_BITES = 50;
const MANY_PUT_BACK = 4_000;

/** Failed rows to be put back: those with these outcomes that failed by then, behind one that was looked at. */
export interface Failed {
  outcomes: readonly string[];
  maxAttempts: number;
  failedBy: string;
  after: string;
}

/**
 * Puts the next failed rows back into the queue with fresh attempts. Returns their number, how many of them had the
 * outcome of a machine, and the last row that it looked at; null when there are no more. Excludes rows in which a person,
 * or an answerer not identified as a machine, was on the line, and those whose number an erasure or whose variables the
 * retention deleted. Each row becomes a new session, because the end of the earlier one was announced; its first dial
 * chooses the flow's version.
 */
export async function requeueFailed(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  failed: Failed,
): Promise<{ count: number; machines: number; last: string | null }> {
  const sum: { count: number; machines: number; last: string | null } = { count: 0, machines: 0, last: failed.after };
  for (let bites = 0; sum.last !== null && bites < MOST_BITES && sum.count < MANY_PUT_BACK; bites++) {
    const some = await requeueSome(tx, workspaceId, jobId, { ...failed, after: sum.last });
    sum.count += some.count;
    sum.machines += some.machines;
    sum.last = some.last;
  }
  return sum;
}

/** Does so for the next rows. Returns the last row that it looked at, too; null when there are no more. */
async function requeueSome(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  { outcomes, maxAttempts, failedBy, after }: Failed,
): Promise<{ count: number; machines: number; last: string | null }> {
  const row = await first<{ count: number; machines: number; last: string | null }>(
    tx,
    sql`with page as materialized (
          select id from call_rows where workspace_id = ${workspaceId} and job_id = ${jobId} and id > ${after}
           order by id limit ${BITE}
        ), failed as materialized (
          -- One look each, and none by the number: the planner would rather read the index of another column for all.
          select r.id, r.outcome from page p cross join lateral (
            select r.id, r.outcome from call_rows r
             where r.workspace_id = ${workspaceId} and r.id = p.id and r.status = 'FAILED'
               and r.outcome = any(${outcomes}::text[]) and r.ended_at <= ${failedBy}::timestamptz
               -- the number of an erased contact is gone
               and left(r.customer_number, 1) = '+'
               -- the retention deleted the variables of these
               and not r.is_forgotten
               and not exists (select 1 from call_results s
                    where s.workspace_id = r.workspace_id and s.row_id = r.id and s.is_forgotten)
               and not exists (select 1 from call_attempts a
                    where a.workspace_id = r.workspace_id and a.row_id = r.id and a.answered_at is not null
                      and coalesce(a.answered_by, 'UNCERTAIN') not in ('MACHINE_VOICEMAIL', 'MACHINE_UNAVAILABLE', 'FAX'))
               for update of r) r
        ), requeued as (
          update call_rows r
             set status = 'QUEUED', due_at = now(), attempts_made = 0, max_attempts = ${maxAttempts}::int,
                 session_id = gen_random_uuid(), flow_version = null, outcome = null, end_reason = null,
                 answered_by = null, error = null, started_at = null, answered_at = null, ended_at = null,
                 updated_at = now()
            from failed f where r.workspace_id = ${workspaceId} and r.id = f.id
          returning f.outcome)
        select count(*)::int as count,
               (count(*) filter (where ${sql.raw(answeredSql("outcome", "MACHINE"))}))::int as machines,
               (select id from page order by id offset ${BITE - 1}) as last
          from requeued`,
  );
  return row as NonNullable<typeof row>;
}

/**
 * Counts rows that were added or put back. A job that was over runs again in the given lanes, because its earlier ones
 * are closed or already deleted. `run` counts up, so that the job completes once more. The caller has locked numbers
 * and job.
 */
export async function extendRun(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  rows: { added: number; putBack: number; machines: number; rejected: number },
  lanes: LaneShare[],
): Promise<void> {
  await all(
    tx,
    sql`with before as materialized (
          select id, status = 'COMPLETED' as is_over from call_jobs where workspace_id = ${workspaceId} and id = ${jobId}
        ), opened as (
          insert into lanes (workspace_id, phone_number_id, job_id, max_calls)
          select ${workspaceId}::uuid, x."phoneNumberId", b.id, x."maxCalls"
            from before b cross join json_to_recordset(${JSON.stringify(lanes)}::json) as x("phoneNumberId" uuid, "maxCalls" int)
           where b.is_over
          on conflict (workspace_id, phone_number_id, job_id) do update set is_open = true, max_calls = excluded.max_calls
        )
        update call_jobs j
           set total_rows = j.total_rows + ${rows.added}::int, processed_rows = j.processed_rows - ${rows.putBack}::int,
               error_rows = j.error_rows - ${rows.putBack}::int, machine_rows = j.machine_rows - ${rows.machines}::int,
               rejected_rows = j.rejected_rows + ${rows.rejected}::int,
               run = j.run + b.is_over::int, status = case when b.is_over then 'RUNNING' else j.status end,
               pause_reason = case when b.is_over then null else j.pause_reason end, completed_at = null,
               updated_at = now()
          from before b where j.workspace_id = ${workspaceId} and j.id = b.id`,
  );
  await wakeLanes(tx, workspaceId, jobId);
}

/** Fields of a job that may change while it runs; absent ones stay. */
export interface JobChange {
  name?: string;
  maxConcurrency?: number | null;
  retryConfig?: object;
  callingWindow?: object | null;
  webhook?: { stored: object; sealed: Buffer } | null;
}

/** Changes a job. The caller has locked numbers and job. */
export async function updateJob(tx: Executor, workspaceId: string, jobId: string, change: JobChange): Promise<void> {
  const { name, maxConcurrency, retryConfig, callingWindow, webhook } = change;
  const parts = [sql`updated_at = now()`];
  if (name !== undefined) parts.push(sql`name = ${name}`);
  if (maxConcurrency !== undefined) parts.push(sql`max_concurrency = ${maxConcurrency}`);
  if (retryConfig !== undefined) parts.push(sql`retry_config = ${JSON.stringify(retryConfig)}`);
  if (callingWindow !== undefined) {
    parts.push(sql`calling_window = ${callingWindow === null ? null : JSON.stringify(callingWindow)}`);
  }
  if (webhook !== undefined) {
    const stored = webhook === null ? null : JSON.stringify(webhook.stored);
    parts.push(sql`completion_webhook = ${stored}, webhook_secret = ${webhook?.sealed ?? null}`);
  }
  await all(tx, sql`update call_jobs set ${sql.join(parts)} where workspace_id = ${workspaceId} and id = ${jobId}`);
}

/**
 * Deletes lanes of jobs that are over, and closes those with calls that are still ending, at most 500 jobs a run. It
 * skips jobs and lanes that are locked, so it waits for nothing, and a job that is running again keeps its lanes.
 */
export async function sweepLanes(pool: pg.Pool): Promise<void> {
  await runBounded(
    pool,
    `with over as materialized (
       select j.workspace_id, j.id
         from (select distinct workspace_id, job_id from lanes) l
         join call_jobs j on j.workspace_id = l.workspace_id and j.id = l.job_id
        where j.status in ('COMPLETED', 'CANCELLED', 'FAILED')
        limit 500 for no key update of j skip locked
     ),
     found as materialized (
       select l.ctid as place, l.active_calls from over j join lanes l on l.workspace_id = j.workspace_id and l.job_id = j.id
          for update of l skip locked
     ),
     closed as (
       update lanes set is_open = false where ctid = any (array(select place from found where active_calls > 0)) and is_open
     )
     delete from lanes where ctid = any (array(select place from found where active_calls = 0))`,
  );
}

/** Stores the limit of concurrent calls of each lane of a job. The caller has locked the numbers. */
export async function setLaneLimits(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  lanes: LaneShare[],
): Promise<void> {
  await all(
    tx,
    sql`update lanes l set max_calls = x."maxCalls"
          from json_to_recordset(${JSON.stringify(lanes)}::json) as x("phoneNumberId" uuid, "maxCalls" int)
         where l.workspace_id = ${workspaceId} and l.job_id = ${jobId} and l.phone_number_id = x."phoneNumberId"`,
  );
}

/** Rows that one statement reads. */
const PAGE = 5_000;

/** A time zone, as far as it is known, and a country. */
interface Place {
  time_zone: string | null;
  number_country: string;
}

/** Returns the places of the contacts that a job has yet to call; each at least once. */
export async function findPlaces(tx: Executor, workspaceId: string, jobId: string): Promise<Place[]> {
  const places: Place[] = [];
  for (let after: string | null = NIL_UUID; after !== null;) {
    const found: { places: Place[]; last: string | null } | undefined = await first(
      tx,
      sql`with page as materialized (
            select id, time_zone, number_country, status from call_rows
             where workspace_id = ${workspaceId} and job_id = ${jobId} and id > ${after} order by id limit ${PAGE})
          select (select coalesce(json_agg(d), '[]') from (
                    select distinct time_zone, number_country from page
                     where status not in ('COMPLETED', 'FAILED', 'SKIPPED', 'CANCELLED', 'UNCONFIRMED')) d) as places,
                 (select id from page order by id offset ${PAGE - 1}) as last`,
    );
    places.push(...(found?.places ?? []));
    after = found?.last ?? null;
  }
  return places;
}
