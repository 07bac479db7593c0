import { SESSION_TASK } from "#src/interactions/webhooks/session-webhooks.ts";
import { NO_JOB, phoneSql } from "./new-row.ts";

const time = (expression: string) => `to_char(${expression} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * Announces the final end of dialled calls, as common table expressions behind one named `closed_sessions`
 * (workspace_id, id of the row, event_id, status, outcome, end_reason, answered_at, human_requested). Each webhook that
 * subscribes gets session.ended, except for inline flows. It commits with the end, so exactly one exists for a call.
 * Shared by FINISH and by cancelling.
 */
export const ANNOUNCE_SESSION_ENDED_SQL = `
session_ends as (
  insert into tasks (id, workspace_id, kind, subject_id, payload)
  select gen_random_uuid(), h.workspace_id, '${SESSION_TASK}', h.id, json_build_object(
    'eventId', c.event_id, 'eventType', 'session.ended', 'occurredAt', ${time("now()")},
    'members', json_build_object(
      'row', json_build_object('id', c.id, 'jobId', nullif(r.job_id, '${NO_JOB}'), 'humanRequested', c.human_requested),
      'session', json_build_object('id', r.session_id, 'channel', 'VOICE', 'status', c.status, 'outcome', c.outcome,
        'flowId', r.flow_id, 'flowApiId', r.flow_api_id, 'contactName', r.contact_name,
        'contactPhone', ${phoneSql("r.customer_number")}, 'startedAt', ${time("c.answered_at")}, 'endedAt', ${time("now()")},
        'endReason', c.end_reason, 'contextData', r.context_data::json))::text)
    from closed_sessions c
    join session_webhooks h on h.workspace_id = c.workspace_id and h.enabled and 'session.ended' = any(h.events)
   cross join lateral (select * from call_rows r where r.workspace_id = c.workspace_id and r.id = c.id limit 1) r
   where r.flow_id is not null and (h.flow_id is null or h.flow_id = r.flow_id)
  returning id
)`;
