-- Who did what, appended only. Rows about the installation itself have the workspace zero.
create table audit_log (
  workspace_id uuid not null,
  id uuid not null,
  actor_kind text not null,
  user_id uuid,
  -- the e-mail address then; accounts change
  actor text not null,
  action text not null,
  target text,
  address text,
  request_id text,
  details json not null default '{}',
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index audit_log_age on audit_log using brin (created_at);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.created_at < now() - interval '400 days' then
    return old;
  end if;
  raise exception 'the audit log is appended only';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();

-- The newest requests of each workspace, for people who look into an integration. Lost in a database crash.
create unlogged table request_log (
  workspace_id uuid not null,
  id uuid not null,
  method text not null,
  path text not null,
  status integer not null,
  duration_ms double precision not null,
  -- a key, a client, or a person's account
  credential_id uuid not null,
  caller_kind text not null,
  address text not null,
  request_id text not null,
  -- requests of a flood before this one that are not shown
  skipped integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index request_log_age on request_log using brin (created_at);
