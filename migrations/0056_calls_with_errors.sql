-- outside a transaction
-- Calls of a job with an error, which its page counts by their codes.
create index concurrently if not exists call_rows_errors on call_rows (workspace_id, job_id) where error is not null;
