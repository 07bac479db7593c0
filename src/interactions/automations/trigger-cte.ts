/** Task that makes the artifacts of one run. */
export const RUN_TASK = "automation.run";

/**
 * Starts the reports of jobs that completed, as common table expressions behind one named `completed` (rows of
 * call_jobs with an `event_id`). Run and task commit with the completion, so each run of a job has exactly one report
 * from each automation. The run's id keeps the event's time, by which runs are listed.
 */
export const TRIGGER_REPORTS_SQL = `
reports as (
  insert into automation_runs (workspace_id, id, automation_id, trigger, parameters)
  select c.workspace_id, overlay(c.event_id::text placing right(a.id::text, 12) from 25)::uuid, a.id,
         'CALL_JOB_COMPLETED', json_build_object('callJobId', c.id, 'callJobRun', c.run)
    from completed c join automations a on a.workspace_id = c.workspace_id and a.kind = 'CALL_JOB_REPORT'
     and a.enabled and (a.call_job_id is null or a.call_job_id = c.id)
  returning workspace_id, id
),
report_tasks as (
  insert into tasks (id, workspace_id, kind, subject_id, payload)
  select gen_random_uuid(), workspace_id, '${RUN_TASK}', id, '{}' from reports
)`;
