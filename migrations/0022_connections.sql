-- A workspace's access to a provider: by an OAuth app of its own, or by a key.
create table connections (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  -- GOOGLE, CAL_COM, HUBSPOT, SALESFORCE, SLACK or CUSTOM
  provider text not null,
  -- OAUTH, API_KEY
  method text not null,
  -- NOT_CONNECTED, CONNECTED, NEEDS_SIGN_IN
  state text not null default 'NOT_CONNECTED',
  client_id text,
  -- sealed
  client_secret bytea,
  -- sealed JSON: access and refresh token, or the key
  tokens bytea,
  -- grows with every change of `tokens`, so that a refresh token is not used after it was replaced
  token_version integer not null default 1,
  -- null: the provider's own servers
  base_url text,
  -- addresses and header of a CUSTOM provider
  custom json,
  scopes text[] not null default '{}',
  granted_scopes text[],
  -- origin of the organisation's server, which Salesforce names with the tokens
  instance_origin text,
  -- e-mail address of the person who signed in
  connected_by text,
  connected_at timestamptz,
  refreshed_at timestamptz,
  expires_at timestamptz,
  -- a node refreshes the tokens, at most until then
  refreshing_until timestamptz,
  -- why it needs a new sign-in
  failure text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- Sign-ins under way at a provider: each is for one connection and one session of the dashboard, and is used once.
create table connection_sign_ins (
  workspace_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  session_id uuid not null,
  state_hash bytea not null unique,
  -- sealed: the code verifier (RFC 7636)
  verifier bytea not null,
  expires_at timestamptz not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, connection_id) references connections on delete cascade
);
create index connection_sign_ins_connection on connection_sign_ins (workspace_id, connection_id);
create index connection_sign_ins_expiry on connection_sign_ins (expires_at);
