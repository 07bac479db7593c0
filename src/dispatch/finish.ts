import type pg from "pg";
import { ANNOUNCE_COMPLETED_SQL } from "#src/call-jobs/completion.ts";
import type { AttemptState, RowOutcome, RowStatus } from "#src/calls/states.ts";
import { isUnavailable, retryDeadlocks } from "#src/db/database.ts";
import { MicroBatch } from "#src/kernel/async.ts";
import { toError } from "#src/kernel/errors.ts";
import { uuidv7 } from "#src/kernel/id.ts";

/**
 * FINISH, one statement for all calls that ended together: only rows still leased to this node count, so a
 * row that was reaped meanwhile is not counted twice. Locks are taken numbers first, then jobs, each in order
 * (deadlocks went from several a run to none). The job's completion, its webhook and the events commit with
 * the last row, so exactly one completion exists however many nodes finish at once. A row that would be due again
 * in a job that is being cancelled is cancelled instead.
 * $1 node, $2 the ended calls as JSON.
 */
const FINISH = `
with given as materialized (
  select * from json_to_recordset($2::json) as x(workspace_id uuid, row_id uuid, attempt_id uuid, phone_number_id uuid,
    job_id uuid, event_id uuid, job_event_id uuid, status text, retry_ms float8, uncount boolean, outcome text,
    end_reason text, answered_by text, error json, attempt_state text, sip_code int, provider_call_id text,
    transcript json, structured_outputs json, extracted_fields json, duration_ms int, model_ms json, usage json,
    recorded boolean)
),
numbers as materialized (
  select p.id from phone_numbers p where (p.workspace_id, p.id) in (select workspace_id, phone_number_id from given)
   order by p.id for update
),
jobs as materialized (
  select j.id, j.status from call_jobs j where (j.workspace_id, j.id) in (select workspace_id, job_id from given)
     and (select count(*) from numbers) >= 0
   order by j.id for update
),
x as materialized (
  select g.workspace_id, g.row_id, g.attempt_id, g.event_id, g.job_event_id, g.uncount, g.end_reason, g.answered_by,
         g.error, g.attempt_state, g.sip_code, g.provider_call_id, g.transcript, g.structured_outputs,
         g.extracted_fields, g.duration_ms, g.model_ms, g.usage, g.recorded, g.outcome as attempt_outcome,
         case when c.cancelled then 'CANCELLED' else g.status end as status,
         case when c.cancelled then 'CANCELLED' else g.outcome end as outcome,
         case when c.cancelled then null else g.retry_ms end as retry_ms
    from given g left join jobs j on j.id = g.job_id,
         lateral (select g.retry_ms is not null and coalesce(j.status, '') = 'CANCELLING' as cancelled) c
),
ended as (
  update call_rows r
     set status = x.status, lease_owner = null, attempt_id = null,
         attempts_made = r.attempts_made - case when x.uncount then 1 else 0 end,
         due_at = case when x.retry_ms is null then r.due_at else now() + make_interval(secs => x.retry_ms / 1000) end,
         outcome = coalesce(x.outcome, r.outcome), end_reason = coalesce(x.end_reason, r.end_reason),
         answered_by = coalesce(x.answered_by, r.answered_by), error = x.error,
         answered_at = coalesce((select a.answered_at from call_attempts a
                                  where a.workspace_id = r.workspace_id and a.id = r.attempt_id), r.answered_at),
         ended_at = case when x.retry_ms is null then now() end, updated_at = now()
    from x
   where r.workspace_id = x.workspace_id and r.id = x.row_id and r.lease_owner = $1
     and r.attempt_id is not distinct from x.attempt_id and (select count(*) from jobs) >= 0
  returning r.workspace_id, r.id, r.phone_number_id, r.job_id, x.attempt_id, x.status, x.retry_ms, x.outcome,
            x.event_id, x.job_event_id
),
attempts as (
  update call_attempts a
     set state = x.attempt_state, ended_at = now(), outcome = x.attempt_outcome, end_reason = x.end_reason,
         sip_code = x.sip_code, error = x.error, provider_call_id = coalesce(a.provider_call_id, x.provider_call_id),
         answered_by = coalesce(a.answered_by, x.answered_by)
    from ended e join x on x.workspace_id = e.workspace_id and x.row_id = e.id
   where a.workspace_id = e.workspace_id and a.id = e.attempt_id
),
results as (
  insert into call_results (workspace_id, row_id, transcript, structured_outputs, extracted_fields, duration_ms,
                            model_ms, usage, recorded)
  select x.workspace_id, x.row_id, x.transcript, x.structured_outputs, x.extracted_fields, x.duration_ms,
         x.model_ms, x.usage, x.recorded
    from x join ended e on e.workspace_id = x.workspace_id and e.id = x.row_id where x.transcript is not null
  on conflict (workspace_id, row_id) do update set transcript = excluded.transcript,
    structured_outputs = excluded.structured_outputs, extracted_fields = excluded.extracted_fields,
    duration_ms = excluded.duration_ms, model_ms = excluded.model_ms, usage = excluded.usage,
    recorded = excluded.recorded, updated_at = now()
),
slots as (
  update phone_numbers p set active_calls = p.active_calls - c.n
    from (select workspace_id, phone_number_id, count(*)::int as n from ended where attempt_id is not null group by 1, 2) c
   where p.workspace_id = c.workspace_id and p.id = c.phone_number_id
),
lane_slots as (
  update lanes l set active_calls = l.active_calls - c.n
    from (select workspace_id, phone_number_id, job_id, count(*)::int as n from ended where attempt_id is not null
           group by 1, 2, 3) c
   where l.workspace_id = c.workspace_id and l.phone_number_id = c.phone_number_id and l.job_id = c.job_id
),
counted as (
  update call_jobs j
     set processed_rows = j.processed_rows + c.n,
         successful_rows = j.successful_rows + c.ok,
         error_rows = j.error_rows + c.n - c.ok,
         status = case when j.processed_rows + c.n < j.total_rows then j.status
                       when j.status = 'CANCELLING' then 'CANCELLED' else 'COMPLETED' end,
         completed_at = case when j.processed_rows + c.n < j.total_rows then null else now() end,
         updated_at = now()
    from (select workspace_id, job_id, count(*)::int as n, (count(*) filter (where status = 'COMPLETED'))::int as ok,
                 (array_agg(job_event_id))[1] as event_id
            from ended where retry_ms is null group by 1, 2) c
   where j.workspace_id = c.workspace_id and j.id = c.job_id
  returning j.*, c.event_id
),
completed as (
  select * from counted where status in ('COMPLETED', 'CANCELLED') and processed_rows = total_rows
),
announced as (
  insert into events (workspace_id, id, type, subject_id, data)
  select workspace_id, event_id, 'call.ended', id,
         json_build_object('jobId', job_id, 'status', status, 'outcome', outcome)
    from ended where retry_ms is null
),${ANNOUNCE_COMPLETED_SQL}
select (select count(*)::int from ended) as ended, (select count(*)::int from completed) as completed`;

