-- outside a transaction
-- What few entries of a list have, in the order of the list: it was looked for through all of it.
create index concurrently if not exists audit_log_action on audit_log (workspace_id, action, id);
create index concurrently if not exists chat_sessions_states on chat_sessions (workspace_id, channel, status, id);
create index concurrently if not exists chat_sessions_manual on chat_sessions (workspace_id, id) where mode = 'MANUAL';
create index concurrently if not exists transcription_rows_states
  on transcription_rows (workspace_id, job_id, status, id);
create index concurrently if not exists do_not_call_source on do_not_call (workspace_id, source, number);
