-- People who sign in to the dashboard. An account belongs to the installation, not to a workspace: one person may be a
-- member of many, with a role in each.
create table users (
  id uuid primary key,
  -- as it was typed; looked up in lower case
  email text not null,
  name text not null,
  -- algorithm, parameters, salt and digest in one text, so that parameters may grow
  password_hash text not null,
  -- owner of every workspace, makes workspaces, sees all users
  is_installation_owner boolean not null default false,
  disabled_at timestamptz,
  last_signed_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index users_email on users (lower(email));

create table memberships (
  workspace_id uuid not null references workspaces,
  user_id uuid not null references users,
  role text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, user_id)
);
create index memberships_user on memberships (user_id);

-- One-time links: set-up, invitations, new passwords. Only the digest of their token is kept.
create table sign_in_links (
  token_hash bytea primary key,
  id uuid not null unique,
  kind text not null,
  -- an invitation's workspace and role
  workspace_id uuid references workspaces,
  role text,
  email text,
  name text,
  -- whose password
  user_id uuid references users,
  created_by uuid references users,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_links_workspace on sign_in_links (workspace_id) where used_at is null;

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
  -- moves on with each request, up to expires_at
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null
) with (fillfactor = 50);
create index user_sessions_user on user_sessions (user_id);
create index user_sessions_expiry on user_sessions (idle_expires_at);

-- Attempts to sign in that are left, by address, by account, and by both. Lost in a database crash, which only forgives.
create unlogged table sign_in_buckets (
  name text primary key,
  tokens double precision not null,
  granted boolean not null default true,
  refilled_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);
