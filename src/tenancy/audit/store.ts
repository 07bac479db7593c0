import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import type { PageRequest } from "#src/platform/http/paging.ts";

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
  { page, size, after }: PageRequest,
  filter: AuditFilter,
): Promise<AuditRow[]> {
  const offset = after === undefined ? page * size : 0;
  return all<AuditRow>(
    tx,
    sql`select * from audit_log where ${fits(workspaceId, filter)} and (${after ?? null}::uuid is null or id < ${after ?? null})
         order by id desc limit ${size + 1} offset ${offset}`,
  );
}

/** Counts the entries of a workspace that match a filter. */
export async function countEntries(tx: Executor, workspaceId: string, filter: AuditFilter): Promise<number> {
  const row = await first<{ count: number }>(
    tx,
    sql`select count(*) as count from audit_log where ${fits(workspaceId, filter)}`,
  );
  return row?.count ?? 0;
}
