import { TRIGGER_REPORTS_SQL } from "#src/interactions/automations/trigger-cte.ts";

/** Task that delivers a job's completion webhook. */
export const COMPLETION_TASK = "call_job.completed";

/**
 * Announces a job's completion, as common table expressions behind one named `completed` (rows of call_jobs with an
 * `event_id`). The event, the webhook's task and the reports on the job commit with the change that completed it, so
 * exactly one of each exists for a run. The payload is fixed here, because a later run changes the job's counts while
 * an earlier delivery may still be retried. Shared by FINISH and by cancelling.
 */
export const ANNOUNCE_COMPLETED_SQL = `
job_events as (
  insert into events (workspace_id, id, type, subject_id, data)
  select workspace_id, event_id, 'call_job.completed', id, json_build_object('run', run, 'status', status) from completed
),
hooked as (
  insert into tasks (id, workspace_id, kind, subject_id, payload)
  select gen_random_uuid(), workspace_id, '${COMPLETION_TASK}', id, json_build_object(
    'webhook', completion_webhook, 'secret', encode(webhook_secret, 'base64'),
    'occurredAt', to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'job', json_build_object('id', id, 'name', name, 'status', status, 'totalRows', total_rows,
      'processedRows', processed_rows, 'successfulRows', successful_rows, 'errorRows', error_rows,
      'flowApiId', coalesce(flow_api_id, '')))
    from completed where completion_webhook is not null
),${TRIGGER_REPORTS_SQL}`;
