import { all, type Executor, first, sql } from "#src/db/database.ts";
import type { FlowFields } from "./flow-fields.ts";

export interface FlowRow {
  workspace_id: string;
  id: string;
  api_id: string;
  definition: Partial<FlowFields>;
  user_id: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** Stores a new flow; undefined when its api id is taken. */
export function insertFlow(
  tx: Executor,
  workspaceId: string,
  id: string,
  apiId: string,
  definition: Partial<FlowFields>,
): Promise<FlowRow | undefined> {
  return first(
    tx,
    sql`insert into flows (workspace_id, id, api_id, definition)
        values (${workspaceId}, ${id}, ${apiId}, ${JSON.stringify(definition)})
        on conflict (workspace_id, api_id) do nothing returning *`,
  );
}

/** One flow by its uuid. */
export function findFlow(tx: Executor, workspaceId: string, id: string): Promise<FlowRow | undefined> {
  return first(tx, sql`select * from flows where workspace_id = ${workspaceId} and id = ${id}`);
}

/** One flow by its api id. */
export function findFlowByApiId(tx: Executor, workspaceId: string, apiId: string): Promise<FlowRow | undefined> {
  return first(tx, sql`select * from flows where workspace_id = ${workspaceId} and api_id = ${apiId}`);
}

/** One flow, locked for the change that follows. */
export function lockFlow(tx: Executor, workspaceId: string, id: string): Promise<FlowRow | undefined> {
  return first(tx, sql`select * from flows where workspace_id = ${workspaceId} and id = ${id} for update`);
}

/** Writes a changed definition as the next version. */
export async function updateFlow(
  tx: Executor,
  workspaceId: string,
  id: string,
  apiId: string,
  definition: Partial<FlowFields>,
): Promise<FlowRow> {
  const rows = await all<FlowRow>(
    tx,
    sql`update flows set api_id = ${apiId}, definition = ${JSON.stringify(definition)}, version = version + 1,
          updated_at = now()
        where workspace_id = ${workspaceId} and id = ${id} returning *`,
  );
  return rows[0] as FlowRow;
}

/** Deletes a flow and its place as the workspace's default; false when there is none. */
export async function deleteFlow(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  const rows = await all(
    tx,
    sql`with gone as (
          delete from flows where workspace_id = ${workspaceId} and id = ${id} returning id
        ), unset as (
          update workspaces set default_flow_id = null from gone
          where workspaces.id = ${workspaceId} and default_flow_id = gone.id
        )
        select id from gone`,
  );
  return rows.length > 0;
}

/** A page of flows, oldest first, with one row more than asked for. */
export function listFlows(
  tx: Executor,
  workspaceId: string,
  page: { page: number; size: number; after: string | undefined },
): Promise<FlowRow[]> {
  const after = page.after ?? "00000000-0000-0000-0000-000000000000";
  const skip = page.after === undefined ? page.page * page.size : 0;
  return all(
    tx,
    sql`select * from flows where workspace_id = ${workspaceId} and id > ${after}
        order by id limit ${page.size + 1} offset ${skip}`,
  );
}

/** How many flows a workspace has. */
export async function countFlows(tx: Executor, workspaceId: string): Promise<number> {
  const row = await first<{ count: number }>(
    tx,
    sql`select count(*) as count from flows where workspace_id = ${workspaceId}`,
  );
  return row?.count ?? 0;
}

/** The workspace's flow for calls that name none. */
export function findDefaultFlow(tx: Executor, workspaceId: string): Promise<FlowRow | undefined> {
  return first(
    tx,
    sql`select f.* from workspaces w join flows f on f.workspace_id = w.id and f.id = w.default_flow_id
        where w.id = ${workspaceId}`,
  );
}

/** The flows of several workspaces at once, for the dispatcher. */
export function findFlowsByKey(tx: Executor, keys: { workspaceId: string; flowId: string }[]): Promise<FlowRow[]> {
  return all(
    tx,
    sql`select f.* from flows f join unnest(${keys.map((key) => key.workspaceId)}::uuid[],
          ${keys.map((key) => key.flowId)}::uuid[]) as k(workspace_id, id) using (workspace_id, id)`,
  );
}

/** Whether a workspace has this agent. SQL here, since agents/ stands on flows/. */
export async function hasAgent(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  return (
    (await first(tx, sql`select 1 as found from agents where workspace_id = ${workspaceId} and id = ${id}`)) !==
    undefined
  );
}

/** Which of these keys name a data store of any of the workspace's applications. */
export async function findStoreKeys(tx: Executor, workspaceId: string, keys: string[]): Promise<Set<string>> {
  const rows = await all<{ key: string }>(
    tx,
    sql`select distinct key from data_stores where workspace_id = ${workspaceId} and key = any(${keys}::text[])`,
  );
  return new Set(rows.map((row) => row.key));
}
