import { all, type Executor, first, sql } from "#src/platform/db/database.ts";

/** Content of an output; rows stored before outputs could have a condition lack that member. */
export interface OutputContent {
  description: string | null;
  schema: Record<string, unknown>;
  condition?: string | null;
  fillDuring?: boolean | null;
}

export interface StructuredOutputRow {
  id: string;
  name: string;
  definition: OutputContent;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** All outputs of a workspace, oldest first. */
export function listOutputs(tx: Executor, workspaceId: string): Promise<StructuredOutputRow[]> {
  return all(tx, sql`select * from structured_outputs where workspace_id = ${workspaceId} order by id`);
}

/** The outputs with these ids. */
export function findOutputs(tx: Executor, workspaceId: string, ids: string[]): Promise<StructuredOutputRow[]> {
  return all(
    tx,
    sql`select * from structured_outputs where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) order by id`,
  );
}

/** One output, locked for the change that follows. */
export function lockOutput(tx: Executor, workspaceId: string, id: string): Promise<StructuredOutputRow | undefined> {
  return first(tx, sql`select * from structured_outputs where workspace_id = ${workspaceId} and id = ${id} for update`);
}

/** Stores an output, new or changed. */
export async function saveOutput(
  tx: Executor,
  workspaceId: string,
  id: string,
  name: string,
  definition: OutputContent,
): Promise<StructuredOutputRow> {
  const rows = await all<StructuredOutputRow>(
    tx,
    sql`insert into structured_outputs (workspace_id, id, name, definition)
        values (${workspaceId}, ${id}, ${name}, ${JSON.stringify(definition)})
        on conflict (workspace_id, id) do update set name = excluded.name, definition = excluded.definition,
          version = structured_outputs.version + 1, updated_at = now()
        returning *`,
  );
  return rows[0] as StructuredOutputRow;
}

/** Deletes an output; false when there is none. */
export async function deleteOutput(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  const rows = await all(
    tx,
    sql`delete from structured_outputs where workspace_id = ${workspaceId} and id = ${id} returning id`,
  );
  return rows.length > 0;
}
