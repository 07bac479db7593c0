import { type Executor, first, sql } from "#src/db/database.ts";

/** What of a call decides whether it can be supervised. */
export interface SupervisedRow {
  ended_at: Date | null;
  answered_at: Date | null;
  attempt_id: string | null;
}

/** A call of the workspace; undefined when there is none. */
export function findSupervised(db: Executor, workspaceId: string, rowId: string): Promise<SupervisedRow | undefined> {
  return first(
    db,
    sql`select r.ended_at, a.answered_at, r.attempt_id
          from call_rows r
          left join call_attempts a on a.workspace_id = r.workspace_id and a.id = r.attempt_id
         where r.workspace_id = ${workspaceId} and r.id = ${rowId}`,
  );
}
