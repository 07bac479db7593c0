import type { RawBuilder } from "kysely";
import { NO_JOB } from "#src/interactions/calls/new-row.ts";
import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { NIL_UUID } from "#src/platform/kernel/id.ts";
import type { ExportSettings } from "./export-settings.ts";
import type { ReportRow } from "./report/report-row.ts";

const PAGE_ROWS = 1_000;

/** Selection of calls: those of a job, those of the history, or those that ended in a span of time. */
export type RowScope =
  | { kind: "JOB" | "HISTORY"; jobId: string | null; filter: ExportSettings | null }
  | { kind: "ENDED"; from: Date; until: Date };

const COLUMNS = sql`
  r.id, nullif(r.job_id, ${NO_JOB}::uuid) as job_id, r.line, r.external_id, r.customer_number, p.number as from_number,
  r.contact_name, r.contact_email, r.status, r.outcome, r.end_reason, r.answered_by, r.attempts_made, r.max_attempts,
  r.error, r.row_data, r.created_at, r.started_at, r.answered_at, r.ended_at, s.duration_ms, s.extracted_fields`;

const JOINS = sql`
  left join phone_numbers p on p.workspace_id = r.workspace_id and p.id = r.phone_number_id
  left join call_results s on s.workspace_id = r.workspace_id and s.row_id = r.id`;

/** Yields the calls of a scope a page at a time, so that memory stays flat however many there are. */
export function readRowPages(tx: Executor, workspaceId: string, scope: RowScope): AsyncGenerator<ReportRow[]> {
  return scope.kind === "ENDED" ? readEnded(tx, workspaceId, scope) : readStored(tx, workspaceId, scope);
}

function readStored(
  tx: Executor,
  workspaceId: string,
  scope: Extract<RowScope, { kind: "JOB" | "HISTORY" }>,
): AsyncGenerator<ReportRow[]> {
  const wanted =
    scope.jobId === null ? sql`(r.job_id = ${NO_JOB} or r.status <> 'QUEUED')` : sql`r.job_id = ${scope.jobId}`;
  return readMatching(tx, workspaceId, scope.filter ? sql`${wanted} and ${narrow(scope.filter)}` : wanted);
}

/** Yields the calls `r` that a condition selects, in the order of their ids. */
async function* readMatching(
  tx: Executor,
  workspaceId: string,
  condition: RawBuilder<unknown>,
): AsyncGenerator<ReportRow[]> {
  for (let after = NIL_UUID; ;) {
    const rows = await all<ReportRow>(
      tx,
      sql`select ${COLUMNS} from call_rows r ${JOINS}
          where r.workspace_id = ${workspaceId} and ${condition} and r.id > ${after}
          order by r.id limit ${PAGE_ROWS}`,
    );
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE_ROWS) return;
    after = (rows.at(-1) as ReportRow).id;
  }
}

function narrow(filter: ExportSettings) {
  const parts = [sql`true`];
  if (filter.status.length > 0) parts.push(sql`r.status = any(${filter.status}::text[])`);
  if (filter.outcome.length > 0) parts.push(sql`r.outcome = any(${filter.outcome}::text[])`);
  if (filter.createdAfter) parts.push(sql`r.created_at >= ${filter.createdAfter}::timestamptz`);
  if (filter.createdBefore) parts.push(sql`r.created_at < ${filter.createdBefore}::timestamptz`);
  return sql.join(parts, sql` and `);
}

type Span = Extract<RowScope, { kind: "ENDED" }>;

/** The end of the rows that were cancelled together with their job. */
interface JobCancel {
  job_id: string;
  /** Time of the end as PostgreSQL writes it, because a Date has no microseconds. */
  at: string;
}

/** Yields the calls that ended in a span, each once: those cancelled with their job, then all others. */
async function* readEnded(tx: Executor, workspaceId: string, span: Span): AsyncGenerator<ReportRow[]> {
  const cancels = await listCancels(tx, workspaceId, span);
  for (const { job_id: jobId, at } of cancels) {
    yield* readMatching(tx, workspaceId, sql`r.job_id = ${jobId} and r.ended_at = ${at}::timestamptz`);
  }
  yield* readAnnounced(tx, workspaceId, span, cancels);
}

