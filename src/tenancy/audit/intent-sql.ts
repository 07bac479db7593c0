import type pg from "pg";
import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { runBounded } from "#src/platform/db/housekeeping.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { AuditEvent } from "./audit.ts";

/** Stores an action that a node is about to carry out for somebody. */
export async function insertIntent(
  db: Executor,
  workspaceId: string,
  { id, nodeId, event }: { id: string; nodeId: string; event: AuditEvent },
): Promise<void> {
  const { actor, action, target } = event;
  await all(
    db,
    sql`insert into audit_intents (workspace_id, id, node_id, actor_kind, user_id, actor, action, target, address, request_id)
        values (${workspaceId}, ${id}, ${nodeId}, ${actor.kind}, ${actor.userId}, ${actor.name}, ${action}, ${target},
                ${actor.address}, ${actor.requestId})`,
  );
}

/** Replaces an intent by the entry of the completed action. */
export async function moveIntent(db: Executor, workspaceId: string, id: string, event: AuditEvent): Promise<void> {
  const { actor, action, target, details = {} } = event;
  await all(
    db,
    sql`with gone as (delete from audit_intents where workspace_id = ${workspaceId} and id = ${id})
        insert into audit_log (workspace_id, id, actor_kind, user_id, actor, action, target, address, request_id, details)
        values (${workspaceId}, ${uuidv7()}, ${actor.kind}, ${actor.userId}, ${actor.name}, ${action}, ${target},
                ${actor.address}, ${actor.requestId}, ${JSON.stringify(details)})`,
  );
}

/** Deletes an intent. */
export async function deleteIntent(db: Executor, workspaceId: string, id: string): Promise<void> {
  await all(db, sql`delete from audit_intents where workspace_id = ${workspaceId} and id = ${id}`);
}

/**
 * Moves intents to the log with the outcome UNKNOWN when their node has died or they are more than an hour old: nobody
 * knows how they ended. At most 1,000 of them a run; the table holds only actions under way.
 */
export async function moveOrphans(pool: pg.Pool): Promise<void> {
  await runBounded(
    pool,
    `with orphans as (
       delete from audit_intents where ctid = any (array(
         select i.ctid from audit_intents i
          where i.created_at < now() - interval '1 hour'
             or not exists (select 1 from nodes n where n.id = i.node_id and n.alive_until > now())
          limit 1000 for update skip locked))
       returning *)
     insert into audit_log (workspace_id, id, actor_kind, user_id, actor, action, target, address, request_id, details,
                            created_at)
     select workspace_id, id, actor_kind, user_id, actor, action, target, address, request_id, '{"outcome":"UNKNOWN"}',
            created_at
       from orphans`,
  );
}
