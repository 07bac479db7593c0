-- What the dashboard's live stream asks for a few times a second while somebody looks. The predicates' columns change
-- only where the row changes sides, so ordinary updates stay HOT.
create index call_jobs_active on call_jobs (workspace_id, id)
  where status in ('IMPORTING', 'RUNNING', 'PAUSED', 'CANCELLING');
create index chat_sessions_open on chat_sessions (workspace_id, id) where status in ('ACTIVE', 'HANDED_OFF');

-- Deliveries as people look at them: by time, with what was sent and answered. Secrets among the headers are masked.
create index webhook_attempts_time on webhook_attempts (workspace_id, created_at);
alter table webhook_attempts add column request_headers json;
alter table webhook_attempts add column response_headers json;
create index tasks_deliveries on tasks (workspace_id, created_at, id)
  where kind in ('call_job.completed', 'session.event');
