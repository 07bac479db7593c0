import type { RetryConfig } from "#src/interactions/calls/retry.ts";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countAll, countOf, limitTo, orderById, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { readAnchor, type Sort } from "#src/platform/http/sorting.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { CallingWindow } from "#src/tenancy/compliance/calling-window.ts";
import { ANNOUNCE_COMPLETED_SQL } from "./completion.ts";
import type { RowFault } from "./contact.ts";
import { countedRows } from "./row-sums.ts";
import type { JobStatus } from "./states.ts";

/** The public half of a job's completion webhook. The secrets are sealed separately. */
export interface StoredWebhook {
  url: string;
  authMode: "NONE" | "BEARER" | "CUSTOM_HEADER";
  headerName: string | null;
}

export interface CallJobRow {
  id: string;
  name: string;
  status: Exclude<JobStatus, "SCHEDULED">;
  pause_reason: string | null;
  run: number;
  flow_id: string | null;
  flow_api_id: string | null;
  inline_flow: object | null;
  phone_number_ids: string[];
  from_numbers: string[];
  max_concurrency: number | null;
  retry_config: RetryConfig;
  completion_webhook: StoredWebhook | null;
  webhook_secret: Buffer | null;
  calling_window: CallingWindow | null;
  start_at: Date | null;
  total_rows: number;
  processed_rows: number;
  successful_rows: number;
  error_rows: number;
  reached_rows: number;
  machine_rows: number;
  rejected_rows: number;
  /** Last line of the job's file that was imported. */
  imported_line: number;
  /** Rows of its file whose names are indexed; null: all. */
  named_rows: number | null;
  live_rows: number;
  retry_rows: number;
  created_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
  updated_at: Date;
}

export interface NewJob {
  id: string;
  name: string;
  status: "IMPORTING" | "RUNNING";
  flowId: string | null;
  flowApiId: string | null;
  inlineFlow: object | null;
  phoneNumberIds: string[];
  maxConcurrency: number | null;
  retryConfig: RetryConfig;
  webhook: StoredWebhook | null;
  webhookSecret: Buffer | null;
  callingWindow: CallingWindow | null;
  startAt: Date | null;
}

/** Stores a new job without rows. */
export async function insertJob(tx: Executor, workspaceId: string, job: NewJob): Promise<void> {
  await all(
    tx,
    sql`insert into call_jobs (workspace_id, id, name, status, flow_id, flow_api_id, inline_flow, phone_number_ids,
          max_concurrency, retry_config, completion_webhook, webhook_secret, calling_window, start_at, started_at)
        values (${workspaceId}, ${job.id}, ${job.name}, ${job.status}, ${job.flowId}, ${job.flowApiId},
          ${json(job.inlineFlow)}, ${job.phoneNumberIds}::uuid[], ${job.maxConcurrency}, ${JSON.stringify(job.retryConfig)},
          ${json(job.webhook)}, ${job.webhookSecret}, ${json(job.callingWindow)}, ${job.startAt}, coalesce(${job.startAt}::timestamptz, now()))`,
  );
}

function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Opens a job for dialling once all its rows are stored. */
export async function openJob(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  counts: { total: number; rejected: number },
): Promise<void> {
  await all(
    tx,
    sql`update call_jobs set status = case when status = 'IMPORTING' then 'RUNNING' else status end,
          total_rows = ${counts.total}, rejected_rows = ${counts.rejected}, updated_at = now()
        where workspace_id = ${workspaceId} and id = ${jobId}`,
  );
}

/**
 * Records the progress of the import of a job's file, and the counts of the lines since the last time. The names of
 * these rows are not indexed yet.
 */
export async function noteImported(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  { line, total, rejected }: { line: number; total: number; rejected: number },
): Promise<void> {
  await all(
    tx,
    sql`update call_jobs set imported_line = ${line}, total_rows = total_rows + ${total},
          rejected_rows = rejected_rows + ${rejected}, named_rows = 0, updated_at = now()
        where workspace_id = ${workspaceId} and id = ${jobId}`,
  );
}

/** Ends a job as FAILED: its file held no callable row or could not be read. Its end is announced like any other. */
export async function failJob(tx: Executor, workspaceId: string, jobId: string, rejected: number): Promise<void> {
  await all(
    tx,
    sql`with completed as (
          update call_jobs set status = 'FAILED', total_rows = 0, rejected_rows = ${rejected}, named_rows = null,
                 completed_at = now(), updated_at = now()
           where workspace_id = ${workspaceId} and id = ${jobId}
          returning *, ${uuidv7()}::uuid as event_id
        ), ${sql.raw(ANNOUNCE_COMPLETED_SQL)}
        select id from completed`,
  );
}

