import { all, type Executor, first, sql } from "#src/platform/db/database.ts";

/** Key of a kept answer. */
export interface ResultKey {
  toolId: string;
  /** Digest of the contact; empty for one that the whole workspace shares. */
  owner: Buffer;
  /** Digest of the tool's version and the parameters that count. */
  key: Buffer;
}

/** Returns a kept answer that has not expired, sealed. */
export async function findResult(
  db: Executor,
  workspaceId: string,
  { toolId, owner, key }: ResultKey,
): Promise<Buffer | null> {
  const row = await first<{ result: Buffer }>(
    db,
    sql`select result from tool_results
        where workspace_id = ${workspaceId} and tool_id = ${toolId} and owner = ${owner} and key = ${key}
          and expires_at > now()`,
  );
  return row?.result ?? null;
}

/** Stores an answer, and deletes all but the latest `maxEntries` of the tool. */
export async function storeResult(
  db: Executor,
  workspaceId: string,
  { toolId, owner, key }: ResultKey,
  entry: { result: Buffer; ttlSeconds: number; maxEntries: number },
): Promise<void> {
  await all(
    db,
    sql`insert into tool_results (workspace_id, tool_id, owner, key, result, expires_at)
        values (${workspaceId}, ${toolId}, ${owner}, ${key}, ${entry.result},
                now() + ${entry.ttlSeconds} * interval '1 second')
        on conflict (workspace_id, tool_id, owner, key)
        do update set result = excluded.result, created_at = now(), expires_at = excluded.expires_at`,
  );
  await all(
    db,
    sql`delete from tool_results where workspace_id = ${workspaceId} and tool_id = ${toolId} and (owner, key) in (
          select owner, key from tool_results where workspace_id = ${workspaceId} and tool_id = ${toolId}
          order by created_at desc, key offset ${entry.maxEntries})`,
  );
}

/** Deletes the kept answers about one contact. */
export async function deleteResults(tx: Executor, workspaceId: string, owner: Buffer): Promise<void> {
  await all(tx, sql`delete from tool_results where workspace_id = ${workspaceId} and owner = ${owner}`);
}
