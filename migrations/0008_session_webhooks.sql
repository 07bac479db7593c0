-- Flow-session webhooks (spec, outbound calls rule 2): global ones have no flow.
create table session_webhooks (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  flow_id uuid,
  url text not null,
  events text[] not null,
  auth_mode text not null,
  header_name text,
  -- sealed: the signing secret and what authMode needs
  secrets bytea not null,
  enabled boolean not null,
  disabled_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index session_webhooks_enabled on session_webhooks (workspace_id) where enabled;
