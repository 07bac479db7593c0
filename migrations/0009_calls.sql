-- Calls: jobs, rows, attempts, results, recordings, control of live calls.

-- Jobs of many rows, with their counters.
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
  -- when calls of the job may go out (src/tenancy/compliance/calling-window.ts)
  calling_window jsonb,
  -- Finished rows that reached a person and a machine, by the outcomes of answeredSql in
  -- src/interactions/calls/answered.ts. `successful_rows`, which is part of the contract, counts a voicemail that was
  -- left as a success.
  reached_rows integer not null default 0,
  machine_rows integer not null default 0,
  -- Line of its file up to which a job was imported. Large files are imported in many short transactions: a long one
  -- keeps the database from clearing away dead rows, which every request then has to read.
  imported_line integer not null default 0,
  primary key (workspace_id, id)
) with (fillfactor = 50);
-- Read a few times a second by the dashboard's live stream while somebody looks. The columns of the predicate change
-- only when the row enters or leaves the index, so ordinary updates stay HOT.
create index call_jobs_active on call_jobs (workspace_id, id)
  where status in ('IMPORTING', 'RUNNING', 'PAUSED', 'CANCELLING');

-- Errors of a job's file, by line and column.
create table call_job_row_errors (
  workspace_id uuid not null,
  job_id uuid not null,
  line integer not null,
  column_name text not null,
  code text not null,
  message text not null
);
create index call_job_row_errors_job on call_job_row_errors (workspace_id, job_id, line);

-- A large CSV between its upload and its import: in the database, so that any node can import it and a crash loses
-- nothing that was acknowledged. The import deletes it.
create table import_chunks (
  workspace_id uuid not null,
  job_id uuid not null,
  position integer not null,
  data bytea not null,
  primary key (workspace_id, job_id, position)
);

-- One lane for each pair of phone number and job (job zero: single calls). A lane is only touched under the lock of its
-- phone number, so its counter needs no lock of its own. FINISH closes the lanes of a job that is over and housekeeping
-- deletes them; a job that runs again gets new ones.
create table lanes (
  workspace_id uuid not null,
  phone_number_id uuid not null,
  job_id uuid not null,
  is_open boolean not null default true,
  max_calls integer,
  active_calls integer not null default 0,
  primary key (workspace_id, phone_number_id, job_id)
) with (fillfactor = 50);
-- The claim reads the open lanes alone, housekeeping the closed ones, and a job its own.
create index lanes_open on lanes (workspace_id, phone_number_id, job_id) where is_open;
create index lanes_closed on lanes (workspace_id, job_id) where not is_open;
create index lanes_job on lanes (workspace_id, job_id);

-- The queue of calls, and every call that was made or received. Its rows stay slim; what a call produced is in
-- call_results.
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
  -- ISO 3166 code of the number, ZZ when unknown, and its kind (src/tenancy/compliance/numbers.ts)
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
  -- of a call without a job; null: the job's or the workspace's
  calling_window jsonb,
  -- the called person's own zone, where the caller knows it
  time_zone text,
  -- equal to due_at while the row waits for its window to open
  window_opens_at timestamptz,
  -- version that the first dial took; null for an inline flow
  flow_version integer,
  -- INBOUND for calls that people place to our numbers, which are answered and never dialled
  direction text not null default 'OUTBOUND',
  -- the carrier's id of an inbound call: a repeat of it is the same call
  inbound_call_id text,
  -- The person asked for a human while no tool could transfer the call: somebody has to call back.
  human_requested boolean not null default false,
  primary key (workspace_id, id),
  -- An inbound call waits for no dial, whatever goes wrong with it.
  constraint call_rows_inbound_never_dialled
    check (direction = 'OUTBOUND' or status not in ('QUEUED', 'WAITING_FOR_RETRY'))
) with (fillfactor = 80);
create index call_rows_due on call_rows (phone_number_id, job_id, due_at, id)
  where status in ('QUEUED', 'WAITING_FOR_RETRY');
