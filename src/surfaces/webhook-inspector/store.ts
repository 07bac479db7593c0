import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, isBefore, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";

export interface InspectorRow {
  workspace_id: string;
  token: string;
  fail_next: number;
  fail_status: number;
}

export interface InspectedRow {
  id: string;
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string | null;
  body_encoding: "TEXT" | "BASE64" | "NONE";
  address: string | null;
  answered: number;
  created_at: Date;
}

/** Returns the inspector of a workspace, which is created on first use. */
export async function readInspector(tx: Executor, workspaceId: string, newToken: string): Promise<InspectorRow> {
  const found = await first<InspectorRow>(
    tx,
    sql`select * from webhook_inspectors where workspace_id = ${workspaceId}`,
  );
  if (found) return found;
  await all(
    tx,
    sql`insert into webhook_inspectors (workspace_id, token) values (${workspaceId}, ${newToken}) on conflict do nothing`,
  );
  return (await first<InspectorRow>(
    tx,
    sql`select * from webhook_inspectors where workspace_id = ${workspaceId}`,
  )) as InspectorRow;
}

/**
 * Returns the same for one request, locked until the transaction ends: two concurrent requests do not both use up the
 * last failure.
 */
export function lockInspector(tx: Executor, workspaceId: string): Promise<InspectorRow | undefined> {
  return first<InspectorRow>(tx, sql`select * from webhook_inspectors where workspace_id = ${workspaceId} for update`);
}

/** Sets the failures to come, and the token of the address. */
export async function updateInspector(tx: Executor, row: InspectorRow): Promise<void> {
  await all(
    tx,
    sql`update webhook_inspectors set token = ${row.token}, fail_next = ${row.fail_next}, fail_status = ${row.fail_status}
         where workspace_id = ${row.workspace_id}`,
  );
}

/** Stores a request, and keeps only the newest `keep`. */
export async function insertInspected(
  tx: Executor,
  workspaceId: string,
  row: Omit<InspectedRow, "created_at">,
  keep: number,
): Promise<void> {
  await all(
    tx,
    sql`insert into inspected_requests (workspace_id, id, method, target, headers, body, body_encoding, address, answered)
        values (${workspaceId}, ${row.id}, ${row.method}, ${row.target}, ${JSON.stringify(row.headers)}, ${row.body},
                ${row.body_encoding}, ${row.address}, ${row.answered})`,
  );
  await all(
    tx,
    sql`delete from inspected_requests where workspace_id = ${workspaceId} and id <=
          (select id from inspected_requests where workspace_id = ${workspaceId} order by id desc offset ${keep} limit 1)`,
  );
}

/** Returns a page of stored requests, newest first, and one more. */
export function listInspected(tx: Executor, workspaceId: string, page: PageRequest): Promise<InspectedRow[]> {
  return all<InspectedRow>(
    tx,
    sql`select * from inspected_requests
         where workspace_id = ${workspaceId} and ${isBefore(page)}
         order by id desc ${limitTo(page)}`,
  );
}

/** Returns the number of stored requests. */
export function countInspected(tx: Executor, workspaceId: string): Promise<number> {
  return countOf(tx, sql`inspected_requests where workspace_id = ${workspaceId}`);
}

/** Deletes all stored requests. */
export async function deleteInspected(tx: Executor, workspaceId: string): Promise<void> {
  await all(tx, sql`delete from inspected_requests where workspace_id = ${workspaceId}`);
}
