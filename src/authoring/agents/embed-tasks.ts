import {
  type Embedder,
  type EmbedderParts,
  findEmbedder,
  findEmbedderKey,
} from "#src/authoring/language-models/embeddings.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { addTask, type Task, type TaskEnd, type TaskHandler } from "#src/platform/queue/queue.ts";
import { EMBED_TASK } from "./knowledge-items.ts";
import { ServerTurns } from "./server-turns.ts";
import {
  deleteVectors,
  findPlainItems,
  findPlainPassages,
  lockVectors,
  noteEmbedding,
  type PlainPassage,
  saveVectors,
} from "./vector-sql.ts";

const BATCH = 64;
const BATCH_DEADLINE_MS = 60_000;
/** Milliseconds between checks, during a request, that its model is still the workspace's. */
const WATCH_MS = 500;
/** Delays before the second, third, … attempt at a server that failed. */
const RETRY_DELAYS_MS = [1_000, 10_000, 60_000, 600_000, 3_600_000] as const;

interface EmbeddingParts {
  database: Database;
  models: EmbedderParts;
}

/**
 * Embeds the passages of an item that have no vector yet, in batches that are stored one by one: a run repeated after a
 * crash continues where the last one ended. Until then searches find the item by its words.
 */
export function createEmbedding(parts: EmbeddingParts): TaskHandler {
  const turns = new ServerTurns();
  const { db } = parts.database;
  return async (task, signal) => {
    const embedder = await findEmbedder(db, parts.models, task.workspaceId);
    if (!embedder) return { kind: "DONE" };
    for (let stored = 0; ; stored++) {
      const turn = await turns.take(`${task.workspaceId}|${embedder.key}`);
      if (!turn.end) return { kind: "LATER", afterMs: turn.afterMs };
      const next = await embedBatch(db, embedder, task, signal).finally(turn.end);
      if (next === "ALL") break;
      if (next !== "MORE") return stored > 0 && next.kind !== "DONE" ? beginAnew(db, task) : next;
    }
    await noteEmbedding(db, task.workspaceId, task.subjectId, null);
    return { kind: "DONE" };
  };
}

/** Leaves the rest to a task whose attempts are counted anew: the server has answered meanwhile. */
async function beginAnew(db: Executor, { workspaceId, subjectId }: Task): Promise<TaskEnd> {
  const dueAt = new Date(nowMs() + RETRY_DELAYS_MS[0]);
  await addTask(db, workspaceId, { kind: EMBED_TASK, subjectId, payload: {}, dueAt });
  return { kind: "DONE" };
}

/** Embeds and stores one batch. ALL: nothing was left to embed. A TaskEnd: the task stops here. */
async function embedBatch(
  db: Database["db"],
  embedder: Embedder,
  { workspaceId, subjectId: itemId, attempt }: Task,
  signal: AbortSignal,
): Promise<"MORE" | "ALL" | TaskEnd> {
  const passages = await findPlainPassages(db, workspaceId, itemId, embedder.key, BATCH);
  if (passages.length === 0) return "ALL";
  const change = watchModel(db, workspaceId, embedder.key);
  let vectors: number[][];
  try {
    vectors = await embed(embedder, passages, AbortSignal.any([signal, change.signal]));
  } catch (thrown) {
    // The model change has queued its own tasks for whatever the new model has to embed.
    if (change.signal.aborted) return { kind: "DONE" };
    if (signal.aborted) return { kind: "RETRY", afterMs: 0, error: "The node stopped." };
    return await noteFault(db, workspaceId, itemId, attempt, toError(thrown).message);
  } finally {
    change.stop();
  }
  const isPresent = await db.transaction().execute(async (tx) => {
    await lockVectors(tx, workspaceId, "SHARED");
    if ((await findEmbedderKey(tx, workspaceId)) !== embedder.key) return false;
    await saveVectors(tx, workspaceId, itemId, embedder.key, passages, vectors);
    return true;
  });
  return isPresent ? "MORE" : { kind: "DONE" };
}

async function noteFault(
  db: Executor,
  workspaceId: string,
  itemId: string,
  attempt: number,
  error: string,
): Promise<TaskEnd> {
  await noteEmbedding(db, workspaceId, itemId, `Searches find it by its words alone: ${error}`);
  const afterMs = RETRY_DELAYS_MS[attempt - 1];
  return afterMs === undefined ? { kind: "DEAD", error } : { kind: "RETRY", afterMs, error };
}

function embed(embedder: Embedder, passages: PlainPassage[], signal: AbortSignal): Promise<number[][]> {
  const texts = passages.map(({ title, headings, text }) => `${[title, ...headings].join(" > ")}\n\n${text}`);
  return embedder.embed(texts, AbortSignal.any([signal, AbortSignal.timeout(BATCH_DEADLINE_MS)]));
}

/** Aborts its signal once the workspace uses another model, since the old model's vectors are of no use then. */
function watchModel(db: Executor, workspaceId: string, key: string): { signal: AbortSignal; stop: () => void } {
  const change = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    // A failed read says nothing about the model.
    const present = await findEmbedderKey(db, workspaceId).catch(() => key);
    if (present !== key) change.abort(new Error("The model was changed."));
    else if (timer !== undefined) timer = setTimeout(() => void look(), WATCH_MS);
  };
  timer = setTimeout(() => void look(), WATCH_MS);
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  return { signal: change.signal, stop };
}

/** Re-embeds, after a change of a workspace's embedding models, whatever lacks a vector of the current one. */
export function createEmbeddingRenewal({ database: { db }, models }: EmbeddingParts): TaskHandler {
  return async ({ workspaceId }) => {
    await db.transaction().execute(async (tx) => {
      await lockVectors(tx, workspaceId, "ALONE");
      const embedder = await findEmbedder(tx, models, workspaceId);
      if (!embedder) return deleteVectors(tx, workspaceId, null);
      for (const subjectId of await findPlainItems(tx, workspaceId, embedder.key)) {
        await addTask(tx, workspaceId, { kind: EMBED_TASK, subjectId, payload: {} });
      }
    });
    return { kind: "DONE" };
  };
}
