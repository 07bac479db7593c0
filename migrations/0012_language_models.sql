-- Models of providers, or of servers of one's own, that flows may speak through. Without one a workspace speaks through
-- the scripted model, which needs no account.
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
  primary key (workspace_id, id)
);
create unique index language_models_default on language_models (workspace_id) where is_default;
