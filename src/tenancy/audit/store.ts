import { all, type Executor, sql } from "#src/platform/db/database.ts";
import { countOf, isBefore, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";

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
  if (beginnings === "") return sql`true`;
  return sql`exists (select 1 from unnest(${beginnings.split(",")}::text[]) b
                      where starts_with(action, b) or starts_with(split_part(action, ' /', 2), b))`;
}

function fits(workspaceId: string, { actor = "", action = "", from, to }: AuditFilter) {
  return sql`workspace_id = ${workspaceId} and strpos(lower(actor), lower(${actor})) > 0 and ${begins(action)}
         and (${from ?? null}::timestamptz is null or created_at >= ${from ?? null})
         and (${to ?? null}::timestamptz is null or created_at < ${to ?? null})`;
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
export function listEntries(
  tx: Executor,
  workspaceId: string,
  page: PageRequest,
  filter: AuditFilter,
): Promise<AuditRow[]> {
  return all<AuditRow>(
    tx,
    sql`select * from audit_log where ${fits(workspaceId, filter)} and ${isBefore(page)}
         order by id desc ${limitTo(page)}`,
  );
}

/** Counts the entries of a workspace that match a filter. */
export function countEntries(tx: Executor, workspaceId: string, filter: AuditFilter): Promise<number> {
  return countOf(tx, sql`audit_log where ${fits(workspaceId, filter)}`);
}
