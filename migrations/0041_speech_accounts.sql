-- Accounts of a workspace at providers of speech in calls. They take the place of those that the operator set for the server.
create table speech_accounts (
  workspace_id uuid not null references workspaces,
  provider text not null,
  -- null: the provider's own
  base_url text,
  -- sealed
  api_key bytea,
  hears boolean not null,
  speaks boolean not null,
  transcription_model text,
  speech_model text,
  voice text,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, provider)
);

-- How many days a workspace keeps things; null: as long as the server, or until they are deleted.
alter table workspaces add column recording_retention_days integer check (recording_retention_days between 1 and 36500);
alter table workspaces add column conversation_retention_days integer
  check (conversation_retention_days between 1 and 36500);

-- What is over the limit is found oldest first within its workspace.
drop index call_recordings_age;
create index call_recordings_kept on call_recordings (workspace_id, started_at) where state in ('READY', 'FAILED');
alter table call_results add column is_forgotten boolean not null default false;
create index call_results_kept on call_results (workspace_id, updated_at) where not is_forgotten;
alter table chat_sessions add column is_forgotten boolean not null default false;
create index chat_sessions_kept on chat_sessions (workspace_id, ended_at) where ended_at is not null and not is_forgotten;
