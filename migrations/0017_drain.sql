-- A node that is about to stop takes no new calls; the others send none to it.
alter table nodes add column is_draining boolean not null default false;

-- The call that calls a person back whose call the operator interrupted: at most one for each.
alter table call_rows add column call_back_of uuid;
create unique index call_rows_call_back_of on call_rows (workspace_id, call_back_of) where call_back_of is not null;
