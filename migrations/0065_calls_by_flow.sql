-- outside a transaction
-- Calls of a flow in the order of a list. The index of states counts them, but has no ids: a page read each of them.
create index concurrently if not exists call_rows_flow on call_rows (workspace_id, flow_api_id, id)
  where job_id = '00000000-0000-0000-0000-000000000000' or status <> 'QUEUED';
