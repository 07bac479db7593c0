import { all, type Executor, sql } from "#src/platform/db/database.ts";

/** Seconds that a control room counts as open after somebody was last known to look. */
const OPEN_SECONDS = 6;

/** Loudness of the calls of one node a moment ago, by row: see `LevelMeter`. */
export interface NodeLevels {
  nodeId: string;
  /** Changes with each write. */
  writtenAt: string;
  levels: Record<string, string>;
}

/** Notes that somebody looks at the live calls of a workspace, so that every node writes their levels. */
export async function keepRoomOpen(db: Executor, workspaceId: string): Promise<void> {
  await all(
    db,
    sql`insert into control_rooms (workspace_id, open_until)
        values (${workspaceId}, now() + make_interval(secs => ${OPEN_SECONDS}))
        on conflict (workspace_id) do update set open_until = excluded.open_until`,
  );
}

/** Returns the workspaces whose control room is open. */
export async function listOpenRooms(db: Executor): Promise<string[]> {
  const rows = await all<{ id: string }>(
    db,
    sql`select workspace_id as id from control_rooms where open_until > now()`,
  );
  return rows.map(({ id }) => id);
}

/** Writes the levels of a node's calls, by workspace, over those before. */
export async function writeLevels(
  db: Executor,
  nodeId: string,
  levels: { workspaceId: string; levels: Record<string, string> }[],
): Promise<void> {
  await all(
    db,
    sql`insert into call_levels (workspace_id, node_id, levels)
        select x."workspaceId", ${nodeId}::uuid, x.levels
          from json_to_recordset(${JSON.stringify(levels)}::json) as x("workspaceId" uuid, levels json)
        on conflict (workspace_id, node_id) do update set levels = excluded.levels, written_at = clock_timestamp()`,
  );
}

/** Returns the latest levels of a workspace's calls, one entry for each node that holds some. */
export function readLevels(db: Executor, workspaceId: string): Promise<NodeLevels[]> {
  return all<NodeLevels>(
    db,
    sql`select node_id as "nodeId", written_at::text as "writtenAt", levels from call_levels
         where workspace_id = ${workspaceId} and written_at > now() - interval '2 seconds'`,
  );
}
