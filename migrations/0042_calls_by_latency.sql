-- outside a transaction
create index concurrently call_facts_latency on call_facts (workspace_id, latency_ms, row_id)
  where latency_ms is not null;
