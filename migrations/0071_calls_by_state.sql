-- outside a transaction
-- Calls that were dialled by what they came to, in the order of a list: the index of states counts them, but has no ids,
-- so a page of a state that few have was looked for through all calls. It is written at the end of each try; an import
-- and a claim write none of it.
create index concurrently if not exists call_rows_ends on call_rows (workspace_id, status, outcome, id)
  where status <> 'QUEUED' and status <> 'DIALING';
-- Errors of a job are counted in job_row_sums since 0068.
drop index concurrently if exists call_rows_errors;
