-- outside a transaction
-- Rows that wait for another attempt, with all that the summary of a job says of them; the count of retries used
-- call_rows_retries.
create index concurrently if not exists call_rows_waiting_retries
  on call_rows (workspace_id, job_id, attempts_made, due_at, window_opens_at)
  where status = 'WAITING_FOR_RETRY' and direction = 'OUTBOUND';
drop index concurrently if exists call_rows_retries;
-- Deliveries that wait, are sent or were given up, among very many that arrived.
create index concurrently if not exists tasks_undelivered on tasks (workspace_id, status, created_at, id)
  where kind in ('call_job.completed', 'session.event') and status <> 'DONE';
