import type { RawBuilder } from "kysely";
import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { PLANNED_ANEW } from "#src/platform/db/named-statements.ts";
import { countOf, isBefore, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { lowestIdAt } from "#src/platform/kernel/id.ts";

export interface AuditRow {
  id: string;
  actor_kind: "USER" | "OPERATOR" | "SYSTEM";
  user_id: string | null;
  actor: string;
  action: string;
  target: string | null;
  address: string | null;
  request_id: string | null;
  details: Record<string, unknown>;
  created_at: Date;
}

/** Filter of audit entries; an absent field allows all. */
export interface AuditFilter {
  /** Part of the actor's name. */
  actor?: string;
  /** Beginnings of the action or of its path, divided by commas. */
  action?: string;
  from?: string;
  to?: string;
}

/** Condition that the action, or the path of one that is a route, begins with one of these. */
function begins(beginnings: string) {
  return sql`exists (select 1 from unnest(${beginnings.split(",")}::text[]) b
                      where starts_with(name, b) or starts_with(split_part(name, ' /', 2), b))`;
}

/** An entry is numbered in the transaction that stores it, whose time it has. */
const GRACE_MS = 3_600_000;
const idNear = (moment: string, graceMs: number) => lowestIdAt(Date.parse(moment) + graceMs);

async function fits(tx: Executor, workspaceId: string, { actor = "", action = "", from, to }: AuditFilter) {
  const parts = [sql`workspace_id = ${workspaceId}`];
  if (actor !== "") {
    const actors = await listNames(tx, workspaceId, "actor", sql`strpos(lower(name), lower(${actor})) > 0`);
    parts.push(sql`actor = any(${actors}::text[]) ${sql.raw(PLANNED_ANEW)}`);
  }
  if (action !== "") {
    const actions = await listNames(tx, workspaceId, "action", begins(action));
    parts.push(sql`action = any(${actions}::text[]) ${sql.raw(PLANNED_ANEW)}`);
  }
  // The ids bound the entries of the workspace, so that a time in the past is not looked for among all of them.
  if (from !== undefined) parts.push(sql`created_at >= ${from}::timestamptz and id >= ${idNear(from, -GRACE_MS)}`);
  if (to !== undefined) parts.push(sql`created_at < ${to}::timestamptz and id < ${idNear(to, GRACE_MS)}`);
  return sql.join(parts, sql` and `);
}

/** Returns the actors, or the actions, that fit by their name, each found by an index after the one before it. */
async function listNames(
  tx: Executor,
  workspaceId: string,
  column: "actor" | "action",
  fitting: RawBuilder<unknown>,
): Promise<string[]> {
  const of = sql.ref(column);
  const rows = await all<{ name: string }>(
    tx,
    sql`with recursive names as (
          (select ${of} as name from audit_log where workspace_id = ${workspaceId} order by ${of} limit 1)
          union all
          select (select ${of} from audit_log where workspace_id = ${workspaceId} and ${of} > names.name
                   order by ${of} limit 1)
            from names where names.name is not null
        )
        select name from names where ${fitting}`,
  );
  return rows.map(({ name }) => name);
}

/** Returns the workspaces that a person may enter. */
export async function listEntered(tx: Executor, userId: string): Promise<string[]> {
  const rows = await all<{ id: string }>(
    tx,
    sql`select w.id from workspaces w
          join users u on u.id = ${userId}
         where u.is_installation_owner
            or exists (select 1 from memberships m where m.workspace_id = w.id and m.user_id = u.id)
         order by w.id`,
  );
  return rows.map(({ id }) => id);
}

/** A page of entries, newest first, and one more. */
export async function listEntries(
  tx: Executor,
  workspaceId: string,
  page: PageRequest,
  filter: AuditFilter,
): Promise<AuditRow[]> {
  return all<AuditRow>(
    tx,
    sql`select * from audit_log where ${await fits(tx, workspaceId, filter)} and ${isBefore(page)}
         order by id desc ${limitTo(page)}`,
  );
}

/** Counts the entries of a workspace that match a filter. */
export async function countEntries(tx: Executor, workspaceId: string, filter: AuditFilter): Promise<number> {
  return countOf(tx, sql`audit_log where ${await fits(tx, workspaceId, filter)}`);
}
