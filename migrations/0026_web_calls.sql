-- A page that waits to be rung, opened by a token. What the page calls itself is personal, and goes with the row.
create table web_phones (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  token_hash bytea not null unique,
  allowed_origins text[] not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- How a call over the web may be begun; everything else of it is in call_rows, where its phone_number_id is zero.
create table web_calls (
  workspace_id uuid not null references workspaces,
  row_id uuid not null,
  -- exactly one: the page that holds the token begins the call, or this page is rung
  token_hash bytea unique,
  web_phone_id uuid,
  display_name text,
  allowed_origins text[] not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, row_id),
  foreign key (workspace_id, web_phone_id) references web_phones on delete set null (web_phone_id)
);
create index web_calls_phone on web_calls (workspace_id, web_phone_id) where web_phone_id is not null;

-- Calls over the web that wait or are live: counted when one more is asked for.
create index call_rows_web_open on call_rows (workspace_id)
  where phone_number_id = '00000000-0000-0000-0000-000000000000' and ended_at is null;
