-- Transcription jobs, their recordings, and the fields that recordings are filed under (spec, "Transcription jobs").

-- The workspace's own fields; a job may add some.
create table metadata_fields (
  workspace_id uuid primary key references workspaces,
  fields json not null,
  updated_at timestamptz not null default now()
);

create table transcription_jobs (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  -- OPEN or CLOSED
  status text not null default 'OPEN',
  provider text not null,
  language text,
  file_name_pattern text,
  metadata_fields json not null,
  -- keeps uploaded audio after its transcription
  retain_audio boolean not null,
  -- what is known of the spreadsheet: fileName, columns, rows, uploadedAt
  spreadsheet json,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  closed_at timestamptz,
  primary key (workspace_id, id)
);

create table transcription_sheet_rows (
  workspace_id uuid not null,
  job_id uuid not null,
  -- EXTERNAL_ID or FILE_NAME: which column names the recording
  match_by text not null,
  match_key text not null,
  cells json not null,
  primary key (workspace_id, job_id, match_by, match_key)
);

create table transcription_rows (
  workspace_id uuid not null,
  id uuid not null,
  job_id uuid not null,
  external_id text,
  -- QUEUED, PROCESSING, COMPLETED, FAILED
  status text not null default 'QUEUED',
  provider text not null,
  requested_language text,
  -- exactly as sent; null for uploads
  url text,
  file_name text,
  media_type text,
  bytes bigint,
  sha256 text,
  metadata json not null,
  unknown_metadata_keys text[] not null,
  warning text,
  -- transient failures so far
  failures integer not null default 0,
  error json,
  audio_format text,
  duration_seconds double precision,
  language text,
  transcript json,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  primary key (workspace_id, id),
  foreign key (workspace_id, job_id) references transcription_jobs (workspace_id, id)
) with (fillfactor = 70);
-- A repeat of an externalId is the same recording, however many send it at once.
create unique index transcription_rows_external_id on transcription_rows (workspace_id, job_id, external_id)
  where external_id is not null;
create index transcription_rows_job on transcription_rows (workspace_id, job_id, id);

-- Uploaded audio in pieces: in the database, so that any node can transcribe it and a crash loses nothing that was
-- acknowledged. Deleted when the recording has ended, unless its job retains audio.
create table transcription_audio (
  workspace_id uuid not null,
  row_id uuid not null,
  position integer not null,
  data bytea not null,
  primary key (workspace_id, row_id, position)
);

-- Uploads whose pieces are being stored. A row that is a day old was left by a crash, and its pieces go with it.
create table transcription_uploads (
  workspace_id uuid not null,
  row_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, row_id)
);
create index transcription_uploads_age on transcription_uploads (created_at);
