-- Conventions: workspace_id leads every key and every where (cells and sharding need it, design section 1).
-- Money and counters that many calls touch sit in rows with free space (fillfactor), so updates stay HOT.

create table settings (
  name text primary key,
  value bytea not null
);

create table nodes (
  id uuid primary key,
  name text not null,
  alive_until timestamptz not null,
  started_at timestamptz not null default now()
) with (fillfactor = 50);

create table workspaces (
  id uuid primary key,
  name text not null,
  mode text not null,
  -- null: instant
  sandbox_speed double precision,
  rate_capacity double precision not null,
  rate_refill double precision not null,
  rate_period_seconds double precision not null,
  default_flow_id uuid,
  default_phone_number_id uuid,
  -- null: every country (SANDBOX workspaces, whose calls cannot leave)
  enabled_countries text[],
  time_zone text not null default 'UTC',
  created_at timestamptz not null default now()
);

create table credentials (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  kind text not null,
  name text not null,
  client_id text unique,
  secret_hash bytea not null unique,
  secret_last4 text not null,
  permissions text[] not null,
  token_lifetime_seconds integer,
  expires_at timestamptz,
  revoked_at timestamptz,
  tokens double precision not null,
  granted integer not null default 0,
  refilled_at timestamptz not null default clock_timestamp(),
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
) with (fillfactor = 50);

create table access_tokens (
  token_hash bytea primary key,
  workspace_id uuid not null,
  credential_id uuid not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  foreign key (workspace_id, credential_id) references credentials (workspace_id, id)
);
create index access_tokens_expiry on access_tokens (expires_at);

-- Buckets of requests without a valid credential. Lost in a database crash, which only forgives.
create unlogged table address_buckets (
  address text primary key,
  tokens double precision not null,
  granted integer not null default 0,
  refilled_at timestamptz not null default clock_timestamp()
) with (fillfactor = 50);

create table idempotency_keys (
  workspace_id uuid not null,
  credential_id uuid not null,
  route text not null,
  key text not null,
  body_hash bytea not null,
  status integer not null,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, credential_id, route, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

create table events (
  workspace_id uuid not null,
  id uuid not null,
  type text not null,
  subject_id uuid not null,
  data json not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

-- The outbox: webhooks, imports, timers. Claimed with a lease, like call rows.
create table tasks (
  id uuid primary key,
  workspace_id uuid not null,
  kind text not null,
  subject_id uuid not null,
  payload json not null,
  status text not null default 'PENDING',
  attempt integer not null default 0,
  due_at timestamptz not null default now(),
  lease_owner uuid,
  last_error text,
  created_at timestamptz not null default now(),
  finished_at timestamptz
) with (fillfactor = 70);
create index tasks_due on tasks (due_at, id) where status = 'PENDING';
create index tasks_leased on tasks (lease_owner) where lease_owner is not null;
create index tasks_subject on tasks (workspace_id, subject_id);

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
  primary key (workspace_id, task_id, attempt)
);

create table structured_outputs (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  definition json not null,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
);

create table flows (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  api_id text not null,
  definition json not null,
  user_id uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, api_id)
);

create table phone_numbers (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  number text not null,
  provider text not null,
  label text,
  status text not null,
  status_message text,
  max_concurrent_calls integer not null,
  -- Calls that hold a slot. No check against the maximum: READ COMMITTED tests a check on the stale row
  -- version before it re-reads the locked one, which gives false violations (measured).
  active_calls integer not null default 0,
  served_at timestamptz not null default '-infinity',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id),
  unique (workspace_id, number)
) with (fillfactor = 50);

create table do_not_call (
  workspace_id uuid not null references workspaces,
  number text not null,
  source text not null,
  note text,
  created_at timestamptz not null default now(),
  primary key (workspace_id, number)
);

