-- outside a transaction
-- Calls that are over and still have what was sent with them, oldest first within each workspace.
create index concurrently if not exists call_rows_sent on call_rows (workspace_id, ended_at)
  where ended_at is not null and (row_data is not null or context_data is not null);
