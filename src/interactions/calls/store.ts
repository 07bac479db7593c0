import type { RawBuilder } from "kysely";
import type { AmdVerdict } from "#src/audio/line/line.ts";
import type { FilledOutput, Turn } from "#src/engine/conversation/plan.ts";
import type { StageVisit } from "#src/engine/stages/stage-state.ts";
import type { RecordingFault, RecordingPlacement, RecordingState } from "#src/interactions/recordings/recordings.ts";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { FICTIONAL_PATTERN } from "#src/platform/kernel/e164.ts";
import type { CallingWindow } from "#src/tenancy/compliance/calling-window.ts";
import { HELD, type OptOutReviewState, reviewRefSql } from "#src/tenancy/compliance/opt-out-hold.ts";
import { PACE_REASONS } from "#src/tenancy/compliance/person-pace.ts";
import { type CostRecord, costSql } from "#src/tenancy/usage/cost.ts";
import { ALERTS_SQL, type CallAlert } from "./alerts.ts";
import { IMPORTING_SQL } from "./importing.ts";
import { type NewRow, NO_JOB, WEB } from "./new-row.ts";
import type { AttemptState, RowStatus } from "./states.ts";
import { WAITS_SQL } from "./waiting-rows.ts";

/** Fields that all rows of one insert share. */
export interface RowGroup {
  jobId: string;
  flowId: string | null;
  flowApiId: string | null;
  inlineFlow: object | null;
  retryConfig: object | null;
  maxAttempts: number;
  /** Window of calls without a job. Null for the job's window, or none. */
  callingWindow: object | null;
  /** Due time of the first row; null: due at once. */
  startAt: Date | null;
}

/** Stores rows, ready to be claimed. Returns the moment that all of them have as `created_at`. */
export async function insertRows(
  tx: Executor,
  workspaceId: string,
  group: RowGroup,
  rows: Iterable<NewRow>,
): Promise<Date> {
  const stored = await first<{ created_at: Date }>(
    tx,
    sql`with stored as (
        insert into call_rows (workspace_id, job_id, status, flow_id, flow_api_id, inline_flow, retry_config, max_attempts,
          due_at, id, session_id, line, external_id, customer_number, number_country, number_class, phone_number_id,
          contact_name, contact_email, row_data, context_data, time_zone, calling_window)
        select ${workspaceId}::uuid, ${group.jobId}::uuid, 'QUEUED', ${group.flowId}::uuid, ${group.flowApiId},
          ${json(group.inlineFlow)}::json, ${json(group.retryConfig)}::json, ${group.maxAttempts}::int,
          coalesce(${group.startAt}::timestamptz, now()) - make_interval(secs => x.head_start_ms / 1000.0),
          x.id, x.session_id, x.line, x.external_id, x.customer_number, x.number_country, x.number_class,
          x.phone_number_id, x.contact_name, x.contact_email, x.row_data, x.context_data, x.time_zone,
          ${json(group.callingWindow)}::jsonb
        from json_to_recordset(${JSON.stringify([...rows])}::json) as x(id uuid, session_id uuid, line int, external_id text,
          customer_number text, number_country text, number_class text, phone_number_id uuid, contact_name text,
          contact_email text, row_data json, context_data text, time_zone text, head_start_ms float8))
        select now() as created_at`,
  );
  return (stored as { created_at: Date }).created_at;
}

/** An attempt of a call that this node ends. */
export interface InterruptedCall {
  rowId: string;
  attemptId: string;
  nodeId: string;
}

/**
 * Stores the call that calls the person of an interrupted call back, with `interruptedCall` in its rowData. False when
 * it is stored already, when the interrupted call was itself a call back or is not this node's any more, and when its
 * job does not run any more.
 */
