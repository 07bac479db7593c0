-- Agents and their knowledge.

-- Agents: a flow and a knowledge base.
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

-- Items of an agent's knowledge base: texts, web pages and files.
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
  -- text search configuration of the language; 'simple' for a language that has none
  config text not null,
  enabled boolean not null,
  refresh_interval_hours integer,
  status text not null,
  status_message text,
  size_bytes bigint,
  chunk_count integer not null default 0,
  content_hash text,
  last_indexed_at timestamptz,
  -- The one task that may store chunks; null while none is due. A change names a new task, so an older run stores
  -- nothing.
  task_id uuid,
  -- True from a change of the source until it is indexed: until then the stored chunks are those of the former source.
  source_changed boolean not null,
  -- headers of the page's last answer, for conditional requests
  etag text,
  last_modified text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index knowledge_items_agent on knowledge_items (workspace_id, agent_id, id);
create index knowledge_items_file on knowledge_items (workspace_id, file_id) where file_id is not null;

-- Uploaded files of the knowledge base.
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

-- Bytes of a file in pieces, so that neither storing nor reading it holds more than one piece twice.
create table knowledge_file_pieces (
  workspace_id uuid not null,
  file_id uuid not null,
  position integer not null,
  data bytea not null,
  primary key (workspace_id, file_id, position)
);

-- Returns the words of a passage as they are indexed. The agent's id is a lexeme of its own: a search asks the index
-- for it together with the words, so that passages of other workspaces are never read (btree_gin, which could put the
-- workspace first, is not installed everywhere). Immutable, because the configurations of pg_catalog do not change.
create function knowledge_vector(agent_id uuid, config text, title text, body text) returns tsvector
language sql immutable parallel safe as $$
  select array_to_tsvector(array[agent_id::text])
    || setweight(to_tsvector('pg_catalog.simple', title), 'A')
    || setweight(to_tsvector('pg_catalog.simple', body), 'B')
    || case when config = 'simple' then ''::tsvector
       else setweight(to_tsvector(('pg_catalog.' || config)::regconfig, title), 'A')
         || setweight(to_tsvector(('pg_catalog.' || config)::regconfig, body), 'B') end
$$;

-- Passages of knowledge items, searched by words.
create table knowledge_chunks (
  workspace_id uuid not null,
  item_id uuid not null,
  -- The task that stored the chunk: new chunks are written beside the old ones, which are deleted with the same commit.
  task_id uuid not null,
  position integer not null,
  agent_id uuid not null,
  config text not null,
  title text not null,
  text text not null,
  -- The text with its words separated, for scripts that are written without spaces, and with the headings above it;
  -- null when it equals the text.
  search_text text,
  tsv tsvector generated always as (knowledge_vector(agent_id, config, title, coalesce(search_text, text))) stored,
  -- place of the passage in its document
  headings text[] not null default '{}',
  page integer,
  primary key (workspace_id, item_id, task_id, position)
);
create index knowledge_chunks_tsv on knowledge_chunks using gin (tsv);

-- Vectors of length 1 that a model made of passages, for search by meaning. They are deleted with their passage.
create table knowledge_vectors (
  workspace_id uuid not null,
  item_id uuid not null,
  task_id uuid not null,
  position integer not null,
  agent_id uuid not null,
  -- model and server that made the vector: vectors of others cannot be compared
  model_key text not null,
  vector real[] not null,
  -- Signs of the vector's numbers: counting those that differ finds the nearest few fast, which are then compared
  -- exactly.
  signs bit varying not null,
  primary key (workspace_id, item_id, task_id, position),
  foreign key (workspace_id, item_id, task_id, position) references knowledge_chunks on delete cascade
);
create index knowledge_vectors_agent on knowledge_vectors (workspace_id, agent_id);
