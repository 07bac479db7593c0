import type pg from "pg";
import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { runBounded } from "#src/platform/db/housekeeping.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { AuditEvent } from "./audit.ts";

/** Stores what a node is about to do for somebody. */
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

/** Puts the entry of what was done in the place of its intent. */
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

/** Forgets an intent. */
export async function deleteIntent(db: Executor, workspaceId: string, id: string): Promise<void> {
  await all(db, sql`delete from audit_intents where workspace_id = ${workspaceId} and id = ${id}`);
}

/**
 * Moves to the log what was begun by nodes that died since, or has been under way for an hour: nobody knows how it ended.
 * A bite of them; the table holds only what is under way.
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