/** Lists the cancelled jobs of a span. One event stands for all rows that were cancelled with a job. */
function listCancels(tx: Executor, workspaceId: string, { from, until }: Span): Promise<JobCancel[]> {
  return all(
    tx,
    sql`select subject_id as job_id, created_at::text as at from events
         where workspace_id = ${workspaceId} and type = 'call_job.rows_cancelled'
           and id >= ${firstIdAt(from)} and id < ${firstIdAt(until)} order by id`,
  );
}

/**
 * Yields the calls whose end was announced by an event of its own. Events are already ordered by time, whereas an index
 * on the end of calls would cost every call a write. A call that ended twice (it was dialled again) is read once, and
 * not at all when its second end was the cancel of its job.
 */
async function* readAnnounced(
  tx: Executor,
  workspaceId: string,
  { from, until }: Span,
  cancels: JobCancel[],
): AsyncGenerator<ReportRow[]> {
  const seen = new Set<string>();
  const end = firstIdAt(until);
  for (let at = firstIdAt(from), isFirst = true; ; isFirst = false) {
    const rows = await all<ReportRow & { event_id: string; is_counted: boolean }>(
      tx,
      sql`select e.id as event_id, ${COLUMNS},
                 exists (select 1 from json_to_recordset(${JSON.stringify(cancels)}::json) c(job_id uuid, at timestamptz)
                          where c.job_id = r.job_id and c.at = r.ended_at) as is_counted
          from (select id, subject_id from events
                 where workspace_id = ${workspaceId} and type = 'call.ended' and id < ${end}
                   and ${isFirst ? sql`id >= ${at}` : sql`id > ${at}`} order by id limit ${PAGE_ROWS}) e
          join call_rows r on r.workspace_id = ${workspaceId} and r.id = e.subject_id ${JOINS}
          order by e.id`,
    );
    const fresh = rows.filter((row) => !row.is_counted && !seen.has(row.id) && seen.add(row.id));
    if (fresh.length > 0) yield fresh;
    if (rows.length < PAGE_ROWS) return;
    at = (rows.at(-1) as { event_id: string }).event_id;
  }
}

/** A job with the columns that reports need. */
export interface ReportJob {
  id: string;
  name: string;
  status: string;
  run: number;
  flow_api_id: string | null;
  total_rows: number;
  processed_rows: number;
  successful_rows: number;
  error_rows: number;
  reached_rows: number;
  machine_rows: number;
  rejected_rows: number;
  started_at: Date | null;
  completed_at: Date | null;
}

/** One job. */
export async function findReportJob(tx: Executor, workspaceId: string, id: string): Promise<ReportJob | undefined> {
  const [job] = await all<ReportJob>(
    tx,
    sql`select * from call_jobs where workspace_id = ${workspaceId} and id = ${id}`,
  );
  return job;
}

const MAX_JOBS = 200;

/** Lists the jobs that completed in a span, at most two hundred, and counts all of them. */
export async function listCompletedJobs(
  tx: Executor,
  workspaceId: string,
  { from, until }: { from: Date; until: Date },
): Promise<{ jobs: ReportJob[]; count: number }> {
  const jobs = await all<ReportJob & { all_jobs: number }>(
    tx,
    sql`select j.*, (count(*) over ())::int as all_jobs from call_jobs j
        where j.workspace_id = ${workspaceId} and j.id in (
          select subject_id from events where workspace_id = ${workspaceId} and type = 'call_job.completed'
             and id >= ${firstIdAt(from)} and id < ${firstIdAt(until)})
        order by j.id limit ${MAX_JOBS}`,
  );
  return { jobs, count: jobs[0]?.all_jobs ?? 0 };
}

/** Returns the lowest UUID version 7 of a moment (RFC 9562, section 5.7). */
export function firstIdAt(time: Date): string {
  const hex = Math.max(0, time.getTime()).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-0000-000000000000`;
}