create table call_jobs (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  status text not null,
  pause_reason text,
  -- Grows when rows are added or retried after completion; each run completes once.
  run integer not null default 1,
  flow_id uuid,
  flow_api_id text,
  inline_flow json,
  phone_number_ids uuid[] not null,
  max_concurrency integer,
  retry_config json not null,
  completion_webhook json,
  webhook_secret bytea,
  start_at timestamptz,
  total_rows integer not null default 0,
  processed_rows integer not null default 0,
  successful_rows integer not null default 0,
  error_rows integer not null default 0,
  rejected_rows integer not null default 0,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
) with (fillfactor = 50);

create table call_job_row_errors (
  workspace_id uuid not null,
  job_id uuid not null,
  line integer not null,
  column_name text not null,
  code text not null,
  message text not null
);
create index call_job_row_errors_job on call_job_row_errors (workspace_id, job_id, line);

-- A large CSV between its upload and its import: in the database, so that any node can import it and a crash
-- loses nothing that was acknowledged. Deleted by the import.
create table import_chunks (
  workspace_id uuid not null,
  job_id uuid not null,
  position integer not null,
  data bytea not null,
  primary key (workspace_id, job_id, position)
);

-- One lane for each pair of phone number and job (job zero: single calls). A lane is only touched under the
-- lock of its phone number, so its counter needs no lock of its own.
create table lanes (
  workspace_id uuid not null,
  phone_number_id uuid not null,
  job_id uuid not null,
  is_open boolean not null default true,
  max_calls integer,
  active_calls integer not null default 0,
  primary key (workspace_id, phone_number_id, job_id)
) with (fillfactor = 50);

create table call_rows (
  workspace_id uuid not null,
  id uuid not null,
  -- zero for single calls
  job_id uuid not null,
  line integer,
  external_id text,
  session_id uuid not null,
  status text not null,
  customer_number text not null,
  -- ISO 3166 code of the number, ZZ when unknown, and what kind of number it is (compliance/numbers.ts)
  number_country text not null,
  number_class text not null,
  phone_number_id uuid not null,
  contact_name text,
  contact_email text,
  row_data json,
  context_data text,
  flow_id uuid,
  flow_api_id text,
  inline_flow json,
  -- null: the job's
  retry_config json,
  due_at timestamptz not null default now(),
  attempts_made integer not null default 0,
  max_attempts integer not null default 1,
  lease_owner uuid,
  attempt_id uuid,
  outcome text,
  end_reason text,
  answered_by text,
  error json,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  answered_at timestamptz,
  ended_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, id)
) with (fillfactor = 80);
create index call_rows_due on call_rows (phone_number_id, job_id, due_at, id)
  where status in ('QUEUED', 'WAITING_FOR_RETRY');
create index call_rows_leased on call_rows (lease_owner) where lease_owner is not null;
create index call_rows_job on call_rows (workspace_id, job_id, id);

create table call_results (
  workspace_id uuid not null,
  row_id uuid not null,
  transcript json not null,
  structured_outputs json not null,
  extracted_fields json not null,
  duration_ms integer not null,
  model_ms json not null,
  usage json not null,
  -- false when the flow asks for no recording
  recorded boolean not null,
  updated_at timestamptz not null default now(),
  primary key (workspace_id, row_id)
);

create table call_attempts (
  workspace_id uuid not null,
  id uuid not null,
  row_id uuid not null,
  number integer not null,
  state text not null,
  phone_number_id uuid not null,
  customer_number text not null,
  provider text not null,
  provider_call_id text,
  submitted_at timestamptz not null default now(),
  ringing_at timestamptz,
  answered_at timestamptz,
  answered_by text,
  -- set in the transaction that ends the attempt; until then the person is locked
  ended_at timestamptz,
  outcome text,
  end_reason text,
  sip_code integer,
  error json,
  primary key (workspace_id, id)
) with (fillfactor = 70);
create unique index call_attempts_person_lock on call_attempts (workspace_id, customer_number)
  where ended_at is null;
create index call_attempts_row on call_attempts (workspace_id, row_id);

create table carrier_events (
  provider text not null,
  event_key text not null,
  attempt_id uuid not null,
  type text not null,
  payload json not null,
  received_at timestamptz not null default now(),
  primary key (provider, event_key)
);
create index carrier_events_attempt on carrier_events (attempt_id);
create index carrier_events_age on carrier_events (received_at);
