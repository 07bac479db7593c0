import { type JobAction, jobActions, type JobStatus } from "#src/interactions/call-jobs/states.ts";
import { IMPORTING_SQL } from "#src/interactions/calls/importing.ts";
import { NO_JOB } from "#src/interactions/calls/new-row.ts";
import { type CallAction, callActions, type RowStatus } from "#src/interactions/calls/states.ts";
import { WAITS_IN_LANE_SQL } from "#src/interactions/calls/waiting-rows.ts";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";

/** A call on the line. */
export interface LiveCall {
  rowId: string;
  jobId: string | null;
  sessionId: string;
  direction: string;
  customerNumber: string;
  contactName: string | null;
  /** Null: a call over the web. */
  fromPhoneNumber: string | null;
  status: "DIALING" | "RINGING" | "IN_PROGRESS" | "UNKNOWN";
  /** Actions that the status permits. */
  actions: CallAction[];
  attempt: number;
  startedAt: string;
  answeredAt: string | null;
}

/** Progress of a job. */
export interface JobState {
  jobId: string;
  name: string;
  status: JobStatus;
  /** Actions that the state permits. */
  actions: JobAction[];
  run: number;
  totalRows: number;
  processedRows: number;
  successfulRows: number;
  reachedRows: number;
  machineRows: number;
  errorRows: number;
  liveCalls: number;
}

/** An event in the feed. */
export interface FeedEvent {
  id: string;
  type: string;
  subjectId: string;
  jobId: string | null;
  at: string;
}

/** An attempt to deliver a webhook. */
export interface FeedDelivery {
  deliveryId: string;
  attempt: number;
  responseStatus: number | null;
  error: string | null;
  at: string;
}

/** A call whose dialogue is followed. */
export interface WatchedRow {
  /** Stage of the flow in which the call is; null without stages. */
  stageId: string | null;
  rowId: string;
  status: RowStatus;
  /** Actions that the call permits. */
  actions: CallAction[];
  endedAt: string | null;
  /** Null: unchanged. */
  transcript: unknown[] | null;
  outputs: Record<string, unknown> | null;
  updatedAt: Date | null;
}

/** Returns the SQL of a timestamp as ISO 8601. */
export const isoSql = (column: string) =>
  sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

/** Columns of a `LiveCall`, from its row `r`, its live attempt `a` and its number `p`. */
export const LIVE_CALL_COLUMNS = sql`r.id as "rowId", nullif(r.job_id, ${NO_JOB}::uuid) as "jobId", r.session_id as "sessionId", r.direction,
               r.customer_number as "customerNumber", r.contact_name as "contactName", p.number as "fromPhoneNumber",
               case when r.status = 'UNKNOWN' then r.status
                    when a.state in ('RINGING', 'IN_PROGRESS', 'UNKNOWN') then a.state else 'DIALING' end as status,
               a.number as attempt, ${isoSql("a.submitted_at")} as "startedAt", ${isoSql("a.answered_at")} as "answeredAt"`;

/** Counts of a workspace at a moment. */
export interface Counts {
  /** The database's time, which is the same for all nodes. */
  nowMs: number;
  liveCalls: number;
  ringing: number;
  inProgress: number;
  /** Live calls with an open alert. */
  alertedCalls: number;
  /** Calls outside of jobs that wait to be dialled, such as callbacks. */
  queuedAlone: number;
  openChats: number;
  /** Chats whose person asked for a human, and which no operator has taken over. */
  waitingChats: number;
}

/** Calls outside of jobs that are counted while they wait. */
const MOST_ALONE = 1_000;

/**
 * Returns what every tick counts, in one statement: several at once would keep that many processes of the database busy
 * for each open dashboard. Waiting calls are found by lanes, as those of a number.
 */
export async function readCounts(db: Executor, workspaceId: string): Promise<Counts> {
  const counts = await first<Counts>(
    db,
    sql`select (extract(epoch from clock_timestamp()) * 1000)::int8 as "nowMs", live.*,
          (select count(distinct w.row_id) from call_alerts w
             join call_rows r on r.workspace_id = w.workspace_id and r.id = w.row_id and r.ended_at is null
            where w.workspace_id = ${workspaceId} and w.cleared_at is null) as "alertedCalls",
          (select count(*) from (select 1 from lanes l cross join lateral (select 1 from call_rows r
             where ${sql.raw(WAITS_IN_LANE_SQL)}
             order by r.due_at, r.id limit ${sql.lit(MOST_ALONE)}) queued
           where l.workspace_id = ${workspaceId} and l.job_id = ${NO_JOB}::uuid
           limit ${sql.lit(MOST_ALONE)}) waiting) as "queuedAlone",
          (select count(*) from chat_sessions
            where workspace_id = ${workspaceId} and status in ('ACTIVE', 'HANDED_OFF')) as "openChats",
          (select count(*) from chat_sessions
            where workspace_id = ${workspaceId} and human_requested_at is not null and ended_at is null) as "waitingChats"
        from (select count(*) as "liveCalls", count(*) filter (where state = 'RINGING') as ringing,
                     count(*) filter (where state = 'IN_PROGRESS') as "inProgress"
                from call_attempts where workspace_id = ${workspaceId} and ended_at is null) live`,
  );
  return counts as Counts;
}