/** Rows that wait for another attempt: as they are kept, and of a job of an earlier version one by one (row-sums.ts). */
const RETRY_ROWS = sql`
  case when j.has_sums then (select coalesce(sum(c.rows), 0)::int
      from ${countedRows(sql`r.workspace_id = j.workspace_id and r.job_id = j.id`)} c where c.status = 'WAITING_FOR_RETRY')
    else (select count(*)::int from call_rows r where r.workspace_id = j.workspace_id and r.job_id = j.id
      and r.direction = 'OUTBOUND' and r.status = 'WAITING_FOR_RETRY') end`;

const RECORD = sql`
  select j.*, ${RETRY_ROWS} as retry_rows, (select array_agg(p.number order by p.id) from phone_numbers p
                where p.workspace_id = j.workspace_id and p.id = any(j.phone_number_ids)) as from_numbers,
    coalesce((select sum(l.active_calls)::int from lanes l
      where l.workspace_id = j.workspace_id and l.job_id = j.id), 0) as live_rows
  from call_jobs j`;

/** One job. */
export function findJob(tx: Executor, workspaceId: string, id: string): Promise<CallJobRow | undefined> {
  return first(tx, sql`${RECORD} where j.workspace_id = ${workspaceId} and j.id = ${id}`);
}

/** Filters of a list of jobs. */
export interface JobFilter {
  /** As the API shows them: SCHEDULED is a running job that starts in the future. */
  statuses?: string[] | undefined;
  /** Part of the name. */
  name?: string | undefined;
}

function conditions(workspaceId: string, { statuses, name }: JobFilter) {
  const shown = sql`case when j.status = 'RUNNING' and j.start_at > now() then 'SCHEDULED' else j.status end`;
  const pattern = name === undefined ? "" : `%${name.replaceAll(/[\\%_]/g, "\\$&")}%`;
  return sql`j.workspace_id = ${workspaceId}
    and ${statuses === undefined ? sql`true` : sql`${shown} = any(${statuses}::text[])`}
    and ${name === undefined ? sql`true` : sql`j.name ilike ${pattern}`}`;
}

/** Columns by which jobs are sorted. */
export const JOBS_SORTED_BY = ["createdAt", "name"] as const;

/** A page of jobs in an order, with one more than asked for. */
export async function listJobs(
  tx: Executor,
  workspaceId: string,
  filter: JobFilter,
  { by, isDescending }: Sort<(typeof JOBS_SORTED_BY)[number]>,
  page: PageRequest,
): Promise<CallJobRow[]> {
  const { after, order } =
    by === "name" ? await inOrderOfNames(tx, workspaceId, isDescending, page) : orderById(page, "j.id", isDescending);
  return all(
    tx,
    // The ids are found first: of jobs that a far page skips, no rows are summed up.
    sql`${RECORD} where j.workspace_id = ${workspaceId} and j.id = any (array(
          select j.id from call_jobs j where ${conditions(workspaceId, filter)} and ${after}
           order by ${order} ${limitTo(page)}))
        order by ${order}`,
  );
}

async function inOrderOfNames(tx: Executor, workspaceId: string, isDescending: boolean, page: PageRequest) {
  const anchor = await readAnchor(page, (id) =>
    first<{ name: string }>(
      tx,
      sql`select lower(name) as name from call_jobs where workspace_id = ${workspaceId} and id = ${id}`,
    ),
  );
  const [compared, direction] = isDescending ? [sql`<`, sql`desc`] : [sql`>`, sql`asc`];
  const after = anchor ? sql`(lower(j.name), j.id) ${compared} (${anchor.name}::text, ${page.after}::uuid)` : sql`true`;
  return { after, order: sql`lower(j.name) ${direction}, j.id ${direction}` };
}

/** Returns the number of jobs that match a filter. */
export function countJobs(tx: Executor, workspaceId: string, filter: JobFilter): Promise<number> {
  return countOf(tx, sql`call_jobs j where ${conditions(workspaceId, filter)}`);
}

/** Stores the faults of rejected lines. */
export async function insertRowErrors(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  faults: RowFault[],
): Promise<void> {
  await all(
    tx,
    sql`insert into call_job_row_errors (workspace_id, job_id, line, column_name, code, message)
        select ${workspaceId}::uuid, ${jobId}::uuid, line, "column", code, message
        from json_to_recordset(${JSON.stringify(faults)}::json) as x(line int, "column" text, code text, message text)`,
  );
}

/** Counts the rejected lines of a job. */
export function countRowErrors(tx: Executor, workspaceId: string, jobId: string): Promise<number> {
  return countAll(tx, sql`call_job_row_errors where workspace_id = ${workspaceId} and job_id = ${jobId}`);
}

