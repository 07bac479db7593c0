-- Control of live calls from any node: commands to the node that holds a call, and tokens that any node takes.

-- where other nodes reach this one; null: it told none
alter table nodes add column address text;

-- ACCEPTED -> TAKEN -> DONE or REFUSED; WITHDRAWN: not taken in time; LOST: its node went away with the call.
create table call_commands (
  workspace_id uuid not null,
  id uuid not null,
  row_id uuid not null,
  -- the node that held the call when it was asked
  node_id uuid not null,
  kind text not null,
  -- a whisper's words; forgotten once it is settled
  words text,
  credential_id uuid not null,
  state text not null default 'ACCEPTED',
  -- why it was refused
  reason text,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  primary key (workspace_id, id)
) with (fillfactor = 70);
create index call_commands_open on call_commands (node_id, id) where settled_at is null;
create index call_commands_age on call_commands (created_at);

create table supervision_tokens (
  token_hash bytea primary key,
  workspace_id uuid not null,
  row_id uuid not null,
  -- a key, a client, or a person's account
  credential_id uuid not null,
  -- a person's session
  session_id uuid,
  expires_at timestamptz not null
);
create index supervision_tokens_expiry on supervision_tokens (expires_at);

-- Writes of the dashboard that are under way outside a transaction of their own: told before they begin, moved to the
-- audit log when they end, or when their node died with them.
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
