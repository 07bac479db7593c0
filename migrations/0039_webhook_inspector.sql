-- Where a workspace can have its own webhooks sent to look at them.
create table webhook_inspectors (
  workspace_id uuid primary key references workspaces,
  -- the secret part of its address
  token text not null,
  -- so many of the next requests are answered with fail_status
  fail_next integer not null default 0 check (fail_next between 0 and 100),
  fail_status integer not null default 500
);

-- The newest of what arrived; bodies are whatever was sent, personal data included.
create table inspected_requests (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  method text not null,
  -- what follows the token: path and query
  target text not null,
  headers json not null,
  body text,
  body_encoding text not null,
  address text,
  answered integer not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index inspected_requests_age on inspected_requests using brin (created_at);
