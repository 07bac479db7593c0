-- Automations: what makes artifacts, its runs, and the artifacts themselves.

create table automations (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  description text,
  -- CALL_JOB_REPORT, DAILY_DIGEST, EXPORT
  kind text not null,
  enabled boolean not null,
  -- null: every job (reports), the call history (exports)
  call_job_id uuid,
  -- DAILY_DIGEST: time, days, timeZone
  schedule json,
  -- EXPORT: format and filters
  export json,
  -- Names the one schedule task that counts: it grows when a digest is taken or its schedule changes.
  schedule_token integer not null default 0,
  next_run_at timestamptz,
  -- where the next scheduled digest begins
  covered_until timestamptz not null default now(),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
-- Asked whenever a call job completes.
create index automations_of_jobs on automations (workspace_id) where kind = 'CALL_JOB_REPORT' and enabled;

create table automation_runs (
  workspace_id uuid not null,
  id uuid not null,
  automation_id uuid not null,
  -- CALL_JOB_COMPLETED, SCHEDULE, MANUAL
  trigger text not null,
  -- reports: callJobId, callJobRun; digests: from, until
  parameters json not null,
  -- QUEUED, RUNNING, COMPLETED, FAILED
  status text not null default 'QUEUED',
  artifact_count integer not null default 0,
  error json,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  primary key (workspace_id, id)
) with (fillfactor = 80);
create index automation_runs_automation on automation_runs (workspace_id, automation_id, id);

create table artifacts (
  workspace_id uuid not null,
  id uuid not null,
  automation_id uuid not null,
  run_id uuid not null,
  -- TEXT, JSON, FILE, HTML, TABLE
  type text not null,
  name text not null,
  title text not null,
  mime_type text not null,
  size_bytes bigint not null,
  metadata json not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index artifacts_automation on artifacts (workspace_id, automation_id, id);

-- In pieces, so that neither writing nor reading a large table needs it in memory at once.
create table artifact_chunks (
  workspace_id uuid not null,
  artifact_id uuid not null,
  position integer not null,
  data bytea not null,
  primary key (workspace_id, artifact_id, position)
);
