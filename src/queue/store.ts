import type pg from "pg";
import { all, type Executor, sql } from "#src/db/database.ts";

export interface TaskRow {
  id: string;
  workspace_id: string;
  kind: string;
  subject_id: string;
  payload: Record<string, unknown>;
  attempt: number;
  created_at: Date;
}

/** Puts a task into the outbox, in the caller's transaction. */
export async function insertTask(
  tx: Executor,
  workspaceId: string,
  task: { id: string; kind: string; subjectId: string; payload: Record<string, unknown>; dueAt?: Date },
): Promise<void> {
  await all(
    tx,
    sql`insert into tasks (id, workspace_id, kind, subject_id, payload, due_at)
        values (${task.id}, ${workspaceId}, ${task.kind}, ${task.subjectId}, ${JSON.stringify(task.payload)},
                coalesce(${task.dueAt ?? null}, now()))`,
  );
}

/** Makes tasks that wait due now. */
export async function hasten(tx: Executor, workspaceId: string, kind: string, subjectIds: string[]): Promise<void> {
  await all(
    tx,
    sql`update tasks set due_at = now()
        where workspace_id = ${workspaceId} and kind = ${kind} and subject_id = any(${subjectIds}::uuid[])
          and status = 'PENDING' and due_at > now()`,
  );
}

/** Leases due tasks of these kinds, at most `limit`, to a node that is alive. */
export async function claimTasks(pool: pg.Pool, nodeId: string, kinds: string[], limit: number): Promise<TaskRow[]> {
  const found = await pool.query<TaskRow>({
    name: "claim-tasks",
    text: `update tasks set status = 'RUNNING', lease_owner = $1, attempt = attempt + 1
           where id in (select due.id from unnest($2::text[]) as k(kind)
                          cross join lateral (select id, due_at from tasks t
                            where t.kind = k.kind and t.status = 'PENDING' and t.due_at <= now()
                              and exists (select 1 from nodes where id = $1 and alive_until > now())
                            order by t.due_at, t.id limit $3 for update skip locked) due
                        order by due.due_at, due.id limit $3)
           returning id, workspace_id, kind, subject_id, payload, attempt, created_at`,
    values: [nodeId, kinds, limit],
  });
  return found.rows;
}

/** Ends a task, or puts it back for later; only while this node still holds its lease. */
export async function endTask(
  db: Executor,
  nodeId: string,
  taskId: string,
  end: { status: "DONE" | "DEAD" | "PENDING"; retryMs: number; error: string | null; isCounted: boolean },
): Promise<void> {
  await all(
    db,
    sql`update tasks set status = ${end.status}, lease_owner = null, last_error = ${end.error},
          due_at = now() + make_interval(secs => ${end.retryMs / 1000}),
          attempt = attempt - ${end.isCounted ? 0 : 1}::integer,
          finished_at = case when ${end.status} = 'PENDING' then null else now() end
        where id = ${taskId} and lease_owner = ${nodeId}`,
  );
}

/** Frees the tasks of nodes whose heartbeat stopped. */
export async function reapTasks(db: Executor): Promise<number> {
  const rows = await all(
    db,
    sql`update tasks set status = 'PENDING', lease_owner = null, due_at = now()
        where id in (select t.id from tasks t left join nodes n on n.id = t.lease_owner
                     where t.lease_owner is not null and coalesce(n.alive_until, '-infinity') < now() order by t.id limit 500 for update of t skip locked)
        returning id`,
  );
  return rows.length;
}
