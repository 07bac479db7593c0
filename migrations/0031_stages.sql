-- Stages of flows: the path of a call, the state of a chat between two turns, and the visits that funnels count.
alter table call_results add column stage_path json;
alter table chat_sessions add column stage_state json;

-- One visit of a stage by a session that has ended; ids and times alone, nothing of the person.
create table stage_visits (
  workspace_id uuid not null,
  -- attempt of a call, or chat
  session_id uuid not null,
  position integer not null,
  flow_id uuid not null,
  flow_version integer not null,
  stage_id text not null,
  entered_at timestamptz not null,
  seconds real not null,
  -- null: left by another way, or the session ended here
  edge_id text,
  is_last boolean not null,
  primary key (workspace_id, session_id, position)
);
create index stage_visits_counted on stage_visits (workspace_id, flow_id, flow_version, entered_at);
create index stage_visits_expired on stage_visits (entered_at);