export async function insertCallBack(
  tx: Executor,
  workspaceId: string,
  { id, sessionId, of }: { id: string; sessionId: string; of: InterruptedCall },
): Promise<boolean> {
  const made = await first(
    tx,
    sql`with interrupted as materialized (
          select r.*, coalesce(r.inline_flow, j.inline_flow) as flow, coalesce(r.calling_window, j.calling_window) as rules
            from call_rows r left join call_jobs j on j.workspace_id = r.workspace_id and j.id = r.job_id
           where r.workspace_id = ${workspaceId} and r.id = ${of.rowId} and r.attempt_id = ${of.attemptId}
             and r.lease_owner = ${of.nodeId} and coalesce(j.status, 'RUNNING') = 'RUNNING'
             and not exists (select 1 from call_backs b where b.workspace_id = r.workspace_id and b.row_id = r.id)
        ),
        noted as (
          insert into call_backs (workspace_id, row_id, call_back_of)
          select workspace_id, ${id}::uuid, id from interrupted on conflict do nothing returning row_id
        ),
        made as (
          insert into call_rows (workspace_id, job_id, status, flow_id, flow_api_id, inline_flow, flow_version, retry_config,
            max_attempts, due_at, id, session_id, customer_number, number_country, number_class, phone_number_id,
            contact_name, contact_email, row_data, context_data, time_zone, calling_window)
          select r.workspace_id, ${NO_JOB}::uuid, 'QUEUED', r.flow_id, r.flow_api_id, r.flow, r.flow_version,
            '{"maxAttempts": 1, "retryOn": [], "delaysSeconds": [], "jitterPercent": 0}', 1,
            now() + interval '1 minute', n.row_id, ${sessionId}::uuid, r.customer_number, r.number_country,
            r.number_class, r.phone_number_id, r.contact_name, r.contact_email,
            (coalesce(r.row_data::jsonb, '{}') || '{"interruptedCall": true}')::json, r.context_data, r.time_zone, r.rules
            from interrupted r cross join noted n
        )
        select row_id from noted`,
  );
  return made !== undefined;
}

function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/**
 * Opens the lanes of a job (or of single calls) on its phone numbers, whose rows the transaction has stored. A lane that
 * somebody else has just made is seen by the next statement only, and may rest by then.
 */
export async function openLanes(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  lanes: { phoneNumberId: string; maxCalls: number | null }[],
): Promise<void> {
  const numberIds = lanes.map(({ phoneNumberId }) => phoneNumberId);
  const ofThem = sql`and job_id = ${jobId}::uuid and phone_number_id = any (${numberIds}::uuid[])`;
  const opened = await first<{ count: number }>(
    tx,
    sql`with opened as (
          insert into lanes (workspace_id, phone_number_id, job_id, max_calls)
          select ${workspaceId}::uuid, x."phoneNumberId", ${jobId}::uuid, x."maxCalls"
          from json_to_recordset(${JSON.stringify(lanes)}::json) as x("phoneNumberId" uuid, "maxCalls" int)
          on conflict (workspace_id, phone_number_id, job_id) do nothing
          returning phone_number_id
        ),
        ${wakingSql(workspaceId, ofThem)}
        select (select count(*) from opened) + (select count(*) from seen) as count`,
  );
  if ((opened?.count ?? 0) < lanes.length) await all(tx, sql`with ${wakingSql(workspaceId, ofThem)} select`);
}

/** Wakes the lanes of a job, because the transaction has made rows of theirs due (dispatch/rest-lanes.ts). */
export async function wakeLanes(tx: Executor, workspaceId: string, jobId: string): Promise<void> {
  await all(tx, sql`with ${wakingSql(workspaceId, sql`and job_id = ${jobId}::uuid`)} select`);
}

/**
 * The lock lets everything pass but the statement that sends a lane to rest, and reads the lane as it is now. So one of
 * the two always sees the other.
 */
function wakingSql(workspaceId: string, condition: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`seen as materialized (
          select phone_number_id, job_id, next_look_at from lanes
           where workspace_id = ${workspaceId} ${condition} for key share
        ),
        woken as (
          update lanes l set next_look_at = now() from seen s
           where l.workspace_id = ${workspaceId} and l.phone_number_id = s.phone_number_id and l.job_id = s.job_id
             and s.next_look_at > now()
        )`;
}

/** Waits of rows that are over by a change: of a job's or the workspace's calling window, or of the pace of a person. */
export type Waits = { of: "JOB_WINDOW"; jobId: string } | { of: "DEFAULT_WINDOW" } | { of: "PACE" };

/** SQL: the rows `r` among which a change ends waits, and those of them that wait. */
function waitsSql(waits: Waits): { among: RawBuilder<unknown>; waiting: RawBuilder<unknown> } {
  if (waits.of === "JOB_WINDOW") return { among: sql`r.job_id = ${waits.jobId}`, waiting: sql`true` };
  const among = sql`r.window_opens_at is not null`;
  if (waits.of === "PACE") {
    return { among, waiting: sql`r.error ->> 'code' = any (${Object.keys(PACE_REASONS)}::text[])` };
  }
  const hasNoOther = sql`r.calling_window is null
    and not exists (select 1 from call_jobs j where j.workspace_id = r.workspace_id and j.id = r.job_id
                       and j.calling_window is not null)`;
  return { among, waiting: hasNoOther };
}

