-- What the history of calls shows, newest first: the rows of jobs that wait for their first call are not among them, so a
-- list of a million is passed over in one step.
create index call_rows_history on call_rows (workspace_id, id)
  where job_id = '00000000-0000-0000-0000-000000000000' or status <> 'QUEUED';
