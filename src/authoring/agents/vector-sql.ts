import { all, type Executor, sql } from "#src/platform/db/database.ts";
import type { HitRow } from "./search-sql.ts";

/** Passages, the nearest by their signs, that are compared exactly. */
const EXACT = 200;
/** Passages of an agent that are searched by meaning; further ones are found by their words alone. */
const MAX_SCANNED = 100_000;

/** A passage that waits for its vector. */
export interface PlainPassage {
  task_id: string;
  position: number;
  title: string;
  headings: string[];
  text: string;
}

/** Passages of an item that have no vector of this model yet; none when the item was deleted. */
export function findPlainPassages(
  db: Executor,
  workspaceId: string,
  itemId: string,
  modelKey: string,
  limit: number,
): Promise<PlainPassage[]> {
  return all(
    db,
    sql`select c.task_id, c.position, c.title, c.headings, c.text
        from knowledge_chunks c left join knowledge_vectors v using (workspace_id, item_id, task_id, position)
        where c.workspace_id = ${workspaceId} and c.item_id = ${itemId} and v.model_key is distinct from ${modelKey}
          and exists (select from knowledge_items where workspace_id = ${workspaceId} and id = ${itemId})
        order by c.position limit ${limit}`,
  );
}

/**
 * Keeps a workspace's vectors in step with its model until the transaction ends. Writers of passages or vectors read
 * the model under a SHARED lock; the renewal after a model change takes it ALONE. The renewal therefore includes
 * everything stored before the change took effect, and never deletes what was stored after it.
 */
export async function lockVectors(tx: Executor, workspaceId: string, mode: "SHARED" | "ALONE"): Promise<void> {
  const key = sql`hashtextextended(${`${workspaceId}|vectors`}, 0)`;
  await all(
    tx,
    mode === "ALONE" ? sql`select pg_advisory_xact_lock(${key})` : sql`select pg_advisory_xact_lock_shared(${key})`,
  );
}

/** Stores the vectors of passages, except those that were deleted or retitled meanwhile. */
export async function saveVectors(
  db: Executor,
  workspaceId: string,
  itemId: string,
  modelKey: string,
  passages: PlainPassage[],
  vectors: number[][],
): Promise<void> {
  const rows = passages.map(({ task_id, position, title }, i) => {
    const vector = vectors[i] ?? [];
    return { task_id, position, title, vector, signs: toSigns(vector) };
  });
  await all(
    db,
    sql`insert into knowledge_vectors (workspace_id, item_id, task_id, position, agent_id, model_key, vector, signs)
        select c.workspace_id, c.item_id, c.task_id, c.position, c.agent_id, ${modelKey}, x.vector, x.signs::varbit
        from json_to_recordset(${JSON.stringify(rows)}::json)
            as x(task_id uuid, position integer, title text, vector real[], signs text)
          join knowledge_chunks c on c.task_id = x.task_id and c.position = x.position and c.title = x.title
        where c.workspace_id = ${workspaceId} and c.item_id = ${itemId}
        for key share of c
        on conflict (workspace_id, item_id, task_id, position)
          do update set model_key = excluded.model_key, vector = excluded.vector, signs = excluded.signs`,
  );
}

/** Deletes the vectors of an item's passages, or those of a whole workspace. */
export async function deleteVectors(tx: Executor, workspaceId: string, itemId: string | null): Promise<void> {
  const ofItem = itemId === null ? sql`` : sql`and item_id = ${itemId}`;
  await all(tx, sql`delete from knowledge_vectors where workspace_id = ${workspaceId} ${ofItem}`);
}

/** Items with passages that have no vector of this model. */
export async function findPlainItems(tx: Executor, workspaceId: string, modelKey: string): Promise<string[]> {
  const rows = await all<{ id: string }>(
    tx,
    sql`select distinct c.item_id as id
        from knowledge_chunks c left join knowledge_vectors v using (workspace_id, item_id, task_id, position)
        where c.workspace_id = ${workspaceId} and v.model_key is distinct from ${modelKey}`,
  );
  return rows.map(({ id }) => id);
}

/** Sets the note that explains to the owner of an indexed item why it is not searched by meaning; null clears it. */
export async function noteEmbedding(
  db: Executor,
  workspaceId: string,
  itemId: string,
  message: string | null,
): Promise<void> {
  await all(
    db,
    sql`update knowledge_items set status_message = ${message}
        where workspace_id = ${workspaceId} and id = ${itemId} and status = 'READY'
          and status_message is distinct from ${message}`,
  );
}

/** Returns the passages of enabled items that are nearest to a vector, best first; the score is the cosine. */
export function findNearest(
  db: Executor,
  workspaceId: string,
  agentIds: string[],
  query: { key: string; vector: number[] },
  limit: number,
): Promise<HitRow[]> {
  const { key, vector } = query;
  return all(
    db,
    sql`with own as (
          select v.item_id, v.task_id, v.position, v.signs
          from knowledge_vectors v join knowledge_items i on i.workspace_id = v.workspace_id and i.id = v.item_id
          where v.workspace_id = ${workspaceId} and v.agent_id = any(${agentIds}::uuid[]) and v.model_key = ${key}
            and length(v.signs) = ${vector.length} and i.enabled
          limit ${MAX_SCANNED}
        ),
        near as (
          select item_id, task_id, position from own
          order by bit_count(signs # ${toSigns(vector)}::varbit), item_id, position limit ${EXACT}
        )
        select c.item_id as "itemId", c.title, c.headings, c.page, c.position, c.text,
          (select sum(a * b) from unnest(v.vector, ${vector}::real[]) as pair(a, b))::float8 as score
        from near join knowledge_vectors v using (item_id, task_id, position)
          join knowledge_chunks c using (workspace_id, item_id, task_id, position)
        where v.workspace_id = ${workspaceId}
        order by score desc, c.item_id, c.position limit ${limit}`,
  );
}

function toSigns(vector: number[]): string {
  return vector.map((number) => (number > 0 ? "1" : "0")).join("");
}
