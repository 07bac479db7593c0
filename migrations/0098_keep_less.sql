-- Housekeeping deletes by age what had no end: tasks that are over, attempts of webhooks, events, entries of the ledger.
-- Deliveries of webhooks are kept for longer than other tasks, so each has an index of its own.
create index tasks_over on tasks (finished_at)
  where finished_at is not null and kind not in ('call_job.completed', 'session.event');
create index tasks_delivered on tasks (finished_at)
  where finished_at is not null and kind in ('call_job.completed', 'session.event');
create index webhook_attempts_age on webhook_attempts (created_at);
create index events_age on events (created_at);
create index usage_entries_age on usage_entries (created_at);
