import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { toCallRow } from "./call-row.ts";
import { type CallRowRecord, recordsOf } from "./store.ts";

/** Returns rows in their API form, in the order of their ids; those that are gone are left out. */
export async function readRowsById(db: Executor, publicUrl: string, workspaceId: string, ids: string[]) {
  const rows = await listRowsById(db, workspaceId, ids);
  return rows.map((row) => toCallRow(row, publicUrl));
}

/** Returns the records of rows in the order of their ids; those that are gone are left out. */
export async function listRowsById(db: Executor, workspaceId: string, ids: string[]): Promise<CallRowRecord[]> {
  if (ids.length === 0) return [];
  const found = sql`unnest(${ids}::uuid[]) with ordinality wanted(id, place)
    join call_rows r on r.workspace_id = ${workspaceId} and r.id = wanted.id`;
  return all(db, sql`${recordsOf(found)} order by place`);
}
