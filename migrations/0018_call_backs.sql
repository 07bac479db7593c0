-- Calls that call a person back whose call the operator interrupted: one for each such call. A table of its own, because
-- a column of call_rows would need an index that is built while every call waits.
create table call_backs (
  workspace_id uuid not null,
  row_id uuid not null,
  call_back_of uuid not null,
  primary key (workspace_id, row_id),
  unique (workspace_id, call_back_of)
);
