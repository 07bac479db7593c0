-- What the history of calls shows, newest first: the rows of jobs that wait for their first call are not among them, so a
-- list of a million is passed over in one step.
create index call_rows_history on call_rows (workspace_id, id)
  where job_id = '00000000-0000-0000-0000-000000000000' or status <> 'QUEUED';

-- Rows that wait for another attempt, counted for each job that is shown. The index of all states serves the question, too,
-- but a table that has just grown by half a million has statistics that say otherwise.
create index call_rows_retries on call_rows (workspace_id, job_id)
  where status = 'WAITING_FOR_RETRY' and direction = 'OUTBOUND';
