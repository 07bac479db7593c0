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
  /** Prefix of the action. */
  action?: string;
  from?: string;
  to?: string;
}

function fits(workspaceId: string, { actor = "", action = "", from, to }: AuditFilter) {
  return sql`workspace_id = ${workspaceId} and strpos(lower(actor), lower(${actor})) > 0 and starts_with(action, ${action})
         and (${from ?? null}::timestamptz is null or created_at >= ${from ?? null})
         and (${to ?? null}::timestamptz is null or created_at < ${to ?? null})`;
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
