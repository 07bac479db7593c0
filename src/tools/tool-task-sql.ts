import { all, type Executor, first, sql } from "#src/db/database.ts";

/** PENDING until answered; both others are final. */
export type ToolTaskStatus = "PENDING" | "COMPLETED" | "FAILED";
/** TOOL: a conversation waits for it. TEST: made by the echo endpoint. */
export type ToolTaskSource = "TOOL" | "TEST";

export interface ToolTaskRow {
  workspace_id: string;
  id: string;
  source: ToolTaskSource;
  secret_hash: Buffer | null;
  status: ToolTaskStatus;
  result: unknown;
  error: string | null;
  created_at: Date;
  completed_at: Date | null;
}

/** Stores a new task; false when the workspace has one of that id. */
export async function insertToolTask(
  tx: Executor,
  workspaceId: string,
  task: { id: string; source: ToolTaskSource; secretHash: Buffer | null },
): Promise<boolean> {
  const rows = await all(
    tx,
    sql`insert into tool_tasks (workspace_id, id, source, secret_hash)
        values (${workspaceId}, ${task.id}, ${task.source}, ${task.secretHash})
        on conflict (workspace_id, id) do nothing returning id`,
  );
  return rows.length > 0;
}

/** One task of a workspace. */
export function findToolTask(tx: Executor, workspaceId: string, id: string): Promise<ToolTaskRow | undefined> {
  return first(tx, sql`select * from tool_tasks where workspace_id = ${workspaceId} and id = ${id}`);
}

/**
 * The tasks of this id in every workspace, waiting ones first: a callback names only the task, and its secret tells
 * whose it is. The one statement here without a workspace.
 */
export function findToolTasksAnywhere(tx: Executor, id: string): Promise<ToolTaskRow[]> {
  return all(tx, sql`select * from tool_tasks where id = ${id} order by (status = 'PENDING') desc, created_at desc`);
}

/** Ends a task that is waiting; false when it is not. */
export async function endToolTask(
  tx: Executor,
  workspaceId: string,
  id: string,
  end: { status: "COMPLETED" | "FAILED"; result: unknown; error: string | null },
): Promise<boolean> {
  const rows = await all(
    tx,
    sql`update tool_tasks set status = ${end.status}, result = ${JSON.stringify(end.result ?? null)},
          error = ${end.error}, completed_at = now()
        where workspace_id = ${workspaceId} and id = ${id} and status = 'PENDING' returning id`,
  );
  return rows.length > 0;
}
