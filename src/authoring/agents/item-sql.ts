import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, isAfter, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { clearKnowledge } from "./clear-knowledge.ts";

export type ItemType = "TEXT" | "URL" | "FILE";
export type ItemStatus = "PENDING" | "INDEXING" | "READY" | "FAILED" | "DISABLED";

/** Columns of an item that a caller sets, with those that follow from them. */
export interface ItemFields {
  title: string;
  type: ItemType;
  content: string | null;
  url: string | null;
  file_id: string | null;
  tags: string[];
  metadata: Record<string, unknown> | null;
  language: string | null;
  config: string;
  enabled: boolean;
  refresh_interval_hours: number | null;
  status: ItemStatus;
  status_message: string | null;
  task_id: string | null;
  source_changed: boolean;
}

export interface ItemRow extends ItemFields {
  id: string;
  agent_id: string;
  size_bytes: number | null;
  chunk_count: number;
  content_hash: string | null;
  last_indexed_at: Date | null;
  etag: string | null;
  last_modified: string | null;
  created_at: Date;
  updated_at: Date;
}

function toJson(fields: ItemFields): string {
  const { title, type, content, url, file_id, tags, metadata, language, config, enabled } = fields;
  const { refresh_interval_hours, status, status_message, task_id, source_changed } = fields;
  const decided = { title, type, content, url, file_id, tags, metadata, language, config, enabled };
  return JSON.stringify({ ...decided, refresh_interval_hours, status, status_message, task_id, source_changed });
}

/** Stores a new item. */
export async function insertItem(
  tx: Executor,
  workspaceId: string,
  agentId: string,
  id: string,
  fields: ItemFields,
): Promise<ItemRow> {
  const rows = await all<ItemRow>(
    tx,
    sql`insert into knowledge_items (workspace_id, agent_id, id, title, type, content, url, file_id, tags, metadata,
          language, config, enabled, refresh_interval_hours, status, status_message, task_id, source_changed)
        select ${workspaceId}::uuid, ${agentId}::uuid, ${id}::uuid, title, type, content, url, file_id, tags, metadata,
          language, config, enabled, refresh_interval_hours, status, status_message, task_id, source_changed
        from json_to_record(${toJson(fields)}::json) as x(title text, type text, content text, url text, file_id uuid,
          tags json, metadata json, language text, config text, enabled boolean, refresh_interval_hours integer,
          status text, status_message text, task_id uuid, source_changed boolean)
        returning *`,
  );
  return rows[0] as ItemRow;
}

/** Writes a changed item. A change of its source clears what was learnt from the old one. */
export async function updateItem(
  tx: Executor,
  workspaceId: string,
  agentId: string,
  id: string,
  fields: ItemFields,
): Promise<ItemRow> {
  const rows = await all<ItemRow>(
    tx,
    sql`update knowledge_items i set title = x.title, type = x.type, content = x.content, url = x.url,
          file_id = x.file_id, tags = x.tags, metadata = x.metadata, language = x.language, config = x.config,
          enabled = x.enabled, refresh_interval_hours = x.refresh_interval_hours, status = x.status,
          status_message = x.status_message, task_id = x.task_id, source_changed = x.source_changed,
          etag = case when x.source_changed then null else i.etag end,
          last_modified = case when x.source_changed then null else i.last_modified end,
          updated_at = now()
        from json_to_record(${toJson(fields)}::json) as x(title text, type text, content text, url text, file_id uuid,
          tags json, metadata json, language text, config text, enabled boolean, refresh_interval_hours integer,
          status text, status_message text, task_id uuid, source_changed boolean)
        where i.workspace_id = ${workspaceId} and i.agent_id = ${agentId} and i.id = ${id} returning i.*`,
  );
  return rows[0] as ItemRow;
}

/** One item of an agent. */
export function findItem(db: Executor, workspaceId: string, agentId: string, id: string): Promise<ItemRow | undefined> {
  return first(
    db,
    sql`select * from knowledge_items where workspace_id = ${workspaceId} and agent_id = ${agentId} and id = ${id}`,
  );
}

/** Returns one item of an agent, locked for the change that follows. */
export function lockItem(tx: Executor, workspaceId: string, agentId: string, id: string): Promise<ItemRow | undefined> {
  return first(
    tx,
    sql`select * from knowledge_items
        where workspace_id = ${workspaceId} and agent_id = ${agentId} and id = ${id} for update`,
  );
}

/** Deletes an item with its passages; undefined when there is none. */
export async function deleteItem(
  tx: Executor,
  workspaceId: string,
  agentId: string,
  id: string,
): Promise<ItemRow | undefined> {
  const gone = await first<ItemRow>(
    tx,
    sql`delete from knowledge_items where workspace_id = ${workspaceId} and agent_id = ${agentId} and id = ${id}
        returning *`,
  );
  if (gone) await clearKnowledge(tx, workspaceId, id, { items: [id], files: [] });
  return gone;
}

/** A page of an agent's items without their content, oldest first, with one row more than asked for. */
export function listItems(db: Executor, workspaceId: string, agentId: string, page: PageRequest): Promise<ItemRow[]> {
  return all(
    db,
    sql`select id, agent_id, title, type, url, file_id, tags, metadata, language, enabled, refresh_interval_hours,
          status, status_message, size_bytes, chunk_count, content_hash, last_indexed_at, created_at, updated_at
        from knowledge_items where workspace_id = ${workspaceId} and agent_id = ${agentId} and ${isAfter(page)}
        order by id ${limitTo(page)}`,
  );
}

/** Counts the items of an agent. */
export function countItems(db: Executor, workspaceId: string, agentId: string): Promise<number> {
  return countOf(db, sql`knowledge_items where workspace_id = ${workspaceId} and agent_id = ${agentId}`);
}
