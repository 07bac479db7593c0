import { all, type Executor, first, sql } from "#src/platform/db/database.ts";

/** The most visits that a funnel counts, the newest of its time. */
const MAX_VISITS = 200_000;

/** Version and time of a funnel. */
export interface FunnelSpan {
  workspaceId: string;
  flowId: string;
  version: number;
  from: Date;
  to: Date;
}

const visitsOf = ({ workspaceId, flowId, version, from, to }: FunnelSpan) => sql`
  (select * from stage_visits
    where workspace_id = ${workspaceId} and flow_id = ${flowId} and flow_version = ${version}
      and entered_at >= ${from} and entered_at < ${to}
    order by entered_at desc limit ${MAX_VISITS}) v`;

/** Counts the sessions with a visit in this time. */
export async function countSessions(tx: Executor, span: FunnelSpan): Promise<number> {
  const row = await first<{ count: number }>(
    tx,
    sql`select count(distinct v.session_id)::int as count from ${visitsOf(span)}`,
  );
  return row?.count ?? 0;
}

/** Counts the sessions that entered each stage and that ended there. */
export function countStages(
  tx: Executor,
  span: FunnelSpan,
): Promise<{ stage_id: string; entered: number; ended_here: number; median_seconds: number }[]> {
  return all(
    tx,
    sql`select v.stage_id, count(distinct v.session_id)::int as entered,
               count(distinct v.session_id) filter (where v.is_last)::int as ended_here,
               round((percentile_cont(0.5) within group (order by v.seconds))::numeric, 1)::float8 as median_seconds
          from ${visitsOf(span)} group by v.stage_id`,
  );
}

/** Counts how often each edge was taken. */
export function countEdges(
  tx: Executor,
  span: FunnelSpan,
): Promise<{ stage_id: string; edge_id: string; taken: number }[]> {
  return all(
    tx,
    sql`select v.stage_id, v.edge_id, count(*)::int as taken
          from ${visitsOf(span)} where v.edge_id is not null group by v.stage_id, v.edge_id`,
  );
}
