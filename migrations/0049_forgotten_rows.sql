-- A call without a conversation whose variables the retention deleted: dialled again, it would speak without them.
alter table call_rows add column is_forgotten boolean not null default false;
