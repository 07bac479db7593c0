-- What lists of calls are narrowed and counted by. All of few values, so that equal entries share their place: the
-- count of a workspace's calls is read off it alone.
create index call_rows_states on call_rows (workspace_id, direction, status, outcome, flow_api_id, job_id);

-- Calls with a number or with numbers that start alike, ended or not.
drop index call_rows_contact;
create index call_rows_contact on call_rows (workspace_id, customer_number text_pattern_ops, ended_at);
