import type { RawBuilder } from "kysely";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, isAfter, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { type Editor, editorName } from "./editor.ts";
import type { FlowFields } from "./flow-fields.ts";
import type { SuccessCondition } from "./success-condition.ts";

export interface FlowRow {
  workspace_id: string;
  id: string;
  api_id: string;
  definition: Partial<FlowFields>;
  user_id: string | null;
  version: number;
  splits: FlowSplit[] | null;
  draft: Partial<FlowFields> | null;
  draft_base: number | null;
  draft_updated_at: Date | null;
  draft_by: string | null;
  /** Condition by which a call is a success; null: completed, not cut off, with valid outputs. */
  success: SuccessCondition[] | null;
  created_at: Date;
  updated_at: Date;
}

/** Share of the new calls and chats that a version gets. */
export interface FlowSplit {
  version: number;
  percent: number;
}

/** Stores a new flow and its first version; undefined when its api id is taken. */
export function insertFlow(
  tx: Executor,
  workspaceId: string,
  id: string,
  apiId: string,
  definition: Partial<FlowFields>,
  editor: Editor,
): Promise<FlowRow | undefined> {
  return first(
    tx,
    sql`with f as (
          insert into flows (workspace_id, id, api_id, definition)
          values (${workspaceId}, ${id}, ${apiId}, ${JSON.stringify(definition)})
          on conflict (workspace_id, api_id) do nothing returning *
        ), v as (${keepVersion(workspaceId, null, editor)})
        select * from f`,
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

/** Api ids of the workspace's newest flows. */
export async function listApiIds(tx: Executor, workspaceId: string, limit: number): Promise<string[]> {
  const rows = await all<{ api_id: string }>(
    tx,
    sql`select api_id from flows where workspace_id = ${workspaceId} order by created_at desc, id desc limit ${limit}`,
  );
  return rows.map(({ api_id }) => api_id);
}

/** One flow, locked for the change that follows. */
export function lockFlow(tx: Executor, workspaceId: string, id: string): Promise<FlowRow | undefined> {
  return first(tx, sql`select * from flows where workspace_id = ${workspaceId} and id = ${id} for update`);
}

/** Content of a flow's next version. */
export interface NextVersion {
  apiId: string;
  definition: Partial<FlowFields>;
  note: string | null;
  splits: FlowSplit[] | null;
  /** True when it was the draft, which is deleted. */
  endsDraft: boolean;
  editor: Editor;
}

/** Publishes a definition as the next version of a flow, which the caller has locked. */
export async function publishVersion(
  tx: Executor,
  workspaceId: string,
  id: string,
  { apiId, definition, note, splits, endsDraft, editor }: NextVersion,
): Promise<FlowRow> {
  const rows = await all<FlowRow>(
    tx,
    sql`with f as (
          update flows set api_id = ${apiId}, definition = ${JSON.stringify(definition)}, version = version + 1,
            splits = ${splits && JSON.stringify(splits)}, updated_at = now(),
            draft = case when ${endsDraft}::boolean then null else draft end,
            draft_base = case when ${endsDraft}::boolean then null else draft_base end,
            draft_updated_at = case when ${endsDraft}::boolean then null else draft_updated_at end,
            draft_by = case when ${endsDraft}::boolean then null else draft_by end
          where workspace_id = ${workspaceId} and id = ${id} returning *
        ), v as (${keepVersion(workspaceId, note, editor)})
        select * from f`,
  );
  return rows[0] as FlowRow;
}

/** Stores the current definition of `f` under its current version number. */
function keepVersion(workspaceId: string, note: string | null, editor: Editor): RawBuilder<unknown> {
  return sql`insert into flow_versions (workspace_id, flow_id, version, id, definition, note, created_by)
             select workspace_id, id, version, ${uuidv7()}::uuid, definition, ${note}::text,
                    ${editorName(workspaceId, editor)} from f`;
}

/** Deletes a flow and its role as the workspace's default; false when there is none. */
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
export function listFlows(tx: Executor, workspaceId: string, page: PageRequest): Promise<FlowRow[]> {
  return all(
    tx,
    sql`select * from flows where workspace_id = ${workspaceId} and ${isAfter(page)}
        order by id ${limitTo(page)}`,
  );
}

/** Counts the flows of a workspace. */
export function countFlows(tx: Executor, workspaceId: string): Promise<number> {
  return countOf(tx, sql`flows where workspace_id = ${workspaceId}`);
}

/** The workspace's flow for calls that name none. */
export function findDefaultFlow(tx: Executor, workspaceId: string): Promise<FlowRow | undefined> {
  return first(
    tx,
    sql`select f.* from workspaces w join flows f on f.workspace_id = w.id and f.id = w.default_flow_id
        where w.id = ${workspaceId}`,
  );
}

/** A version of a flow of any workspace. */
export interface FlowKey {
  workspaceId: string;
  flowId: string;
  /** Absent or null: the published one. */
  version?: number | null;
}

/** Returns the definitions of several workspaces' flows, each in the requested version. */
export function findFlowsByKey(
  tx: Executor,
  keys: FlowKey[],
): Promise<{ workspace_id: string; flow_id: string; version: number | null; definition: Partial<FlowFields> }[]> {
  return all(
    tx,
    sql`select k.workspace_id, k.flow_id, k.version, v.definition
        from unnest(${keys.map((key) => key.workspaceId)}::uuid[], ${keys.map((key) => key.flowId)}::uuid[],
          ${keys.map((key) => key.version ?? null)}::int[]) as k(workspace_id, flow_id, version)
        -- The flow first: the planner would rather look up the flow of each version that it has.
        cross join lateral (select coalesce(k.version, f.version) as version from flows f
                             where f.workspace_id = k.workspace_id and f.id = k.flow_id offset 0) f
        cross join lateral (select v.definition from flow_versions v where v.workspace_id = k.workspace_id
                               and v.flow_id = k.flow_id and v.version = f.version offset 0) v`,
  );
}

/** Returns the definition of a flow for one session, in the version drawn for it. */
export function findVersionFor(
  tx: Executor,
  workspaceId: string,
  flowId: string,
  sessionId: string,
): Promise<{ version: number; definition: Partial<FlowFields> } | undefined> {
  return first(
    tx,
    sql`select v.version, v.definition
        from flows f
        join flow_versions v on v.workspace_id = f.workspace_id and v.flow_id = f.id
          and v.version = pick_flow_version(f.version, f.splits, ${sessionId}::uuid)
        where f.workspace_id = ${workspaceId} and f.id = ${flowId}`,
  );
}

/** True when the workspace has this agent. SQL here, since agents/ imports flows/. */
export async function hasAgent(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  return (
    (await first(tx, sql`select 1 as found from agents where workspace_id = ${workspaceId} and id = ${id}`)) !==
    undefined
  );
}

/** Returns those of these keys that name a data store of any of the workspace's applications. */
export async function findStoreKeys(tx: Executor, workspaceId: string, keys: string[]): Promise<Set<string>> {
  const rows = await all<{ key: string }>(
    tx,
    sql`select distinct key from data_stores where workspace_id = ${workspaceId} and key = any(${keys}::text[])`,
  );
  return new Set(rows.map((row) => row.key));
}
