import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { NIL_UUID } from "#src/platform/kernel/id.ts";
import type { AiOrigin } from "./ai-origin.ts";
import type { SealedColumns } from "./sealed-fields.ts";
import type { ToolFields } from "./tool-fields.ts";

export interface ToolRow {
  id: string;
  /** Without apiHeaders and, once it is sealed, apiBody. */
  definition: ToolFields;
  api_headers: Buffer | null;
  api_body: Buffer | null;
  user_id: string | null;
  version: number;
  created_by_ai: boolean;
  creator_agent_id: string | null;
  creator_flow_id: string | null;
  created_at: Date;
  updated_at: Date;
}

/** Content of a tool that is written. */
export interface ToolContent {
  definition: ToolFields;
  sealed: SealedColumns;
  origin: AiOrigin | null;
}

/** A workspace's own tools, oldest first. */
export function listTools(tx: Executor, workspaceId: string): Promise<ToolRow[]> {
  return all(tx, sql`select * from tools where workspace_id = ${workspaceId} order by id`);
}

/** One tool. */
export function findTool(tx: Executor, workspaceId: string, id: string): Promise<ToolRow | undefined> {
  return first(tx, sql`select * from tools where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Returns those of these tools that exist. */
export function findTools(tx: Executor, workspaceId: string, ids: string[]): Promise<ToolRow[]> {
  return all(tx, sql`select * from tools where workspace_id = ${workspaceId} and id = any(${ids}::uuid[]) order by id`);
}

/** One tool, locked for the change that follows. */
export function lockTool(tx: Executor, workspaceId: string, id: string): Promise<ToolRow | undefined> {
  return first(tx, sql`select * from tools where workspace_id = ${workspaceId} and id = ${id} for update`);
}

/** Returns the ids of those of these tools that exist. */
export async function findToolIds(tx: Executor, workspaceId: string, ids: string[]): Promise<Set<string>> {
  const rows = await all<{ id: string }>(
    tx,
    sql`select id from tools where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
  );
  return new Set(rows.map((row) => row.id));
}

/** Stores a new tool. */
export async function insertTool(
  tx: Executor,
  workspaceId: string,
  id: string,
  { definition, sealed, origin }: ToolContent,
): Promise<ToolRow> {
  const rows = await all<ToolRow>(
    tx,
    sql`insert into tools (workspace_id, id, definition, api_headers, api_body, created_by_ai, creator_agent_id, creator_flow_id)
        values (${workspaceId}, ${id}, ${JSON.stringify(definition)}, ${sealed.apiHeaders}, ${sealed.apiBody}, ${origin !== null},
                ${origin?.agentId ?? null}, ${origin?.flowId ?? null})
        returning *`,
  );
  return rows[0] as ToolRow;
}

/** Writes a changed tool as the next version; an origin adds to the known creators. */
export async function updateTool(
  tx: Executor,
  workspaceId: string,
  id: string,
  { definition, sealed, origin }: ToolContent,
): Promise<ToolRow> {
  const rows = await all<ToolRow>(
    tx,
    sql`update tools set definition = ${JSON.stringify(definition)}, api_headers = ${sealed.apiHeaders}, api_body = ${sealed.apiBody},
          created_by_ai = created_by_ai or ${origin !== null},
          creator_agent_id = coalesce(${origin?.agentId ?? null}, creator_agent_id),
          creator_flow_id = coalesce(${origin?.flowId ?? null}, creator_flow_id),
          version = version + 1, updated_at = now()
        where workspace_id = ${workspaceId} and id = ${id} returning *`,
  );
  return rows[0] as ToolRow;
}

/** Deletes a tool; false when there is none. */
export async function deleteTool(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  const rows = await all(tx, sql`delete from tools where workspace_id = ${workspaceId} and id = ${id} returning id`);
  return rows.length > 0;
}

/** A tool whose body an earlier version stored in clear. */
export interface ClearBody extends ToolRow {
  workspace_id: string;
}

/** Locks the next tools whose body is stored in clear, at most `limit`, from the one behind `after` on. */
export function lockClearBodies(tx: Executor, limit: number, after: ClearBody | undefined): Promise<ClearBody[]> {
  const { workspace_id: workspaceId, id } = after ?? { workspace_id: NIL_UUID, id: NIL_UUID };
  return all(
    tx,
    sql`select * from tools
         where definition ->> 'apiBody' is not null and (workspace_id, id) > (${workspaceId}::uuid, ${id}::uuid)
         order by workspace_id, id limit ${limit} for update skip locked`,
  );
}

/** Stores the same content in another form; version and time do not change. */
export async function rewriteTool(
  tx: Executor,
  workspaceId: string,
  id: string,
  { definition, sealed }: Pick<ToolContent, "definition" | "sealed">,
): Promise<void> {
  await all(
    tx,
    sql`update tools set definition = ${JSON.stringify(definition)}, api_headers = ${sealed.apiHeaders},
          api_body = ${sealed.apiBody} where workspace_id = ${workspaceId} and id = ${id}`,
  );
}
