-- The service itself: settings, nodes, the outbox, events.
-- In all files workspace_id leads every key and every WHERE, so that workspaces can be spread over databases. Counters
-- that many calls touch are in rows with free space (fillfactor), so that their updates stay HOT. Money is numeric and
-- never rounded.

-- Values of the installation, such as the check that PARLEY_SECRET is the one this database was set up with.
create table settings (
  name text primary key,
  value bytea not null
);

-- Running processes, each with a lease (alive_until) that its heartbeat renews.
create table nodes (
  id uuid primary key,
  -- id of an installation: the file `node-id` in its DATA_DIR
  name text not null,
  alive_until timestamptz not null,
  started_at timestamptz not null default now(),
  -- where other nodes reach this one; null: it gave no address
  address text,
  -- where `node-id` lies: boot of the machine, device and inode, so that a copy of the folder is not taken for the
  -- original
  place text,
  -- Each heartbeat writes a new token over its own last one: of two processes that take themselves for one node, one
  -- finds a stranger's.
  beat uuid
) with (fillfactor = 50);

-- Periodic work that one node at a time does for all: the node that holds it, and when it is due again.
create table periodic_tasks (
  name text primary key,
  held_by uuid,
  due_at timestamptz not null default now()
);

-- The outbox: webhooks, imports, timers. Tasks are claimed with a lease, as call rows are.
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
  finished_at timestamptz,
  -- Receiver of a webhook: a session webhook, or the host that a job's completion is sent to; empty for other tasks.
  -- Tasks are claimed in turn by workspace and receiver.
  endpoint text generated always as (coalesce(case kind
    when 'session.event' then subject_id::text
    when 'call_job.completed' then lower(substring(payload #>> '{webhook,url}' from '^[a-zA-Z]+://([^/?#]*)'))
    end, '')) stored
) with (fillfactor = 70);
-- Finds the tasks of a node, also after its death.
create index tasks_leased on tasks (lease_owner) where lease_owner is not null;
create index tasks_subject on tasks (workspace_id, subject_id);
-- Workers claim by kind, so that a backlog of one kind does not hold up the others.
create index tasks_due on tasks (kind, due_at, id) where status = 'PENDING';
-- Deliveries of webhooks as people list them.
create index tasks_deliveries on tasks (workspace_id, created_at, id)
  where kind in ('call_job.completed', 'session.event');
-- Next task of each workspace and receiver.
create index tasks_heads on tasks (kind, workspace_id, endpoint, due_at, id) where status = 'PENDING';
-- Calls whose outputs are still being filled: a job's completion waits for them, and looks here at each attempt.
create index tasks_filling on tasks (workspace_id, subject_id)
  where kind = 'calls.fill_outputs' and status in ('PENDING', 'RUNNING');
-- Housekeeping deletes tasks that are over by age. Deliveries of webhooks are kept for longer, so each has an index of
-- its own.
create index tasks_over on tasks (finished_at)
  where finished_at is not null and kind not in ('call_job.completed', 'session.event');
create index tasks_delivered on tasks (finished_at)
  where finished_at is not null and kind in ('call_job.completed', 'session.event');

-- Domain events, each appended in the transaction of the change that it reports.
create table events (
  workspace_id uuid not null,
  id uuid not null,
  type text not null,
  subject_id uuid not null,
  data json not null,
  created_at timestamptz not null default now(),
  primary key (workspace_id, id)
);
create index events_age on events (created_at);

-- Requests with an Idempotency-Key and their answers, kept for 24 hours.
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
-- The key that holds: an Idempotency-Key belongs to its workspace, so a client that changes its credential repeats
-- nothing.
create unique index idempotency_keys_name on idempotency_keys (workspace_id, route, key);
