-- Webhooks, and automations, which make reports, digests and exports.

-- Webhooks about sessions of a flow; global ones have no flow.
create table session_webhooks (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  flow_id uuid,
  url text not null,
  events text[] not null,
  auth_mode text not null,
  header_name text,
  -- sealed: the signing secret and what authMode needs
  secrets bytea not null,
  enabled boolean not null,
  disabled_reason text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index session_webhooks_enabled on session_webhooks (workspace_id) where enabled;

-- Attempts to deliver a webhook, with what was sent and answered. Secrets among the headers are masked.
create table webhook_attempts (
  workspace_id uuid not null,
  task_id uuid not null,
  attempt integer not null,
  url text not null,
  response_status integer,
  response_body text,
  error text,
  duration_ms integer not null,
  created_at timestamptz not null default now(),
  request_headers json,
  response_headers json,
  primary key (workspace_id, task_id, attempt)
);
-- Deliveries as people list them.
create index webhook_attempts_time on webhook_attempts (workspace_id, created_at);
create index webhook_attempts_age on webhook_attempts (created_at);

-- Receivers of webhooks that fail at present; a receiver that accepts again loses its row.
create table webhook_receivers (
  workspace_id uuid not null references workspaces,
  -- host and port
  endpoint text not null,
  -- number of failures in a row
  failures integer not null,
  failing_since timestamptz not null default now(),
  -- nothing is sent to it before
  rests_until timestamptz not null default '-infinity',
  primary key (workspace_id, endpoint)
) with (fillfactor = 70);
create index webhook_receivers_age on webhook_receivers (failing_since);

-- Addresses to which a workspace can have its own webhooks sent to look at them.
create table webhook_inspectors (
  workspace_id uuid primary key references workspaces,
  -- the secret part of its address
  token text not null,
  -- number of the next requests that are answered with fail_status
  fail_next integer not null default 0 check (fail_next between 0 and 100),
  fail_status integer not null default 500
);

-- Latest requests that arrived there; bodies are stored as sent, personal data included.
create table inspected_requests (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  method text not null,
  -- what follows the token: path and query
  target text not null,
  headers json not null,
  body text,
  body_encoding text not null,
  address text,
  answered integer not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index inspected_requests_age on inspected_requests (created_at);

-- Automations, which make artifacts: reports, digests, exports.
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
-- Read whenever a call job completes.
create index automations_of_jobs on automations (workspace_id) where kind = 'CALL_JOB_REPORT' and enabled;

-- Runs of automations.
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

-- Artifacts of runs; their bytes are in artifact_chunks.
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

-- Bytes of artifacts in pieces, so that neither writing nor reading a large table needs it in memory at once.
create table artifact_chunks (
  workspace_id uuid not null,
  artifact_id uuid not null,
  position integer not null,
  data bytea not null,
  primary key (workspace_id, artifact_id, position)
);
