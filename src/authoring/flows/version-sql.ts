import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, isAfter, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { lowestIdAt } from "#src/platform/kernel/id.ts";
import { type Editor, editorName } from "./editor.ts";
import type { FlowFields } from "./flow-fields.ts";
import type { FlowRow, FlowSplit } from "./store.ts";

export interface VersionRow {
  id: string;
  flow_id: string;
  version: number;
  definition: Partial<FlowFields>;
  note: string | null;
  created_by: string | null;
  created_at: Date;
}

/** Stores the draft of a flow. The published flow, which calls use, stays as it is. */
export async function saveDraft(
  tx: Executor,
  workspaceId: string,
  flowId: string,
  draft: Partial<FlowFields>,
  base: number,
  editor: Editor,
): Promise<FlowRow> {
  const rows = await all<FlowRow>(
    tx,
    sql`update flows set draft = ${JSON.stringify(draft)}, draft_base = ${base}, draft_updated_at = now(),
          draft_by = ${editorName(workspaceId, editor)}
        where workspace_id = ${workspaceId} and id = ${flowId} returning *`,
  );
  return rows[0] as FlowRow;
}

/** Deletes a draft; false when there is none. */
export async function deleteDraft(tx: Executor, workspaceId: string, flowId: string): Promise<boolean> {
  const rows = await all(
    tx,
    sql`update flows set draft = null, draft_base = null, draft_updated_at = null, draft_by = null
        where workspace_id = ${workspaceId} and id = ${flowId} and draft is not null returning id`,
  );
  return rows.length > 0;
}

/** Sets the shares of new sessions that versions get; null: all take the published one. */
export async function saveSplits(
  tx: Executor,
  workspaceId: string,
  flowId: string,
  splits: FlowSplit[] | null,
): Promise<void> {
  await all(
    tx,
    sql`update flows set splits = ${splits && JSON.stringify(splits)}
        where workspace_id = ${workspaceId} and id = ${flowId}`,
  );
}

/** One published version. */
export function findVersion(
  tx: Executor,
  workspaceId: string,
  flowId: string,
  version: number,
): Promise<VersionRow | undefined> {
  return first(
    tx,
    sql`select * from flow_versions
        where workspace_id = ${workspaceId} and flow_id = ${flowId} and version = ${version}`,
  );
}

/** Returns the definitions of these versions of a flow. */
export async function findDefinitions(
  tx: Executor,
  workspaceId: string,
  flowId: string,
  versions: number[],
): Promise<Map<number, Partial<FlowFields>>> {
  const rows = await all<{ version: number; definition: Partial<FlowFields> }>(
    tx,
    sql`select version, definition from flow_versions
        where workspace_id = ${workspaceId} and flow_id = ${flowId} and version = any(${versions}::int[])`,
  );
  return new Map(rows.map(({ version, definition }) => [version, definition]));
}

/** A page of versions, newest first, with one more than asked for. */
export function listVersions(
  tx: Executor,
  workspaceId: string,
  flowId: string,
  page: PageRequest,
): Promise<Omit<VersionRow, "definition">[]> {
  const after = page.after ?? null;
  return all(
    tx,
    sql`select id, flow_id, version, note, created_by, created_at from flow_versions v
        where workspace_id = ${workspaceId} and flow_id = ${flowId}
          and (${after}::uuid is null or version < (
            select a.version from flow_versions a
             where a.workspace_id = v.workspace_id and a.flow_id = v.flow_id and a.id = ${after}::uuid))
        order by version desc ${limitTo(page)}`,
  );
}

/** Counts the stored versions of a flow. */
export function countVersions(tx: Executor, workspaceId: string, flowId: string): Promise<number> {
  return countOf(tx, sql`flow_versions where workspace_id = ${workspaceId} and flow_id = ${flowId}`);
}

/** A flow with the publisher of its current version. */
export interface ChangeRow extends FlowRow {
  published_by: string | null;
}

/** A page of flows with their publishers, oldest first, with one more than asked for. */
export function listChanges(tx: Executor, workspaceId: string, page: PageRequest): Promise<ChangeRow[]> {
  return all(
    tx,
    sql`select f.*, v.created_by as published_by from flows f
          left join flow_versions v
            on v.workspace_id = f.workspace_id and v.flow_id = f.id and v.version = f.version
        where f.workspace_id = ${workspaceId} and ${isAfter(page, "f.id")}
        order by f.id ${limitTo(page)}`,
  );
}

export interface ResultRow {
  version: number;
  calls: number;
  ended: number;
  completed: number;
  reached: number;
  average_ms: number | null;
}

/** Ids follow the database's clock; a long transaction stores its rows later than they were numbered. */
const GRACE_MS = 2 * 3_600_000;

/**
 * Returns the call results of each stored version, newest first. SQL here, since calls/ imports flows/. Reads the
 * workspace's rows, with an instant those since: the query is rare, and an index on the version would slow down every dial.
 */
export function countResults(
  tx: Executor,
  workspaceId: string,
  flowId: string,
  since: string | null,
): Promise<ResultRow[]> {
  return all(
    tx,
    sql`select v.version, coalesce(c.calls, 0) as calls, coalesce(c.ended, 0) as ended,
          coalesce(c.completed, 0) as completed, coalesce(c.reached, 0) as reached, c.average_ms
        from flow_versions v
        left join (
          select r.flow_version, count(*) as calls, count(r.ended_at) as ended,
                 count(*) filter (where r.status = 'COMPLETED') as completed,
                 -- PERSON of src/interactions/calls/answered.ts
                 count(*) filter (where r.ended_at is not null
                   and r.outcome in ('ANSWERED', 'OPTED_OUT', 'TRANSFERRED', 'INTERRUPTED',
                                     'INTERRUPTED_BY_OPERATOR')) as reached,
                 avg(s.duration_ms)::float8 as average_ms
            from call_rows r
            left join call_results s on s.workspace_id = r.workspace_id and s.row_id = r.id
           where r.workspace_id = ${workspaceId} and r.flow_id = ${flowId} and r.flow_version is not null
             ${since === null ? sql`` : sql`and r.created_at >= ${since}::timestamptz and r.id >= ${lowestIdAt(Date.parse(since) - GRACE_MS)}`}
           group by r.flow_version) c on c.flow_version = v.version
        where v.workspace_id = ${workspaceId} and v.flow_id = ${flowId}
        order by v.version desc limit 200`,
  );
}
