import type { Database } from "#src/db/database.ts";
import { toError } from "#src/kernel/errors.ts";
import { type Embedder, type EmbedderParts, findEmbedder } from "#src/language-models/embeddings.ts";
import { addTask, type TaskHandler } from "#src/queue/queue.ts";
import { EMBED_TASK } from "./knowledge-items.ts";
import {
  deleteVectors,
  findPlainItems,
  findPlainPassages,
  noteEmbedding,
  type PlainPassage,
  saveVectors,
} from "./vector-sql.ts";

const BATCH = 64;
const BATCH_DEADLINE_MS = 60_000;
/** Waits before the second, third, … attempt at a server that failed. */
const RETRY_DELAYS_MS = [1_000, 10_000, 60_000, 600_000, 3_600_000];

interface EmbeddingParts {
  database: Database;
  models: EmbedderParts;
}

/**
 * Embeds what an item's passages lack, in batches that are stored one by one: a run that a crash repeats goes on where
 * the last one ended. Searches find the item by its words meanwhile.
 */
export function createEmbedding({ database: { db }, models }: EmbeddingParts): TaskHandler {
  return async ({ workspaceId, subjectId: itemId, attempt }, signal) => {
    const embedder = await findEmbedder(db, models, workspaceId);
    if (!embedder) return { kind: "DONE" };
    for (;;) {
      const passages = await findPlainPassages(db, workspaceId, itemId, embedder.key, BATCH);
      if (passages.length === 0) break;
      let vectors: number[][];
      try {
        vectors = await embed(embedder, passages, signal);
      } catch (thrown) {
        if (signal.aborted) return { kind: "RETRY", afterMs: 0, error: "The node stopped." };
        const error = toError(thrown).message;
        await noteEmbedding(db, workspaceId, itemId, `Searches find it by its words alone: ${error}`);
        const afterMs = RETRY_DELAYS_MS[attempt - 1];
        return afterMs === undefined ? { kind: "DEAD", error } : { kind: "RETRY", afterMs, error };
      }
      await saveVectors(db, workspaceId, itemId, embedder.key, passages, vectors);
    }
    await noteEmbedding(db, workspaceId, itemId, null);
    return { kind: "DONE" };
  };
}

function embed(embedder: Embedder, passages: PlainPassage[], signal: AbortSignal): Promise<number[][]> {
  const texts = passages.map(({ title, headings, text }) => `${[title, ...headings].join(" > ")}\n\n${text}`);
  return embedder.embed(texts, AbortSignal.any([signal, AbortSignal.timeout(BATCH_DEADLINE_MS)]));
}

/** After a change of a workspace's embedding models: whatever lacks a vector of the present one is embedded anew. */
export function createEmbeddingRenewal({ database: { db }, models }: EmbeddingParts): TaskHandler {
  return async ({ workspaceId }) => {
    await db.transaction().execute(async (tx) => {
      const embedder = await findEmbedder(tx, models, workspaceId);
      if (!embedder) return deleteVectors(tx, workspaceId, null);
      for (const subjectId of await findPlainItems(tx, workspaceId, embedder.key)) {
        await addTask(tx, workspaceId, { kind: EMBED_TASK, subjectId, payload: {} });
      }
    });
    return { kind: "DONE" };
  };
}
