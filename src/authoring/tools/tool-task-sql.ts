import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { RawJson } from "#src/platform/http/json.ts";
import { toStorableJson } from "#src/platform/kernel/storable.ts";

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
  /** Exact JSON text of the result. */
  result_text: string | null;
  error: string | null;
  created_at: Date;
  /** Time at which the wait ends. */
  expires_at: Date | null;
  /** PENDING, but no longer waited for. */
  is_overdue: boolean;
  completed_at: Date | null;
}

const COLUMNS = sql`*, result::text as result_text, status = 'PENDING' and expires_at is not null and expires_at <= now() as is_overdue`;

/** Stores a new task; false when the workspace has a task of that id. */
export async function insertToolTask(
  tx: Executor,
  workspaceId: string,
  task: { id: string; source: ToolTaskSource; secretHash: Buffer | null; waitMs: number | null },
): Promise<boolean> {
  const rows = await all(
    tx,
    sql`insert into tool_tasks (workspace_id, id, source, secret_hash, expires_at)
        values (${workspaceId}, ${task.id}, ${task.source}, ${task.secretHash},
                now() + ${task.waitMs} * interval '1 millisecond')
        on conflict (workspace_id, id) do nothing returning id`,
  );
  return rows.length > 0;
}

/** One task of a workspace. */
export function findToolTask(tx: Executor, workspaceId: string, id: string): Promise<ToolTaskRow | undefined> {
  return first(tx, sql`select ${COLUMNS} from tool_tasks where workspace_id = ${workspaceId} and id = ${id}`);
}

/**
 * Returns the tasks of this id in every workspace, waiting ones first: a callback names only the task, and its secret
 * identifies the workspace. This is the only statement here without a workspace.
 */
export function findToolTasksAnywhere(tx: Executor, id: string): Promise<ToolTaskRow[]> {
  return all(
    tx,
    sql`select ${COLUMNS} from tool_tasks where id = ${id} order by (status = 'PENDING') desc, created_at desc`,
  );
}

/** Returns those of these tasks, each of its own workspace, that have ended. */
export function findEndedToolTasks(
  tx: Executor,
  tasks: readonly { workspaceId: string; id: string }[],
): Promise<ToolTaskRow[]> {
  const workspaceIds = tasks.map((task) => task.workspaceId);
  const ids = tasks.map((task) => task.id);
  return all(
    tx,
    sql`select ${COLUMNS} from tool_tasks
        where (workspace_id, id) in (select * from unnest(${workspaceIds}::uuid[], ${ids}::text[])) and status <> 'PENDING'`,
  );
}

/** Ends the wait for a task; false when it has ended. */
export async function expireToolTask(tx: Executor, workspaceId: string, id: string, error: string): Promise<boolean> {
  const rows = await all(
    tx,
    sql`update tool_tasks set status = 'FAILED', error = ${error}, completed_at = now()
        where workspace_id = ${workspaceId} and id = ${id} and status = 'PENDING' returning id`,
  );
  return rows.length > 0;
}

/** Ends a task that is waited for; false when it is not. A result that is RawJson is stored as its exact text. */
export async function endToolTask(
  tx: Executor,
  workspaceId: string,
  id: string,
  end: { status: "COMPLETED" | "FAILED"; result: unknown; error: string | null },
): Promise<boolean> {
  const rows = await all(
    tx,
    sql`update tool_tasks set status = ${end.status}, result = ${end.result instanceof RawJson ? end.result.text : toStorableJson(end.result ?? null)},
          error = ${end.error}, completed_at = now()
        where workspace_id = ${workspaceId} and id = ${id} and status = 'PENDING'
          and (expires_at is null or expires_at > now()) returning id`,
  );
  return rows.length > 0;
}
