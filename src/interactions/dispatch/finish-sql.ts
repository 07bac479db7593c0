import { insertVisitsSql } from "#src/authoring/flows/stage-visits-cte.ts";
import { ANNOUNCE_COMPLETED_SQL } from "#src/interactions/call-jobs/completion.ts";
import { answeredSql } from "#src/interactions/calls/answered.ts";
import { WEB } from "#src/interactions/calls/new-row.ts";
import { FILL_TASK } from "#src/interactions/calls/output-fill.ts";
import { ANNOUNCE_SESSION_ENDED_SQL } from "#src/interactions/calls/session-end.ts";
import { OPEN_REVIEWS_SQL } from "#src/interactions/opt-out-reviews/open-review-cte.ts";
import { CHARGE_SQL } from "#src/tenancy/usage/charge-cte.ts";

/**
 * Usage of ended attempts. Telephony is billed in whole seconds of call time from the answer to the end. An end without
 * a result (the node died, or the result could not be stored) is measured by the clock, up to the end that the carrier
 * reported. In the sandbox, and where the end is unknown, it is measured by the last checkpoint. The ids derive from
 * the event's id, so they sort by time too. A call over the web uses no telephony.
 */
const USED_SQL = `
used as (
  select a.workspace_id, overlay(a.event_id::text placing u.digits from 35)::uuid as id, u.kind, u.quantity, a.simulated,
         'CALL' as subject_type, a.row_id as subject_id
    from attempts a cross join lateral (values
      ('01', 'TELEPHONY_SECOND', ceil(coalesce(a.duration_ms,
        case when a.answered_at is null then 0
             when a.simulated or a.state = 'UNCONFIRMED' then (select s.duration_ms from call_results s
                                     where s.workspace_id = a.workspace_id and s.row_id = a.row_id)
             else extract(epoch from coalesce(a.carrier_ended_at, now()) - a.answered_at) * 1000 end) / 1000.0)),
      ('02', 'MODEL_INPUT_TOKEN', (a.usage ->> 'inputTokens')::numeric
                                  - coalesce((a.usage ->> 'cachedTokens')::numeric, 0)),
      ('06', 'MODEL_CACHED_INPUT_TOKEN', (a.usage ->> 'cachedTokens')::numeric),
      ('03', 'MODEL_OUTPUT_TOKEN', (a.usage ->> 'outputTokens')::numeric),
      ('04', 'SPEECH_SECOND', (a.usage ->> 'speechSeconds')::numeric),
      ('05', 'TRANSCRIPTION_SECOND', (a.usage ->> 'transcriptionSeconds')::numeric)) as u(digits, kind, quantity)
   where (a.usage is not null or a.answered_at is not null) and u.quantity > 0 and not (u.kind = 'TELEPHONY_SECOND' and a.provider = '${WEB}')
)`;

/**
 * SQL condition on an attempt `a` and its end `e`: this process refused the dial, and no byte has left. Nothing is kept
 * of such an attempt: a row that waits for a free server or for a setting is refused again and again.
 */
const HELD_BACK_SQL = "(a.state = 'CLAIMED' and e.attempt_state = 'REFUSED' and e.uncount)";

/**
 * FINISH, one statement for all calls that ended together. Only rows still leased to this node count, so a row that was
 * reaped in the meantime is not counted twice. A completed job has its lanes closed: those of the rows that ended here
 * with their counters; the others only if they are not locked, because their numbers are not locked here. Housekeeping
 * closes the rest. Locks are taken numbers first, then jobs, each in order (deadlocks went from several a run to none).
 * The job's completion, its webhook and the events commit with the last row, so exactly one completion exists however
 * many nodes finish at once. So do the usage of the attempt, the end of the session, and the review of a session that
 * ends in doubt about an opt-out. A row that would be due again in a job that is being cancelled is cancelled instead.
 * The lease is not compared by `=`: to find one row, the planner would read all that the node holds.
 * `ended` carries everything that is known of an end, because the planner expects one row of it: each join with it
 * risks a plan that is quadratic in the batch, and the join with attempts one that reads those of the whole workspace.
 * $1 node, $2 the ended calls as JSON.
 */