/** The most rows that one statement looks at: what it changes is locked, and lanes are, until its transaction ends. */
const BITE = 2_000;

/**
 * Makes those of the next rows that wait due now, so that the claim judges them again, and wakes their lanes. Returns the
 * last row that it looked at; null when there are no more.
 */
export async function endSomeWaits(
  tx: Executor,
  workspaceId: string,
  waits: Waits,
  after: string,
): Promise<string | null> {
  const { among, waiting } = waitsSql(waits);
  const looked = await first<{ last: string | null }>(
    tx,
    sql`with page as materialized (
          select r.id from call_rows r where r.workspace_id = ${workspaceId} and ${among} and r.id > ${after}
           order by r.id limit ${BITE}
        ),
        waiting as materialized (
          -- one look each: the planner would rather read the index of another column for all of them
          select r.id from page p cross join lateral (
            select r.id from call_rows r where r.workspace_id = ${workspaceId} and r.id = p.id
               and ${sql.raw(WAITS_SQL)} and r.window_opens_at = r.due_at and ${waiting} for update of r) r
        ),
        due as materialized (
          update call_rows r set due_at = now(), window_opens_at = null, updated_at = now() from waiting w
           where r.workspace_id = ${workspaceId} and r.id = w.id
          returning r.phone_number_id, r.job_id
        ),
        ${wakingSql(workspaceId, OF_THE_DUE)}
        select id as last from page order by id offset ${BITE - 1}`,
  );
  return looked?.last ?? null;
}

const OF_THE_DUE = sql`and (phone_number_id, job_id) in (select phone_number_id, job_id from due)`;

/** Makes the rows that wait for an opt-out review of the number due now, and wakes their lanes. */
export async function releaseHeldRows(tx: Executor, workspaceId: string, number: string): Promise<void> {
  await all(
    tx,
    sql`with due as materialized (
          update call_rows r set due_at = now(), error = null, updated_at = now()
           where r.workspace_id = ${workspaceId} and ${sql.raw(WAITS_SQL)} and r.customer_number = ${number}
             and r.ended_at is null and r.error ->> 'code' = ${HELD}
          returning r.phone_number_id, r.job_id
        ),
        ${wakingSql(workspaceId, OF_THE_DUE)} select`,
  );
}

/** A row with its result, live attempt and number, as the API needs it. */
export interface CallRowRecord {
  id: string;
  job_id: string;
  session_id: string;
  direction: "OUTBOUND" | "INBOUND";
  line: number | null;
  external_id: string | null;
  time_zone: string | null;
  calling_window: CallingWindow | null;
  status: RowStatus;
  attempt_state: AttemptState | null;
  /** True while the list of its job is being read. */
  is_importing: boolean;
  /** The interrupted call for which this one calls the person back. */
  call_back_of: string | null;
  outcome: string | null;
  end_reason: string | null;
  answered_by: string | null;
  answer: AmdVerdict | null;
  attempts_made: number;
  max_attempts: number;
  due_at: Date;
  customer_number: string;
  from_number: string;
  contact_name: string | null;
  contact_email: string | null;
  row_data: Record<string, unknown> | null;
  context_data: string | null;
  flow_id: string | null;
  flow_api_id: string | null;
  flow_version: number | null;
  has_inline_flow: boolean;
  inline_flow: object | null;
  recorded: boolean | null;
  /** State of the newest audio recording; null when there is none. */
  recording_state: RecordingState | null;
  recording_ms: number | null;
  recording_store: RecordingPlacement | null;
  recording_failure: { code: RecordingFault; message: string } | null;
  error: { code: string; message: string } | null;
  created_at: Date;
  started_at: Date | null;
  answered_at: Date | null;
  ended_at: Date | null;
  updated_at: Date;
  transcript: Turn[] | null;
  structured_outputs: Record<string, FilledOutput> | null;
  extracted_fields: Record<string, unknown> | null;
  duration_ms: number | null;
  model_ms: number[] | null;
  stage_path: StageVisit[] | null;
  attempts: AttemptRecord[] | null;
  /** The newest opt-out review of the row. */
  opt_out_review: { id: string; state: OptOutReviewState } | null;
  human_requested: boolean;
  alerts: CallAlert[] | null;
  cost: CostRecord;
}

/** One attempt of a row, as the API shows it. */
export interface AttemptRecord {
  number: number;
  state: AttemptState;
  provider: string;
  providerCallId: string | null;
  startedAt: string;
  ringingAt: string | null;
  answeredAt: string | null;
  endedAt: string | null;
  answeredBy: string | null;
  outcome: string | null;
  endReason: string | null;
  sipCode: number | null;
  error: { code: string; message: string } | null;
}