/** Deletes at most 10,000 of the rejected lines after `line`, which an import that resumes there reads again; false when there are none. */
export async function forgetErrorsAfter(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  line: number,
): Promise<boolean> {
  const rows = await all(
    tx,
    sql`delete from call_job_row_errors where ctid = any (array(
          select ctid from call_job_row_errors
           where workspace_id = ${workspaceId} and job_id = ${jobId} and line > ${line} limit 10000))
        returning line`,
  );
  return rows.length > 0;
}

/** Deletes at most 2,000 rows of a job and returns how many. */
export async function deleteSomeRows(tx: Executor, workspaceId: string, jobId: string): Promise<number> {
  const rows = await all(
    tx,
    sql`delete from call_rows where workspace_id = ${workspaceId} and id in (
          select id from call_rows where workspace_id = ${workspaceId} and job_id = ${jobId} limit 2000)
        returning id`,
  );
  return rows.length;
}

/** A page of rejected lines. */
export async function listRowErrors(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  page: { page: number; size: number },
): Promise<RowFault[]> {
  return all<RowFault>(
    tx,
    sql`select line, column_name as "column", code, message from call_job_row_errors
        where workspace_id = ${workspaceId} and job_id = ${jobId}
        order by line, column_name limit ${page.size} offset ${page.page * page.size}`,
  );
}

/** Locks the numbers of a job and then the job, the order in which FINISH takes them. */
export async function lockJob(tx: Executor, workspaceId: string, id: string): Promise<CallJobRow | undefined> {
  await all(
    tx,
    sql`select p.id from phone_numbers p join call_jobs j on j.workspace_id = p.workspace_id and p.id = any(j.phone_number_ids)
        where j.workspace_id = ${workspaceId} and j.id = ${id} order by p.id for update of p`,
  );
  return first(tx, sql`select * from call_jobs where workspace_id = ${workspaceId} and id = ${id} for update`);
}

/** Locks an IMPORTING job alone. It has no calls yet, and its numbers are busy with other jobs. */
export function lockUnopenedJob(tx: Executor, workspaceId: string, id: string): Promise<CallJobRow | undefined> {
  return first(
    tx,
    sql`select * from call_jobs where workspace_id = ${workspaceId} and id = ${id} and status = 'IMPORTING' for update`,
  );
}

/** Locks a CANCELLING job alone: its lanes are closed. */
export function lockCancellingJob(tx: Executor, workspaceId: string, id: string): Promise<{ id: string } | undefined> {
  return first(
    tx,
    sql`select id from call_jobs where workspace_id = ${workspaceId} and id = ${id} and status = 'CANCELLING' for update`,
  );
}

/** Closes or opens the lanes of a job. The claim takes no rows from closed ones. */
export async function setLanesOpen(tx: Executor, workspaceId: string, jobId: string, isOpen: boolean): Promise<void> {
  await all(
    tx,
    sql`update lanes set is_open = ${isOpen}, next_look_at = now()
         where workspace_id = ${workspaceId} and job_id = ${jobId}`,
  );
}

/** Stores a job's status. A job that was held back counts as started when it first runs. */
export async function setStatus(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  status: CallJobRow["status"],
  pauseReason: string | null,
): Promise<void> {
  await all(
    tx,
    sql`update call_jobs set status = ${status}, pause_reason = ${pauseReason}, updated_at = now(),
          started_at = case when ${pauseReason}::text = 'NOT_STARTED' then null else coalesce(started_at, now()) end
        where workspace_id = ${workspaceId} and id = ${jobId}`,
  );
}

/** Stores a piece of a large file. */
export async function insertChunk(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  position: number,
  data: Buffer,
): Promise<void> {
  await all(
    tx,
    sql`insert into import_chunks (workspace_id, job_id, position, data) values (${workspaceId}, ${jobId}, ${position}, ${data})`,
  );
}

/** Reads a piece of a large file. */
export async function findChunk(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  position: number,
): Promise<Buffer | undefined> {
  const row = await first<{ data: Buffer }>(
    tx,
    sql`select data from import_chunks where workspace_id = ${workspaceId} and job_id = ${jobId} and position = ${position}`,
  );
  return row?.data;
}

/** The most chunks that one statement deletes. */
const CHUNK_BITE = 32;

/** Deletes a large file, by statements that take few chunks each. */
export async function deleteChunks(db: Executor, workspaceId: string, jobId: string): Promise<void> {
  for (let gone = CHUNK_BITE; gone === CHUNK_BITE;) {
    const rows = await all(
      db,
      sql`delete from import_chunks where workspace_id = ${workspaceId} and job_id = ${jobId} and position = any (array(
            select position from import_chunks where workspace_id = ${workspaceId} and job_id = ${jobId}
             order by position limit ${CHUNK_BITE}))
          returning position`,
    );
    gone = rows.length;
  }
}