/** How a call, or one attempt of it, ended. */
export interface CallEnd {
  status: RowStatus;
  /** Null: final. Otherwise the row is due again after that many milliseconds. */
  retryMs: number | null;
  /** The attempt rang nobody and does not count. */
  uncount?: boolean;
  outcome: RowOutcome | null;
  endReason: string | null;
  answeredBy?: string | null;
  error?: { code: string; message: string } | null;
  attemptState: AttemptState;
  sipCode?: number | null;
  providerCallId?: string | null;
  result?: CallResult | null;
}

/** What a conversation left behind. */
export interface CallResult {
  transcript: unknown[];
  structuredOutputs: Record<string, unknown>;
  extractedFields: Record<string, unknown>;
  durationMs: number;
  modelMs: number[];
  usage: Record<string, number>;
  recorded: boolean;
}

/** Which row an end belongs to. */
export interface EndedRow {
  workspace_id: string;
  id: string;
  attempt_id: string | null;
  phone_number_id: string;
  job_id: string;
}

/** Stores ends, many in one statement. `onCompleted` is told when a job completed. */
export class Finisher {
  readonly #pool: pg.Pool;
  readonly #nodeId: string;
  readonly #onCompleted: () => void;
  readonly #batch: MicroBatch<Record<string, unknown>, Error | null>;

  constructor(pool: pg.Pool, nodeId: string, onCompleted: () => void) {
    this.#pool = pool;
    this.#nodeId = nodeId;
    this.#onCompleted = onCompleted;
    this.#batch = new MicroBatch((items) => this.#storeOrPart(items), 200);
  }

  /** Resolves when the end is committed, or when the row turned out to be another node's by now. */
  async finish(row: EndedRow, end: CallEnd): Promise<void> {
    const fault = await this.#batch.add({
      workspace_id: row.workspace_id,
      row_id: row.id,
      attempt_id: row.attempt_id,
      phone_number_id: row.phone_number_id,
      job_id: row.job_id,
      event_id: uuidv7(),
      job_event_id: uuidv7(),
      status: end.status,
      retry_ms: end.retryMs,
      uncount: end.uncount ?? false,
      outcome: end.outcome,
      end_reason: end.endReason,
      answered_by: end.answeredBy ?? null,
      error: end.error ?? null,
      attempt_state: end.attemptState,
      sip_code: end.sipCode ?? null,
      provider_call_id: end.providerCallId ?? null,
      ...resultColumns(end.result),
    });
    if (fault) throw fault;
  }

  /** One end that the database will not take must not hold up the ends it shares a statement with. */
  async #storeOrPart(items: Record<string, unknown>[]): Promise<(Error | null)[]> {
    try {
      await this.#store(items);
      return items.map(() => null);
    } catch (error) {
      if (items.length === 1 || isUnavailable(error)) return items.map(() => toError(error));
    }
    const faults: (Error | null)[] = [];
    for (const item of items) faults.push(...(await this.#storeOrPart([item])));
    return faults;
  }

  async #store(items: Record<string, unknown>[]): Promise<void> {
    const values = [this.#nodeId, JSON.stringify(items)];
    const found = await retryDeadlocks(() =>
      this.#pool.query<{ completed: number }>({ name: "finish-rows", text: FINISH, values }),
    );
    if ((found.rows[0]?.completed ?? 0) > 0) this.#onCompleted();
  }
}

function resultColumns(result: CallResult | null | undefined): Record<string, unknown> {
  if (!result) return { transcript: null };
  return {
    transcript: result.transcript,
    structured_outputs: result.structuredOutputs,
    extracted_fields: result.extractedFields,
    duration_ms: Math.round(result.durationMs),
    model_ms: result.modelMs,
    usage: result.usage,
    recorded: result.recorded,
  };
}
