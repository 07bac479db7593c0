-- Agents and their knowledge base.

create table agents (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  description text,
  flow_id uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  foreign key (workspace_id, flow_id) references flows (workspace_id, id) on delete set null (flow_id)
);
create index agents_flow on agents (workspace_id, flow_id) where flow_id is not null;

create table knowledge_items (
  workspace_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  title text not null,
  type text not null,
  content text,
  url text,
  file_id uuid,
  tags json not null,
  metadata json,
  language text,
  -- The text search configuration that the language stands for; 'simple' when it stands for none.
  config text not null,
  enabled boolean not null,
  refresh_interval_hours integer,
  status text not null,
  status_message text,
  size_bytes bigint,
  chunk_count integer not null default 0,
  content_hash text,
  last_indexed_at timestamptz,
  -- The one task that may store chunks; null while none is due. A change names a new task, so an older run stores nothing.
  task_id uuid,
  -- True from a change of the source until it has been indexed: what is stored then stems from the source before.
  source_changed boolean not null,
  -- What the address said of its page, for conditional requests.
  etag text,
  last_modified text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index knowledge_items_agent on knowledge_items (workspace_id, agent_id, id);
create index knowledge_items_file on knowledge_items (workspace_id, file_id) where file_id is not null;

create table knowledge_files (
  workspace_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  file_name text not null,
  media_type text not null,
  size_bytes bigint not null,
  sha256 text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index knowledge_files_agent on knowledge_files (workspace_id, agent_id);

-- A file in pieces, so that neither storing nor reading it holds more than one piece twice.
create table knowledge_file_pieces (
  workspace_id uuid not null,
  file_id uuid not null,
  position integer not null,
  data bytea not null,
  primary key (workspace_id, file_id, position)
);

-- The agent's id is a lexeme of its own: a search asks the index for it together with the words, so that another
-- workspace's passages are never read (btree_gin, which could put the workspace first, is not installed everywhere).
-- Immutable, since the configurations of pg_catalog do not change.
create function knowledge_vector(agent_id uuid, config text, title text, body text) returns tsvector
language sql immutable parallel safe as $$
  select array_to_tsvector(array[agent_id::text])
    || setweight(to_tsvector('pg_catalog.simple', title), 'A')
    || setweight(to_tsvector('pg_catalog.simple', body), 'B')
    || case when config = 'simple' then ''::tsvector
       else setweight(to_tsvector(('pg_catalog.' || config)::regconfig, title), 'A')
         || setweight(to_tsvector(('pg_catalog.' || config)::regconfig, body), 'B') end
$$;

create table knowledge_chunks (
  workspace_id uuid not null,
  item_id uuid not null,
  -- The task that stored it: new chunks are written beside the old ones, which are deleted with the same commit.
  task_id uuid not null,
  position integer not null,
  agent_id uuid not null,
  config text not null,
  title text not null,
  text text not null,
  -- The text with its words parted, for scripts that are written without spaces; null when it is the same.
  search_text text,
  tsv tsvector generated always as (knowledge_vector(agent_id, config, title, coalesce(search_text, text))) stored,
  primary key (workspace_id, item_id, task_id, position)
);
create index knowledge_chunks_tsv on knowledge_chunks using gin (tsv);
