-- outside a transaction
create index concurrently call_facts_unmeasured on call_facts (workspace_id, row_id) where cost is null;
