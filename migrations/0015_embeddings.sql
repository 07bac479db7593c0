-- Models that turn text into vectors are configured beside those that speak; each kind has its own default.
alter table language_models add column kind text not null default 'CHAT';
drop index language_models_default;
create unique index language_models_default on language_models (workspace_id, kind) where is_default;

-- A passage's meaning as a model's vector, of length 1. It goes with its passage.
create table knowledge_vectors (
  workspace_id uuid not null,
  item_id uuid not null,
  task_id uuid not null,
  position integer not null,
  agent_id uuid not null,
  -- Which model, served where, made it: vectors of others cannot be compared.
  model_key text not null,
  vector real[] not null,
  -- The signs of its numbers: counting those that differ finds the nearest few fast, which are then compared exactly.
  signs bit varying not null,
  primary key (workspace_id, item_id, task_id, position),
  foreign key (workspace_id, item_id, task_id, position) references knowledge_chunks on delete cascade
);
create index knowledge_vectors_agent on knowledge_vectors (workspace_id, agent_id);
