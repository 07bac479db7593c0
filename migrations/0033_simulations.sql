-- Runs of test suites: what was asked for, how far it is, and the report. A run is begun again after a crash, so all
-- that it needs is kept with it. Forgotten after 90 days.
create table simulations (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  -- SUITE: a test suite. Other kinds share the life of a run.
  kind text not null default 'SUITE',
  suite_name text not null,
  -- What runs are compared by, besides the name of the suite: a saved flow's id, or what a flow sent along calls itself.
  flow_key text not null,
  flow json not null,
  -- The suite as it was sent, its personas, and what was asked for besides.
  source json not null,
  -- What the flow said when the run was asked for.
  prepared json not null,
  -- Numbers that the suite names: a contact's erasure finds the run by them.
  phones text[] not null default '{}',
  state text not null default 'QUEUED',
  total int not null,
  done int not null default 0,
  failed int not null default 0,
  -- Null: the last run that finished; compares false: none.
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
-- For what is forgotten, across workspaces.
create index simulations_old on simulations (created_at);
