-- Answers of tools that are kept for repeated calls. What a tool answered may be about a person, so it is sealed; owner
-- is a digest of the contact (scope CONTACT) or empty (scope WORKSPACE).
create table tool_results (
  workspace_id uuid not null references workspaces,
  tool_id uuid not null,
  owner bytea not null,
  key bytea not null,
  result bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (workspace_id, tool_id, owner, key)
);
create index tool_results_age on tool_results (expires_at);

-- Calls of tools under way that count against a limit. A process that dies stops renewing, and its places come back.
create table tool_places (
  workspace_id uuid not null references workspaces,
  -- tool:<id>, flow:<id> or workspace
  counter text not null,
  id uuid not null,
  expires_at timestamptz not null,
  primary key (workspace_id, counter, id)
);
create index tool_places_age on tool_places (expires_at);