/** Returns the newest calls on the line, read from the index of live attempts. */
export async function readLiveCalls(db: Executor, workspaceId: string, limit: number): Promise<LiveCall[]> {
  const calls = await all<Omit<LiveCall, "actions">>(
    db,
    sql`select ${LIVE_CALL_COLUMNS}
          from (select * from call_attempts where workspace_id = ${workspaceId} and ended_at is null
                 order by id desc limit ${limit}) a
          join call_rows r on r.workspace_id = a.workspace_id and r.id = a.row_id
          left join phone_numbers p on p.workspace_id = a.workspace_id and p.id = a.phone_number_id
         order by a.id desc`,
  );
  return calls.map((call) => ({ ...call, actions: callActions(call.status, false) }));
}

/** Returns the jobs under way, and those of `known` that no longer are. */
export async function readJobs(db: Executor, workspaceId: string, known: string[]): Promise<JobState[]> {
  const jobs = await all<Omit<JobState, "actions">>(
    db,
    sql`select j.id as "jobId", j.name, j.run,
          case when j.status = 'RUNNING' and j.start_at > now() then 'SCHEDULED' else j.status end as status, j.total_rows as "totalRows",
               j.processed_rows as "processedRows", j.successful_rows as "successfulRows",
               j.reached_rows as "reachedRows", j.machine_rows as "machineRows",
               j.error_rows as "errorRows", coalesce(l.live, 0)::int as "liveCalls"
          from call_jobs j
          left join lateral (
            select sum(active_calls) as live from lanes l
             where l.workspace_id = j.workspace_id and l.phone_number_id = any(j.phone_number_ids) and l.job_id = j.id
          ) l on true
         where j.workspace_id = ${workspaceId} and (j.id = any(${known}::uuid[])
           or j.status in ('IMPORTING', 'RUNNING', 'PAUSED', 'CANCELLING'))
         order by j.id`,
  );
  return jobs.map((job) => ({ ...job, actions: jobActions(job.status) }));
}

/** Returns the events between two moments, newest first. Ids follow the clock, so the primary key finds them. */
export function readEvents(
  db: Executor,
  workspaceId: string,
  { fromMs, toMs, limit }: { fromMs: number; toMs: number; limit: number },
): Promise<FeedEvent[]> {
  return all<FeedEvent>(
    db,
    sql`select id, type, subject_id as "subjectId", nullif(data ->> 'jobId', ${NO_JOB}) as "jobId",
               ${isoSql("created_at")} as at
          from events
         where workspace_id = ${workspaceId} and id >= ${idAt(fromMs)}::uuid and id < ${idAt(toMs)}::uuid
         order by id desc limit ${limit}`,
  );
}

/** Returns the attempts to deliver webhooks since a moment, newest first. */
export function readDeliveries(
  db: Executor,
  workspaceId: string,
  sinceMs: number,
  limit: number,
): Promise<FeedDelivery[]> {
  return all<FeedDelivery>(
    db,
    sql`select task_id as "deliveryId", attempt, response_status as "responseStatus", error, ${isoSql("created_at")} as at
          from webhook_attempts
         where workspace_id = ${workspaceId} and created_at >= ${new Date(sinceMs)}
         order by created_at desc limit ${limit}`,
  );
}

/** Returns followed calls; their dialogue only where it changed since `known`. */
export async function readWatched(
  db: Executor,
  workspaceId: string,
  known: { rowId: string; updatedAt: Date | null }[],
): Promise<WatchedRow[]> {
  const rows = await all<Omit<WatchedRow, "actions"> & { isImporting: boolean }>(
    db,
    sql`select r.id as "rowId", coalesce(case when r.status = 'DIALING' and a.state in ('RINGING', 'IN_PROGRESS') then a.state end, r.status) as status,
               ${isoSql("r.ended_at")} as "endedAt", c.updated_at as "updatedAt", ${sql.raw(IMPORTING_SQL)} as "isImporting",
               case when c.updated_at > coalesce(k.updated_at, '-infinity') then c.transcript end as transcript,
               case when c.updated_at > coalesce(k.updated_at, '-infinity') then c.structured_outputs end as outputs,
               c.stage_path -> -1 ->> 'stageId' as "stageId"
          from unnest(${known.map((one) => one.rowId)}::uuid[], ${known.map((one) => one.updatedAt)}::timestamptz[])
                 as k(row_id, updated_at)
          join call_rows r on r.workspace_id = ${workspaceId} and r.id = k.row_id
          left join call_attempts a on a.workspace_id = r.workspace_id and a.id = r.attempt_id and a.ended_at is null
          left join call_results c on c.workspace_id = r.workspace_id and c.row_id = r.id`,
  );
  return rows.map(({ isImporting, ...row }) => ({ ...row, actions: callActions(row.status, isImporting) }));
}

/** Returns the first version 7 id that a moment can have. */
function idAt(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
