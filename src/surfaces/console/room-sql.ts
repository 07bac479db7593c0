import type { CallTile } from "#src/interactions/call-watch/tile.ts";
import { type AlertKind } from "#src/interactions/calls/alerts.ts";
import { callActions } from "#src/interactions/calls/states.ts";
import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { isoSql, LIVE_CALL_COLUMNS, type LiveCall } from "./feed-sql.ts";

/** A live call in the control room. */
export interface RoomCall extends LiveCall {
  /** Null before the first words are stored. */
  tile: CallTile | null;
  /** Open alerts, the oldest first. */
  alerts: { kind: AlertKind; raisedAt: string }[];
}

/** Returns the newest live calls with what their tiles show. No transcript is read. */
export async function readRoom(db: Executor, workspaceId: string, limit: number): Promise<RoomCall[]> {
  const calls = await all<Omit<RoomCall, "actions">>(
    db,
    sql`select ${LIVE_CALL_COLUMNS},
               c.monitor as tile,
               coalesce((select json_agg(json_build_object('kind', w.kind, 'raisedAt', ${isoSql("w.raised_at")})
                                         order by w.raised_at, w.kind)
                  from call_alerts w
                 where w.workspace_id = a.workspace_id and w.row_id = a.row_id and w.cleared_at is null), '[]') as alerts
          from (select * from call_attempts where workspace_id = ${workspaceId} and ended_at is null
                 order by id desc limit ${limit}) a
          join call_rows r on r.workspace_id = a.workspace_id and r.id = a.row_id
          left join phone_numbers p on p.workspace_id = a.workspace_id and p.id = a.phone_number_id
          left join call_results c on c.workspace_id = a.workspace_id and c.row_id = a.row_id
         order by a.id desc`,
  );
  return calls.map((call) => ({ ...call, actions: callActions(call.status, false) }));
}
