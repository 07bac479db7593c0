-- api_headers is apart from the definition because it is sealed.
create table tools (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  definition json not null,
  api_headers bytea,
  user_id uuid,
  version integer not null default 1,
  created_by_ai boolean not null default false,
  creator_agent_id uuid,
  creator_flow_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- Work that a tool answers later. The id is text because callers of the echo endpoint choose it.
create table tool_tasks (
  workspace_id uuid not null references workspaces,
  id text not null,
  -- TOOL: waited for by a conversation. TEST: made by the echo endpoint.
  source text not null,
  -- null: only an OAuth client of the workspace may answer
  secret_hash bytea,
  status text not null default 'PENDING',
  result json,
  error text,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (workspace_id, id)
);
-- A callback names the task, not the workspace.
create index tool_tasks_id on tool_tasks (id);
create index tool_tasks_age on tool_tasks (created_at);
