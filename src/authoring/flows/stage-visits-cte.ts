/**
 * Returns the statement that stores the visits of sessions that have ended, for funnels. `sessions` selects workspace_id,
 * session_id, flow_id, flow_version and stage_path; sessions of inline flows are left out, and visits in another flow.
 */
export function insertVisitsSql(sessions: string): string {
  return `insert into stage_visits (workspace_id, session_id, position, flow_id, flow_version, stage_id, entered_at,
                             seconds, edge_id, is_last)
  select s.workspace_id, s.session_id, v.position, s.flow_id, s.flow_version, v.visit ->> 'stageId',
         (v.visit ->> 'enteredAt')::timestamptz,
         coalesce(extract(epoch from (v.visit ->> 'leftAt')::timestamptz - (v.visit ->> 'enteredAt')::timestamptz), 0),
         v.visit ->> 'edgeId', v.position = max(v.position) over (partition by s.session_id)
    from (${sessions}) s,
         lateral json_array_elements(s.stage_path) with ordinality as v(visit, position)
   where s.flow_id is not null and s.flow_version is not null and v.visit ->> 'isTransferred' is null
  on conflict do nothing`;
}
