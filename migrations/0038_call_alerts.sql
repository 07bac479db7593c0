-- What supervisors see of live calls. The tile is small, so that a room of hundreds of calls is read without any
-- transcript; it is null once the call is over.
alter table call_results add column monitor json;

-- Alerts of calls, one row for each kind; raised again it is the same row. A call that is over has none open.
create table call_alerts (
  workspace_id uuid not null,
  row_id uuid not null,
  kind text not null,
  raised_at timestamptz not null default now(),
  -- null: open
  cleared_at timestamptz,
  -- how often it was raised
  times integer not null default 1,
  primary key (workspace_id, row_id, kind)
);
-- Read twice a second by the dashboard's live stream.
create index call_alerts_open on call_alerts (workspace_id, row_id) where cleared_at is null;
create index call_alerts_age on call_alerts (raised_at);

-- Workspaces whose control room somebody has open. Only their calls have levels written.
create unlogged table control_rooms (
  workspace_id uuid primary key,
  open_until timestamptz not null
) with (fillfactor = 50);
create index control_rooms_open on control_rooms (open_until);

-- How loud the calls of a node were a moment ago, for control rooms on any node; each write replaces the one before.
create unlogged table call_levels (
  workspace_id uuid not null,
  node_id uuid not null,
  levels json not null,
  written_at timestamptz not null default now(),
  primary key (workspace_id, node_id)
) with (fillfactor = 50);
create index call_levels_age on call_levels (written_at);
