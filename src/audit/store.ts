import { all, type Executor, first, sql } from "#src/db/database.ts";
import type { PageRequest } from "#src/http/paging.ts";

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

/** A page of entries, newest first, and one more. */
export function listEntries(
  tx: Executor,
  workspaceId: string,
  { page, size, after }: PageRequest,
): Promise<AuditRow[]> {
  const offset = after === undefined ? page * size : 0;
  return all<AuditRow>(
    tx,
    sql`select * from audit_log where workspace_id = ${workspaceId} and (${after ?? null}::uuid is null or id < ${after ?? null})
         order by id desc limit ${size + 1} offset ${offset}`,
  );
}

/** How many entries a workspace has. */
export async function countEntries(tx: Executor, workspaceId: string): Promise<number> {
  const row = await first<{ count: number }>(
    tx,
    sql`select count(*) as count from audit_log where workspace_id = ${workspaceId}`,
  );
  return row?.count ?? 0;
}
