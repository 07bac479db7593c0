-- outside a transaction
create index concurrently if not exists chat_sessions_waiting on chat_sessions (workspace_id, id)
  where human_requested_at is not null and ended_at is null;
