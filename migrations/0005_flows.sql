-- Flows and what they speak with: language models, speech providers, structured outputs, tools.

-- Models of providers, or of servers of one's own, that flows may use. Without one a workspace uses the scripted model,
-- which needs no account.
create table language_models (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  provider text not null,
  base_url text,
  model text not null,
  -- sealed
  api_key bytea,
  temperature double precision,
  is_default boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- CHAT, or EMBEDDING for models that turn text into vectors; each kind has its own default
  kind text not null default 'CHAT',
  -- limit of an answer's length, and effort of the reasoning before it; null: as the model's family needs
  max_output_tokens integer check (max_output_tokens between 64 and 200000),
  reasoning_effort text check (reasoning_effort in ('none', 'minimal', 'low', 'medium', 'high', 'xhigh')),
  primary key (workspace_id, id)
);
create unique index language_models_default on language_models (workspace_id, kind) where is_default;

-- A workspace's own accounts with speech providers. They take precedence over those that the operator configured for
-- the server.
create table speech_accounts (
  workspace_id uuid not null references workspaces,
  provider text not null,
  -- null: the provider's own
  base_url text,
  -- sealed
  api_key bytea,
  -- used for STT, used for TTS
  hears boolean not null,
  speaks boolean not null,
  transcription_model text,
  speech_model text,
  voice text,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, provider)
);

-- JSON schemas that are filled from a conversation.
create table structured_outputs (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  definition json not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- Flows as they are published, and their drafts.
create table flows (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  api_id text not null,
  definition json not null,
  user_id uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The draft reaches no call before it is published. draft_base is the version it was made from.
  draft json,
  draft_base integer,
  draft_updated_at timestamptz,
  -- [{version, percent}] with percents that add up to 100; null: every new session takes the published version
  splits json,
  -- name of the person or credential at that time; null: the service itself
  draft_by text,
  primary key (workspace_id, id),
  unique (workspace_id, api_id)
);

-- Flows as they were at each publication; rows never change.
create table flow_versions (
  workspace_id uuid not null,
  flow_id uuid not null,
  version integer not null,
  -- names the row in cursors of lists
  id uuid not null,
  definition json not null,
  note text,
  created_at timestamptz not null default now(),
  -- name of the person or credential at that time; null: the service itself
  created_by text,
  primary key (workspace_id, flow_id, version),
  foreign key (workspace_id, flow_id) references flows on delete cascade
);

-- Refuses every update of a published version.
create function refuse_flow_version_change() returns trigger language plpgsql as $$
begin
  raise exception 'a published version of a flow cannot change';
end
$$;
create trigger flow_versions_are_fixed before update on flow_versions
  for each row execute function refuse_flow_version_change();

-- Returns the version that a session takes. The session's id decides, so that the choice can be repeated and needs no
-- state. A percent that grows moves only the sessions that must move.
create function pick_flow_version(published integer, splits json, session_id uuid) returns integer
language sql immutable as $$
  select case when splits is null then published else (
    select s.version
      from (select (item ->> 'version')::int as version,
                   sum((item ->> 'percent')::int) over (order by place) as upper_bound
              from json_array_elements(splits) with ordinality as e(item, place)) s
     where s.upper_bound > ('x' || substr(md5(session_id::text), 1, 8))::bit(32)::bigint % 100
     order by s.upper_bound limit 1) end
$$;

-- Tool definitions. Headers and body of a tool's request are apart from the definition because they are sealed.
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
  api_body bytea,
  primary key (workspace_id, id)
);
-- Bodies that are still in the definition, not sealed. The service, which has the key, moves them; the index is empty
-- once that is done.
create index tools_clear_body on tools (workspace_id, id) where definition ->> 'apiBody' is not null;

-- Tool calls that are answered later. The id is text because callers of the echo endpoint choose it.
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
  -- Until when a conversation waits for the answer, by the database's own clock: a later callback is refused even when
  -- the process that waited is gone. Null: for ever (tasks of the echo endpoint).
  expires_at timestamptz,
  primary key (workspace_id, id)
);
-- A callback names the task, not the workspace.
create index tool_tasks_id on tool_tasks (id);
create index tool_tasks_age on tool_tasks (created_at);

-- Answers of tools, kept for repeated calls. An answer may be about a person, so it is sealed; owner is a digest of the
-- contact (scope CONTACT) or empty (scope WORKSPACE).
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

-- Running tool calls that count against a limit. A process that dies stops renewing its rows, and their places are free
-- again.
create table tool_places (
  workspace_id uuid not null references workspaces,
  -- tool:<id>, flow:<id> or workspace
  counter text not null,
  id uuid not null,
  expires_at timestamptz not null,
  primary key (workspace_id, counter, id)
);
create index tool_places_age on tool_places (expires_at);
