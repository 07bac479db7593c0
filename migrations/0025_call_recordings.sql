-- Recordings of real audio, a file each below the folder of recordings; calls in text have none. A row stands before the
-- file does, so that what a crash leaves is known, and stays when the file is erased: the call had one, and has no more.
create table call_recordings (
  workspace_id uuid not null references workspaces,
  attempt_id uuid not null,
  row_id uuid not null,
  -- below the folder of recordings
  path text not null,
  sealed boolean not null,
  -- RECORDING, READY, FAILED, ERASING, ERASED
  state text not null default 'RECORDING',
  byte_length bigint,
  duration_ms integer,
  -- the loudest sample of every tenth of a second, one byte each
  agent_peaks bytea,
  customer_peaks bytea,
  failure text,
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  erased_at timestamptz,
  primary key (workspace_id, attempt_id)
);
create index call_recordings_row on call_recordings (workspace_id, row_id, started_at);
create index call_recordings_open on call_recordings (workspace_id, state) where state in ('RECORDING', 'ERASING');
create index call_recordings_age on call_recordings (started_at) where state in ('READY', 'FAILED');