const time = (column: string) => sql.raw(`to_char(a.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);

const COST = costSql(
  "r.workspace_id",
  "r.id",
  `coalesce(p.provider = 'SANDBOX', (select w.mode = 'SANDBOX' from workspaces w where w.id = r.workspace_id))
    or r.customer_number ~ '${FICTIONAL_PATTERN}'`,
);

/**
 * Maximum attempts of a row. A job's limit may change while it runs, and its rows follow it until they are over. A single
 * call asks no job: each look may read all of the table, which has few rows and many dead ones.
 */
const MAX_ATTEMPTS = `coalesce((select (j.retry_config ->> 'maxAttempts')::int from call_jobs j
      where j.workspace_id = r.workspace_id and j.id = r.job_id and r.job_id <> '${NO_JOB}'
        and r.retry_config is null and r.ended_at is null),
    r.max_attempts)`;

const REVIEW = reviewRefSql("r.workspace_id", "r.id");

/** Status of a row, WAITING_FOR_WINDOW until its calling window opens. */
export const STATUS = `case when ${WAITS_SQL} and r.window_opens_at = r.due_at and r.due_at > now()
      then 'WAITING_FOR_WINDOW' else r.status end`;

/** Selects the records of the rows in a FROM item named `r`. */
export const recordsOf = (rows: RawBuilder<unknown>) => sql`
  select r.*, (select b.call_back_of from call_backs b where b.workspace_id = r.workspace_id and b.row_id = r.id) as call_back_of,
    r.inline_flow is not null as has_inline_flow, coalesce(p.number, '${sql.raw(WEB)}') as from_number,
    ${sql.raw(MAX_ATTEMPTS)} as max_attempts, ${sql.raw(STATUS)} as status,
    live.state as attempt_state, ${sql.raw(IMPORTING_SQL)} as is_importing, coalesce(r.answered_at, live.answered_at) as answered_at,
    coalesce(r.answered_by, live.answered_by) as answered_by,
    s.transcript, s.structured_outputs, s.extracted_fields, s.duration_ms, s.model_ms, s.recorded, s.answer, s.stage_path,
    audio.state as recording_state, audio.duration_ms as recording_ms,
    audio.store as recording_store, audio.failure as recording_failure,
    (select json_agg(json_build_object('number', a.number, 'state', a.state, 'provider', a.provider,
        'providerCallId', a.provider_call_id, 'startedAt', ${time("submitted_at")}, 'ringingAt', ${time("ringing_at")},
        'answeredAt', ${time("answered_at")}, 'endedAt', ${time("ended_at")}, 'answeredBy', a.answered_by,
        'outcome', a.outcome, 'endReason', a.end_reason, 'sipCode', a.sip_code, 'error', a.error) order by a.submitted_at, a.id)
      from call_attempts a where a.workspace_id = r.workspace_id and a.row_id = r.id) as attempts,
    ${sql.raw(REVIEW)} as opt_out_review,
    ${sql.raw(ALERTS_SQL)} as alerts,
    ${sql.raw(COST)} as cost
  from ${rows}
  left join phone_numbers p on p.workspace_id = r.workspace_id and p.id = r.phone_number_id
  left join call_attempts live on live.workspace_id = r.workspace_id and live.id = r.attempt_id
  left join call_results s on s.workspace_id = r.workspace_id and s.row_id = r.id
  left join lateral (select c.state, c.duration_ms, c.store,
      case when c.failure_code is not null then json_build_object('code', c.failure_code, 'message', c.failure) end as failure
    from call_recordings c
    where c.workspace_id = r.workspace_id and c.row_id = r.id
    order by c.started_at desc, c.attempt_id desc limit 1) audio on true`;

const RECORD = recordsOf(sql`call_rows r`);

/** Returns one row by id; undefined when there is none. */
export function findRow(tx: Executor, workspaceId: string, id: string): Promise<CallRowRecord | undefined> {
  return first(tx, sql`${RECORD} where r.workspace_id = ${workspaceId} and r.id = ${id}`);
}

/** Lists those of the rows that are over and have a transcript, newest first. */
export function listTranscribedRows(tx: Executor, workspaceId: string, ids: string[]): Promise<CallRowRecord[]> {
  return all(
    tx,
    sql`${RECORD} where r.workspace_id = ${workspaceId} and r.id = any(${ids}::uuid[]) and r.ended_at is not null
        and json_array_length(s.transcript) > 0 order by r.id desc`,
  );
}