export const FINISH = `
with given as materialized (
  select * from json_to_recordset($2::json) as x(workspace_id uuid, row_id uuid, attempt_id uuid, phone_number_id uuid,
    job_id uuid, event_id uuid, job_event_id uuid, status text, retry_ms float8, uncount boolean, outcome text,
    end_reason text, answered_by text, error json, attempt_state text, sip_code int, provider_call_id text,
    transcript json, structured_outputs json, extracted_fields json, duration_ms int, model_ms json, usage json,
    recorded boolean, answer json, simulated boolean, carrier_ended_at timestamptz, fill_later json,
    doubt json, human_requested boolean, stage_path json)
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
         g.extracted_fields, g.duration_ms, g.model_ms, g.usage, g.recorded, g.answer, g.simulated, g.carrier_ended_at,
         g.fill_later, g.doubt, g.human_requested, g.stage_path,
         g.outcome as attempt_outcome,
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
         human_requested = r.human_requested or x.human_requested,
         ended_at = case when x.retry_ms is null then now() end, updated_at = now()
    from x
   where r.workspace_id = x.workspace_id and r.id = x.row_id and r.lease_owner is not distinct from $1::uuid
     and r.attempt_id is not distinct from x.attempt_id and (select count(*) from jobs) >= 0
  returning r.workspace_id, r.id, r.phone_number_id, r.job_id, x.attempt_id, x.status, x.retry_ms, x.outcome,
            x.event_id, x.job_event_id, r.outcome as row_outcome, r.end_reason, r.answered_at, r.session_id, r.customer_number,
            r.human_requested, r.flow_id, r.flow_version, x.uncount, x.attempt_state, x.attempt_outcome,
            x.end_reason as attempt_end_reason, x.answered_by, x.sip_code, x.error, x.provider_call_id,
            x.carrier_ended_at, x.simulated, x.transcript, x.structured_outputs, x.extracted_fields, x.duration_ms,
            x.model_ms, x.usage, x.recorded, x.answer, x.stage_path, x.doubt, x.fill_later
),
attempts as (
  update call_attempts a
     set state = e.attempt_state, ended_at = now(), outcome = e.attempt_outcome, end_reason = e.attempt_end_reason,
         sip_code = e.sip_code, error = e.error, provider_call_id = coalesce(a.provider_call_id, e.provider_call_id),
         answered_by = coalesce(a.answered_by, e.answered_by),
         person_attempt = case when e.attempt_state in ('REFUSED', 'ABSENT') then null else a.person_attempt end
    from ended e
   where a.workspace_id = e.workspace_id and a.id = e.attempt_id and not ${HELD_BACK_SQL}
  returning a.workspace_id, a.row_id, a.state, a.provider, a.answered_at, e.event_id, e.duration_ms, e.usage, e.simulated,
            e.carrier_ended_at
),
held_back as (
  delete from call_attempts a using ended e
   where a.workspace_id = e.workspace_id and a.id = e.attempt_id and ${HELD_BACK_SQL}
),
${USED_SQL},${CHARGE_SQL},
results as (
  insert into call_results (workspace_id, row_id, transcript, structured_outputs, extracted_fields, duration_ms,
                            model_ms, usage, recorded, answer, stage_path)
  select workspace_id, id, transcript, structured_outputs, extracted_fields, duration_ms, model_ms, usage, recorded,
         answer, stage_path
    from ended where transcript is not null
  on conflict (workspace_id, row_id) do update set transcript = excluded.transcript,
    structured_outputs = excluded.structured_outputs, extracted_fields = excluded.extracted_fields,
    duration_ms = excluded.duration_ms, model_ms = excluded.model_ms, usage = excluded.usage,
    recorded = excluded.recorded, answer = excluded.answer, stage_path = excluded.stage_path, monitor = null, is_forgotten = false, updated_at = now()
),
visits as (
  ${insertVisitsSql(`select workspace_id, attempt_id as session_id, flow_id, flow_version, stage_path
    from ended where stage_path is not null and attempt_id is not null`)}
),
${OPEN_REVIEWS_SQL.trimStart()},
filling as (
  insert into tasks (id, workspace_id, kind, subject_id, payload, due_at)
  select gen_random_uuid(), workspace_id, '${FILL_TASK}', id, fill_later, now() + interval '5 seconds'
    from ended where fill_later is not null and retry_ms is null
),
slots as (
  update phone_numbers p set active_calls = p.active_calls - c.n
    from (select workspace_id, phone_number_id, count(*)::int as n from ended where attempt_id is not null group by 1, 2) c
   where p.workspace_id = c.workspace_id and p.id = c.phone_number_id
),
counted as (
  update call_jobs j
     set processed_rows = j.processed_rows + c.n,
         successful_rows = j.successful_rows + c.ok,
         error_rows = j.error_rows + c.n - c.ok,
         reached_rows = j.reached_rows + c.reached,
         machine_rows = j.machine_rows + c.machine,
         status = case when j.processed_rows + c.n < j.total_rows then j.status
                       when j.status = 'CANCELLING' then 'CANCELLED' else 'COMPLETED' end,
         pause_reason = case when j.processed_rows + c.n < j.total_rows then j.pause_reason end,
         completed_at = case when j.processed_rows + c.n < j.total_rows then null else now() end,
         updated_at = now()
    from (select workspace_id, job_id, count(*)::int as n, (count(*) filter (where status = 'COMPLETED'))::int as ok,
                 (count(*) filter (where ${answeredSql("row_outcome", "PERSON")}))::int as reached,
                 (count(*) filter (where ${answeredSql("row_outcome", "MACHINE")}))::int as machine,
                 (array_agg(job_event_id))[1] as event_id
            from ended where retry_ms is null group by 1, 2) c
   where j.workspace_id = c.workspace_id and j.id = c.job_id
  returning j.*, c.event_id
),
completed as (
  select * from counted where status in ('COMPLETED', 'CANCELLED') and processed_rows = total_rows
),
lane_slots as (
  update lanes l
     set active_calls = l.active_calls - c.n,
         next_look_at = least(l.next_look_at, now() + make_interval(secs => c.retry_ms / 1000)),
         is_open = l.is_open and not exists (select 1 from completed j where j.workspace_id = l.workspace_id and j.id = l.job_id)
    from (select workspace_id, phone_number_id, job_id, (count(*) filter (where attempt_id is not null))::int as n,
                 min(retry_ms) as retry_ms
            from ended group by 1, 2, 3) c
   where l.workspace_id = c.workspace_id and l.phone_number_id = c.phone_number_id and l.job_id = c.job_id
),
closed_lanes as (
  update lanes l set is_open = false
   where ctid = any (array(
     select o.ctid from completed j join lanes o on o.workspace_id = j.workspace_id and o.job_id = j.id and o.is_open
      where not exists (select 1 from ended e where e.workspace_id = o.workspace_id
                           and e.phone_number_id = o.phone_number_id and e.job_id = o.job_id)
        for no key update of o skip locked))
),
announced as (
  insert into events (workspace_id, id, type, subject_id, data)
  select workspace_id, event_id, 'call.ended', id,
         json_build_object('jobId', job_id, 'status', status, 'outcome', outcome)
    from ended where retry_ms is null
),${ANNOUNCE_COMPLETED_SQL},
closed_sessions as (
  select workspace_id, id, event_id, status, row_outcome as outcome, end_reason, answered_at, human_requested
    from ended where retry_ms is null and attempt_id is not null
),${ANNOUNCE_SESSION_ENDED_SQL}
select (select count(*) from completed) + (select count(*) from session_ends) as announced`;
