-- Workspaces, their credentials, the people who sign in, and the log of what they did.

-- Workspaces: mode, rate limit, defaults, limits of calling, retention.
create table workspaces (
  id uuid primary key,
  name text not null,
  mode text not null,
  -- null: instant
  sandbox_speed double precision,
  rate_capacity double precision not null,
  rate_refill double precision not null,
  rate_period_seconds double precision not null,
  default_flow_id uuid,
  default_phone_number_id uuid,
  -- null: every country (SANDBOX workspaces, whose calls cannot leave)
  enabled_countries text[],
  time_zone text not null default 'UTC',
  created_at timestamptz not null default now(),
  -- When calls of a LIVE workspace that have no window of their own may go out; null: at any hour. New workspaces get
  -- 08:00-21:00 by the called person's clock, the usual legal limits (src/tenancy/workspaces/default-window.ts).
  -- SANDBOX workspaces, whose calls cannot leave, ignore it.
  calling_window jsonb,
  -- How often one number may be called: attempts in a day of the called person, and minutes after the last attempt
  -- ended; null: no limit. SANDBOX workspaces ignore both.
  max_attempts_per_day integer check (max_attempts_per_day between 1 and 100),
  attempt_gap_minutes integer check (attempt_gap_minutes between 1 and 10080),
  -- How many days a workspace keeps recordings and conversations; null: as long as the server, or until they are
  -- deleted.
  recording_retention_days integer check (recording_retention_days between 1 and 36500),
  conversation_retention_days integer check (conversation_retention_days between 1 and 36500)
);

-- API keys and OAuth clients, each with its token bucket. Only the digest of a secret is stored.
create table credentials (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  kind text not null,
  name text not null,
  client_id text unique,
  secret_hash bytea not null unique,
  secret_last4 text not null,
  permissions text[] not null,
  token_lifetime_seconds integer,
  expires_at timestamptz,
  revoked_at timestamptz,
  tokens double precision not null,
  granted integer not null default 0,
  refilled_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
) with (fillfactor = 50);

-- Access tokens of OAuth clients, by digest.
create table access_tokens (
  token_hash bytea primary key,
  workspace_id uuid not null,
  credential_id uuid not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  foreign key (workspace_id, credential_id) references credentials (workspace_id, id)
);
create index access_tokens_expiry on access_tokens (expires_at);

-- Token buckets, by address, of requests without a valid credential. A database crash empties the table, which only
-- resets the limits.
create unlogged table address_buckets (
  address text primary key,
  tokens double precision not null,
  granted integer not null default 0,
  refilled_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);

-- People who sign in to the dashboard. An account belongs to the installation, not to a workspace: one person may be a
-- member of many, with a role in each.
create table users (
  id uuid primary key,
  -- as it was typed; looked up in lower case
  email text not null,
  name text not null,
  -- algorithm, parameters, salt and digest in one text, so that parameters may grow
  password_hash text not null,
  -- is owner of every workspace, creates workspaces, sees all users
  is_installation_owner boolean not null default false,
  disabled_at timestamptz,
  last_signed_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));

-- Roles of people in workspaces.
create table memberships (
  workspace_id uuid not null references workspaces,
  user_id uuid not null references users,
  role text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index memberships_user on memberships (user_id);

-- One-time links: set-up, invitations, new passwords. Only the digest of a token is stored.
create table sign_in_links (
  token_hash bytea primary key,
  id uuid not null unique,
  kind text not null,
  -- an invitation's workspace and role
  workspace_id uuid references workspaces,
  role text,
  email text,
  name text,
  -- the person whose password is set
  user_id uuid references users,
  created_by uuid references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_links_workspace on sign_in_links (workspace_id) where used_at is null;
create index sign_in_links_expiry on sign_in_links (expires_at);
create index sign_in_links_used on sign_in_links (used_at) where used_at is not null;

-- Sessions of people who are signed in. Only the digest of a token is stored.
create table user_sessions (
  token_hash bytea primary key,
  id uuid not null unique,
  user_id uuid not null references users,
  address text not null,
  user_agent text,
  -- a token bucket, like a credential's
  tokens double precision not null,
  granted boolean not null default true,
  refilled_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  -- moved on by each request, up to expires_at
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null
) with (fillfactor = 50);
create index user_sessions_user on user_sessions (user_id);
create index user_sessions_expiry on user_sessions (idle_expires_at);

-- Attempts to sign in that are left, by address, by account, and by both. A database crash empties the table, which
-- only resets the limits.
create unlogged table sign_in_buckets (
  name text primary key,
  tokens double precision not null,
  granted boolean not null default true,
  refilled_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);

-- Actions and who took them, append-only. Rows about the installation itself have workspace zero.
create table audit_log (
  workspace_id uuid not null,
  id uuid not null,
  actor_kind text not null,
  user_id uuid,
  -- e-mail address at that time; accounts change
  actor text not null,
  action text not null,
  target text,
  address text,
  request_id text,
  details json not null default '{}',
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
-- All indexes for housekeeping (…_age, …_expiry) are B-trees. A BRIN index serves a table that is only appended to:
-- once old rows are deleted, new ones take their place, every range of pages holds both, and each pass reads the whole
-- table.
create index audit_log_age on audit_log (created_at);

-- Refuses every change of the audit log, except the deletion of rows that are older than 400 days.
create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.created_at < now() - interval '400 days' then
    return old;
  end if;
  raise exception 'the audit log is appended only';
end $$;
create trigger audit_log_append_only before update or delete on audit_log
  for each row execute function refuse_audit_change();

-- Writes of the dashboard that run outside a transaction of their own. A row is stored before the write begins, and
-- moves to the audit log when the write ends or its node dies.
create table audit_intents (
  workspace_id uuid not null,
  id uuid not null,
  node_id uuid not null,
  actor_kind text not null,
  user_id uuid,
  actor text not null,
  action text not null,
  target text,
  address text,
  request_id text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- Latest requests of each workspace, for people who debug an integration. A database crash empties the table. Its ids
-- follow the order of time, so the primary key serves deletion by age, too.
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
  -- requests before this one that a flood left out of the log
  skipped integer not null default 0,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
