-- outside a transaction
-- Calls by their numbers, as call_rows_contact, with their ids: the newest of numbers that start alike are found
-- without reading each of them.
create index concurrently if not exists call_rows_number
  on call_rows (workspace_id, customer_number text_pattern_ops, ended_at, id);
drop index concurrently if exists call_rows_contact;
