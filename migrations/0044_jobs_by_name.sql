-- outside a transaction
create index concurrently call_jobs_name on call_jobs (workspace_id, lower(name), id);
