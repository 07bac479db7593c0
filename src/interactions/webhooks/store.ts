import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, isAfter, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { SESSION_TASK } from "./session-webhooks.ts";
import type { AuthMode } from "./target.ts";

export interface SubscriptionRow {
  id: string;
  flow_id: string | null;
  url: string;
  events: string[];
  auth_mode: AuthMode;
  header_name: string | null;
  secrets: Buffer;
  enabled: boolean;
  disabled_reason: string | null;
  created_at: Date;
  updated_at: Date;
}

/** A page of a workspace's session webhooks with one more than asked for, oldest first. */
export function listSubscriptions(
  tx: Executor,
  workspaceId: string,
  flowId: string | undefined,
  page: PageRequest,
): Promise<SubscriptionRow[]> {
  const ofFlow = flowId === undefined ? sql`true` : sql`flow_id = ${flowId}::uuid`;
  return all(
    tx,
    sql`select * from session_webhooks where workspace_id = ${workspaceId} and ${ofFlow} and ${isAfter(page)}
        order by id ${limitTo(page)}`,
  );
}

/** Returns the number of session webhooks of a workspace, or of one flow. */
export function countSubscriptions(tx: Executor, workspaceId: string, flowId: string | undefined): Promise<number> {
  const ofFlow = flowId === undefined ? sql`true` : sql`flow_id = ${flowId}::uuid`;
  return countOf(tx, sql`session_webhooks where workspace_id = ${workspaceId} and ${ofFlow}`);
}

/** One session webhook. */
export function findSubscription(tx: Executor, workspaceId: string, id: string): Promise<SubscriptionRow | undefined> {
  return first(tx, sql`select * from session_webhooks where workspace_id = ${workspaceId} and id = ${id}`);
}

/** One session webhook, locked for the change that follows. */
export function lockSubscription(tx: Executor, workspaceId: string, id: string): Promise<SubscriptionRow | undefined> {
  return first(tx, sql`select * from session_webhooks where workspace_id = ${workspaceId} and id = ${id} for update`);
}

/** Stores a session webhook, new or changed. */
export async function saveSubscription(
  tx: Executor,
  workspaceId: string,
  row: Omit<SubscriptionRow, "created_at" | "updated_at">,
): Promise<SubscriptionRow> {
  const rows = await all<SubscriptionRow>(
    tx,
    sql`insert into session_webhooks (workspace_id, id, flow_id, url, events, auth_mode, header_name, secrets, enabled,
                                      disabled_reason)
        values (${workspaceId}, ${row.id}, ${row.flow_id}, ${row.url}, ${row.events}::text[], ${row.auth_mode},
                ${row.header_name}, ${row.secrets}, ${row.enabled}, ${row.disabled_reason})
        on conflict (workspace_id, id) do update set flow_id = excluded.flow_id, url = excluded.url,
          events = excluded.events, auth_mode = excluded.auth_mode, header_name = excluded.header_name,
          secrets = excluded.secrets, enabled = excluded.enabled, disabled_reason = excluded.disabled_reason,
          updated_at = now()
        returning *`,
  );
  return rows[0] as SubscriptionRow;
}

/** Disables a session webhook that still goes to `url`. */
export async function disableSubscription(
  tx: Executor,
  workspaceId: string,
  id: string,
  url: string,
  reason: string,
): Promise<void> {
  await all(
    tx,
    sql`update session_webhooks set enabled = false, disabled_reason = ${reason}, updated_at = now()
        where workspace_id = ${workspaceId} and id = ${id} and url = ${url}`,
  );
}

/** Deletes a session webhook; false when there is none. */
export async function deleteSubscription(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  const rows = await all(
    tx,
    sql`delete from session_webhooks where workspace_id = ${workspaceId} and id = ${id} returning id`,
  );
  return rows.length > 0;
}

/** Events of a deleted webhook that one statement gives up. */
const BITE = 2_000;

/**
 * Gives up the events of a deleted webhook that are due first; true when no more were pending. One that is being claimed
 * finds out by itself.
 */
export async function giveUpSome(db: Executor, workspaceId: string, id: string): Promise<boolean> {
  const given = await all(
    db,
    sql`update tasks set status = 'DEAD', last_error = 'The webhook was deleted.', finished_at = now()
         where id in (
           select id from tasks where kind = ${sql.lit(SESSION_TASK)} and workspace_id = ${workspaceId}
              and endpoint = ${id.toLowerCase()} and status = 'PENDING'
            order by due_at, id limit ${BITE} for update skip locked)
        returning id`,
  );
  return given.length < BITE;
}
