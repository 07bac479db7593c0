import type pg from "pg";
import { all, type Executor, first, sql } from "#src/db/database.ts";
import type { PageRequest } from "#src/http/paging.ts";

/** Requests that are kept of each workspace. */
const KEPT = 10_000;

export interface RequestRow {
  id: string;
  method: string;
  path: string;
  status: number;
  duration_ms: number;
  credential_id: string;
  credential_name: string | null;
  caller_kind: "API_KEY" | "OAUTH_CLIENT";
  address: string;
  request_id: string;
  skipped: number;
  created_at: Date;
}

/** Which requests are asked for. */
export interface RequestFilter {
  status?: "OK" | "CLIENT_ERROR" | "SERVER_ERROR" | undefined;
  method?: string | undefined;
  credentialId?: string | undefined;
}

/** A page of requests, newest first, and one more; and how many there are. */
export async function listRequests(
  tx: Executor,
  workspaceId: string,
  { page, size, after }: PageRequest,
  { status, method, credentialId }: RequestFilter,
): Promise<{ rows: RequestRow[]; total: number }> {
  const least = { OK: 0, CLIENT_ERROR: 400, SERVER_ERROR: 500 }[status ?? "OK"];
  const below = { OK: 400, CLIENT_ERROR: 500, SERVER_ERROR: 1000 }[status ?? "SERVER_ERROR"];
  const fits = sql`l.workspace_id = ${workspaceId} and l.status >= ${least} and l.status < ${below}
    and (${method ?? null}::text is null or l.method = ${method ?? null})
    and (${credentialId ?? null}::uuid is null or l.credential_id = ${credentialId ?? null})`;
  const [rows, counted] = await Promise.all([
    all<RequestRow>(
      tx,
      sql`select l.*, c.name as credential_name
            from request_log l left join credentials c on c.workspace_id = l.workspace_id and c.id = l.credential_id
           where ${fits} and (${after ?? null}::uuid is null or l.id < ${after ?? null})
           order by l.id desc limit ${size + 1} offset ${after === undefined ? page * size : 0}`,
    ),
    first<{ count: number }>(tx, sql`select count(*) as count from request_log l where ${fits}`),
  ]);
  return { rows, total: counted?.count ?? 0 };
}

/** Deletes all but the newest requests of each workspace, and what is older than a week. */
export async function trimRequests(pool: pg.Pool): Promise<void> {
  await pool.query("delete from request_log where created_at < now() - interval '7 days'");
  await pool.query(
    `delete from request_log l using (
       select w.id, (select r.id from request_log r where r.workspace_id = w.id order by r.id desc offset $1 limit 1) as last
         from workspaces w) k
      where l.workspace_id = k.id and l.id <= k.last`,
    [KEPT],
  );
}
