import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import type { Chunk } from "./indexing/extract.ts";
import type { ItemRow } from "./item-sql.ts";

const INSERT_ROWS = 500;

/** Marks an item as being indexed and returns it; undefined when the item names another task by now. */
export function beginIndexing(
  db: Executor,
  workspaceId: string,
  itemId: string,
  taskId: string,
): Promise<ItemRow | undefined> {
  return first(
    db,
    sql`update knowledge_items set status = 'INDEXING', status_message = null
        where workspace_id = ${workspaceId} and id = ${itemId} and task_id = ${taskId} returning *`,
  );
}

/** Returns the item, locked, while it still names this task, which alone may store its result. */
export function lockIndexed(
  tx: Executor,
  workspaceId: string,
  itemId: string,
  taskId: string,
): Promise<ItemRow | undefined> {
  return first(
    tx,
    sql`select * from knowledge_items
        where workspace_id = ${workspaceId} and id = ${itemId} and task_id = ${taskId} for update`,
  );
}

/** Puts an item back to wait for its task's next attempt. */
export async function postponeIndexing(
  db: Executor,
  workspaceId: string,
  itemId: string,
  taskId: string,
  message: string,
): Promise<void> {
  await all(
    db,
    sql`update knowledge_items set status = 'PENDING', status_message = ${message}
        where workspace_id = ${workspaceId} and id = ${itemId} and task_id = ${taskId}`,
  );
}

/** Outcome of an indexing run, as it is written to the item. */
export interface IndexEnd {
  status: "READY" | "FAILED";
  message: string | null;
  sizeBytes: number | null;
  chunkCount: number;
  contentHash: string | null;
  etag: string | null;
  lastModified: string | null;
  sourceChanged: boolean;
  /** The next refresh, if one is due. */
  nextTaskId: string | null;
}

/** Writes the outcome of a run. */
export async function endIndexing(tx: Executor, workspaceId: string, itemId: string, end: IndexEnd): Promise<void> {
  await all(
    tx,
    sql`update knowledge_items set status = ${end.status}, status_message = ${end.message},
          size_bytes = ${end.sizeBytes}, chunk_count = ${end.chunkCount}, content_hash = ${end.contentHash},
          etag = ${end.etag}, last_modified = ${end.lastModified}, source_changed = ${end.sourceChanged},
          task_id = ${end.nextTaskId},
          last_indexed_at = case when ${end.status} = 'READY' then now() else last_indexed_at end
        where workspace_id = ${workspaceId} and id = ${itemId}`,
  );
}

/** Stores the passages that a task read from an item, beside those of earlier tasks. */
export async function insertChunks(
  tx: Executor,
  workspaceId: string,
  item: ItemRow,
  taskId: string,
  chunks: Chunk[],
): Promise<void> {
  for (let from = 0; from < chunks.length; from += INSERT_ROWS) {
    const rows = chunks.slice(from, from + INSERT_ROWS).map(({ text, searchText, headings, page }, i) => ({
      position: from + i,
      text,
      search_text: searchText,
      headings,
      page,
    }));
    await all(
      tx,
      sql`insert into knowledge_chunks (workspace_id, item_id, task_id, position, agent_id, config, title, text, search_text,
            headings, page)
          select ${workspaceId}::uuid, ${item.id}::uuid, ${taskId}::uuid, position, ${item.agent_id}::uuid,
            ${item.config}::text, ${item.title}::text, text, search_text, headings, page
          from json_to_recordset(${JSON.stringify(rows)}::json) as x(position integer, text text, search_text text,
            headings text[], page integer)
          on conflict do nothing`,
    );
  }
}

/** Deletes an item's passages except those stored by one task. */
export async function deleteChunks(
  tx: Executor,
  workspaceId: string,
  itemId: string,
  exceptTaskId: string | null,
): Promise<void> {
  await all(
    tx,
    sql`delete from knowledge_chunks where workspace_id = ${workspaceId} and item_id = ${itemId}
          and task_id is distinct from ${exceptTaskId}::uuid`,
  );
}

/** Gives an item's passages its title and its language. */
export async function retitleChunks(
  tx: Executor,
  workspaceId: string,
  itemId: string,
  { title, config }: { title: string; config: string },
): Promise<void> {
  await all(
    tx,
    sql`update knowledge_chunks set title = ${title}, config = ${config}
        where workspace_id = ${workspaceId} and item_id = ${itemId} and (title <> ${title} or config <> ${config})`,
  );
}
