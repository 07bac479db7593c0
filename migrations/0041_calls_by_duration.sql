-- outside a transaction
create index concurrently call_facts_duration on call_facts (workspace_id, duration_ms, row_id)
  where duration_ms is not null;
