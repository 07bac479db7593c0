-- Simulations of flows, and transcriptions of recordings.

-- Runs of test suites: request, progress, report. A run starts again after a crash, so everything that it needs is
-- stored with it. Deleted after 90 days.
create table simulations (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  -- SUITE: a test suite. Other kinds have the same states.
  kind text not null default 'SUITE',
  suite_name text not null,
  -- Runs are compared by it and the name of the suite: a saved flow's id, or the name that an inline flow gives itself.
  flow_key text not null,
  flow json not null,
  -- the suite as it was sent, its personas, and the other parameters of the request
  source json not null,
  -- the flow as it was when the run was requested
  prepared json not null,
  -- numbers in the suite, by which the erasure of a contact finds the run
  phones text[] not null default '{}',
  state text not null default 'QUEUED',
  total int not null,
  done int not null default 0,
  failed int not null default 0,
  -- null: the last run that finished; none when `compares` is false
  compare_with uuid,
  compares boolean not null default true,
  report json,
  compared_with uuid,
  comparison json,
  error json,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  primary key (workspace_id, id),
  constraint simulations_end check ((ended_at is null) = (state in ('QUEUED', 'RUNNING')))
);
create index simulations_by_suite on simulations (workspace_id, suite_name, id);
-- Deletion by age, across workspaces.
create index simulations_old on simulations (created_at);

-- Fields that a workspace files recordings under; a job may add some.
create table metadata_fields (
  workspace_id uuid primary key references workspaces,
  fields json not null,
  updated_at timestamptz not null default now()
);

-- Transcription jobs.
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
  -- fileName, columns, rows, uploadedAt
  spreadsheet json,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  closed_at timestamptz,
  primary key (workspace_id, id)
);

-- Rows of a job's spreadsheet, by which recordings get their metadata.
create table transcription_sheet_rows (
  workspace_id uuid not null,
  job_id uuid not null,
  -- EXTERNAL_ID or FILE_NAME: which column names the recording
  match_by text not null,
  match_key text not null,
  cells json not null,
  primary key (workspace_id, job_id, match_by, match_key)
);

-- Recordings to transcribe, and their transcripts.
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
-- A repeat of an externalId is the same recording, however many clients send it at once.
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

-- Uploads whose pieces are being stored. A row that is a day old was left by a crash, and is deleted with its pieces.
create table transcription_uploads (
  workspace_id uuid not null,
  row_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, row_id)
);
create index transcription_uploads_age on transcription_uploads (created_at);
