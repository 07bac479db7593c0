-- outside a transaction
-- All that the funnel of a flow counts of a visit, so that the visits themselves are not read.
create index concurrently if not exists stage_visits_funnel
  on stage_visits (workspace_id, flow_id, flow_version, entered_at)
  include (stage_id, session_id, edge_id, seconds, is_last);
drop index concurrently if exists stage_visits_counted;
-- Entries of a kind and of a time, the newest first.
create index concurrently if not exists usage_entries_kinds on usage_entries (workspace_id, kind, created_at, id);
