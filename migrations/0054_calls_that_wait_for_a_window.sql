-- outside a transaction
-- Finds the calls that wait for their window among a million that wait. The claim clears the time when it dials.
create index concurrently if not exists call_rows_windows on call_rows (workspace_id, id)
  where window_opens_at is not null;
