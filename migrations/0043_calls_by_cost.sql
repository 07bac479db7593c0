-- outside a transaction
create index concurrently call_facts_cost on call_facts (workspace_id, cost, row_id);