create index call_rows_leased on call_rows (lease_owner) where lease_owner is not null;
create index call_rows_job on call_rows (workspace_id, job_id, id);
-- Rows that are added to a job are compared with those it has by their external id.
create index call_rows_external on call_rows (workspace_id, job_id, external_id) where external_id is not null;
-- Web calls that wait or are live: counted when another one is requested.
create index call_rows_web_open on call_rows (workspace_id)
  where phone_number_id = '00000000-0000-0000-0000-000000000000' and ended_at is null;
create unique index call_rows_inbound on call_rows (workspace_id, phone_number_id, inbound_call_id)
  where inbound_call_id is not null;
create index call_rows_inbound_live on call_rows (workspace_id, phone_number_id)
  where direction = 'INBOUND' and ended_at is null;
-- Lists of calls are filtered and counted by it. All columns have few values, so that equal entries share their place:
-- the count of a workspace's calls is read from this index alone.
create index call_rows_states on call_rows (workspace_id, direction, status, outcome, flow_api_id, job_id);
-- Calls with a number or with numbers that start alike, ended or not.
create index call_rows_contact on call_rows (workspace_id, customer_number text_pattern_ops, ended_at);
-- History of calls, newest first. Rows of jobs that wait for their first call are not in it, so a list of a million is
-- skipped in one step.
create index call_rows_history on call_rows (workspace_id, id)
  where job_id = '00000000-0000-0000-0000-000000000000' or status <> 'QUEUED';
-- Rows that wait for another attempt, counted for each job that is shown. call_rows_states serves that, too, but a
-- table that has just grown by half a million rows has statistics that say otherwise.
create index call_rows_retries on call_rows (workspace_id, job_id)
  where status = 'WAITING_FOR_RETRY' and direction = 'OUTBOUND';
-- Finds the calls to return among a million others, newest first.
create index call_rows_human_requested on call_rows (workspace_id, id) where human_requested;

-- Returns a word as it is searched: lower case, without accents.
create function search_word(word text) returns text language sql immutable strict parallel safe as $$
  select left(regexp_replace(lower(normalize(word, NFKD)), '[\u0300-\u036f]', '', 'g'), 60)
$$;

-- Returns the words of a name.
create function name_words(name text) returns setof text language sql immutable strict parallel safe rows 3 as $$
  select distinct search_word(word) from regexp_split_to_table(name, '[[:space:].,;:()"''/_-]+') as word where word <> ''
$$;

-- Words of the contact names of calls, by which lists of calls are searched. Calls change often and their names never
-- do, so the words are stored apart; a statement that blanks a name blanks its words.
create table call_names (
  workspace_id uuid not null,
  word text not null collate "C",
  row_id uuid not null,
  primary key (workspace_id, word, row_id)
);
create index call_names_row on call_names (workspace_id, row_id);

create function learn_call_names() returns trigger language plpgsql as $$
begin
  insert into call_names (workspace_id, word, row_id)
  select r.workspace_id, w.word, r.id from learned r cross join lateral name_words(r.contact_name) as w(word)
   where r.contact_name is not null;
  return null;
end $$;
create trigger call_rows_learn_names after insert on call_rows
  referencing new table as learned for each statement execute function learn_call_names();

create function relearn_call_names() returns trigger language plpgsql as $$
begin
  delete from call_names where workspace_id = old.workspace_id and row_id = old.id;
  insert into call_names (workspace_id, word, row_id)
  select new.workspace_id, w.word, new.id from name_words(new.contact_name) as w(word);
  return null;
end $$;
create trigger call_rows_relearn_names after update of contact_name on call_rows
  for each row when (old.contact_name is distinct from new.contact_name) execute function relearn_call_names();

create function forget_call_names() returns trigger language plpgsql as $$
begin
  delete from call_names where workspace_id = old.workspace_id and row_id = old.id;
  return null;
end $$;
create trigger call_rows_forget_names after delete on call_rows for each row execute function forget_call_names();

-- Dials of a row, and the lock on the person who is called.
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
  -- Number of this dial among the workspace's dials to the person, from 1 without gaps; null where nobody can have been
  -- called, and where no limit holds.
  person_attempt integer,
  primary key (workspace_id, id)
) with (fillfactor = 70);
-- The lock on the person: at most one live attempt for each workspace and number.
create unique index call_attempts_person_lock on call_attempts (workspace_id, customer_number)
  where ended_at is null;
create index call_attempts_row on call_attempts (workspace_id, row_id);
-- The answer rate of a number is computed over its latest attempts. None of these columns ever changes, so updates stay
-- cheap.
create index call_attempts_phone_number on call_attempts (workspace_id, phone_number_id, submitted_at);
-- Of two claims that counted alike, one writes its dial and the other none.
create unique index call_attempts_person on call_attempts (workspace_id, customer_number, person_attempt)
  where person_attempt is not null;

-- Results of calls: transcript, outputs, usage.
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
  -- AMD verdict: {answeredBy, confidence, decidedAfterMs, reason}; null without AMD
  answer jsonb,
  is_forgotten boolean not null default false,
  primary key (workspace_id, row_id)
);
-- Conversations past their retention, oldest first within each workspace.
create index call_results_kept on call_results (workspace_id, updated_at) where not is_forgotten;

-- Recordings of real audio, a file each in the folder of recordings; calls in text have none. A row is stored before
-- its file is written, so that files left by a crash are known. It stays when the file is erased, to show that there
-- was a recording.
create table call_recordings (
  workspace_id uuid not null references workspaces,
  attempt_id uuid not null,
  row_id uuid not null,
  -- relative to the folder of recordings
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
-- Recordings past their retention, oldest first within each workspace.
create index call_recordings_kept on call_recordings (workspace_id, started_at) where state in ('READY', 'FAILED');

-- Events of carriers as they arrived; the key drops repeats.
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

-- Commands for live calls, to the node that holds the call. ACCEPTED -> TAKEN -> DONE or REFUSED; WITHDRAWN: not taken
-- in time; LOST: the node went away with the call.
create table call_commands (
  workspace_id uuid not null,
  id uuid not null,
  row_id uuid not null,
  -- the node that held the call when the command was given
  node_id uuid not null,
  kind text not null,
  -- text of a whisper; deleted once the command is settled
  words text,
  credential_id uuid not null,
  state text not null default 'ACCEPTED',
  -- reason of a refusal
  reason text,
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  primary key (workspace_id, id)
) with (fillfactor = 70);
create index call_commands_open on call_commands (node_id, id) where settled_at is null;
create index call_commands_age on call_commands (created_at);

-- Tokens to listen in on a call, which every node accepts.
create table supervision_tokens (
  token_hash bytea primary key,
  workspace_id uuid not null,
  row_id uuid not null,
  -- a key, a client, or a person's account
  credential_id uuid not null,
  -- a person's session
  session_id uuid,
  expires_at timestamptz not null
);
create index supervision_tokens_expiry on supervision_tokens (expires_at);

-- Web pages that wait to be called, opened by a token. The name that a page gives itself is personal, and is deleted
-- with the row.
create table web_phones (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  name text not null,
  token_hash bytea not null unique,
  allowed_origins text[] not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index web_phones_expiry on web_phones (expires_at);

-- How a web call may be started; everything else of it is in call_rows, where its phone_number_id is zero.
create table web_calls (
  workspace_id uuid not null references workspaces,
  row_id uuid not null,
  -- exactly one of the two: the page that holds the token starts the call, or this page is called
  token_hash bytea unique,
  web_phone_id uuid,
  display_name text,
  allowed_origins text[] not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, row_id),
  foreign key (workspace_id, web_phone_id) references web_phones on delete set null (web_phone_id)
);
create index web_calls_phone on web_calls (workspace_id, web_phone_id) where web_phone_id is not null;
create index web_calls_expiry on web_calls (expires_at);
