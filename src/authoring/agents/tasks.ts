import { createHash } from "node:crypto";
import { hasEmbedder } from "#src/authoring/language-models/embeddings.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import type { SafeFetch } from "#src/platform/http/safe-fetch.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { addTask, type Task, type TaskEnd, type TaskHandler } from "#src/platform/queue/queue.ts";
import { deleteUnusedFile, findFile } from "./file-sql.ts";
import {
  beginIndexing,
  deleteChunks,
  endIndexing,
  type IndexEnd,
  insertChunks,
  lockIndexed,
  postponeIndexing,
  retitleChunks,
} from "./index-sql.ts";
import { extractAside } from "./indexing/extract-aside.ts";
import type { Chunk, Source } from "./indexing/extract.ts";
import { fetchPage, type Validators } from "./indexing/fetch-page.ts";
import { UnreadableError } from "./indexing/unreadable.ts";
import type { ItemRow } from "./item-sql.ts";
import { readFileBytes } from "./knowledge-files.ts";
import { EMBED_TASK, INDEX_TASK } from "./knowledge-items.ts";
import { ServerTurns } from "./server-turns.ts";
import { lockVectors } from "./vector-sql.ts";

/** Outcome of reading an item's source. */
type Reading =
  | { kind: "CHUNKS"; chunks: Chunk[]; sizeBytes: number; contentHash: string; validators: Validators }
  | { kind: "SAME"; validators: Validators }
  | { kind: "BUSY"; afterMs: number }
  | { kind: "FAULT"; message: string; isTransient: boolean };

/** Outcome that is stored: any but BUSY. */
type Read = Exclude<Reading, { kind: "BUSY" }>;

interface IndexerParts {
  database: Database;
  safeFetch: SafeFetch;
  log: Log;
}

/** Dependencies for reading sources. */
interface Reader {
  db: Executor;
  safeFetch: SafeFetch;
  turns: ServerTurns;
}

/** Delays before the second, third, … attempt at a source that may come back. */
const RETRY_DELAYS_MS = [1_000, 10_000, 60_000, 600_000];
const HOUR_MS = 60 * 60 * 1_000;

/**
 * Indexes one item. The item names the only task that may do so. A run whose task the item no longer names stores
 * nothing, so a change always wins over a run that began before it, and a run repeated after a crash does no harm.
 */
export function createIndexer({ database, safeFetch, log }: IndexerParts): TaskHandler {
  const { db } = database;
  const reader = { db, safeFetch, turns: new ServerTurns() };
  return async (task, signal) => {
    const item = await beginIndexing(db, task.workspaceId, task.subjectId, task.id);
    if (!item) return { kind: "DONE" };
    const known = task.payload.isForced === true ? forget(item) : item;
    const reading = await readItem(reader, task.workspaceId, known, signal).catch((error: unknown): Reading => {
      log.error("A knowledge item could not be indexed.", { taskId: task.id, itemId: item.id, error });
      return {
        kind: "FAULT",
        message: "It could not be indexed because of a fault of the service.",
        isTransient: true,
      };
    });
    if (reading.kind === "BUSY") return waitForOthers(db, task, reading.afterMs);
    const delayMs = RETRY_DELAYS_MS[task.attempt - 1];
    if (reading.kind === "FAULT" && reading.isTransient && (delayMs !== undefined || signal.aborted)) {
      return postpone(db, task, reading.message, signal.aborted ? 0 : (delayMs ?? 0));
    }
    await storeUnlessStale(db, task, item, reading);
    return { kind: "DONE" };
  };
}

async function postpone(db: Executor, task: Task, error: string, afterMs: number): Promise<TaskEnd> {
  const message = `${error} It is tried again in ${Math.ceil(afterMs / 1_000)} s.`;
  await postponeIndexing(db, task.workspaceId, task.subjectId, task.id, message);
  return { kind: "RETRY", afterMs, error };
}

async function waitForOthers(db: Executor, { id, workspaceId, subjectId }: Task, afterMs: number): Promise<TaskEnd> {
  await postponeIndexing(db, workspaceId, subjectId, id, "It waits for other pages of its server, which is slow.");
  return { kind: "LATER", afterMs };
}

/** Returns the item without its hash and validators, so that a forced run never takes the source for unchanged. */
function forget(item: ItemRow): ItemRow {
  return { ...item, content_hash: null, etag: null, last_modified: null };
}

const NO_VALIDATORS: Validators = { etag: null, lastModified: null };

async function readItem(reader: Reader, workspaceId: string, item: ItemRow, signal: AbortSignal): Promise<Reading> {
  if (item.type === "URL") return readPage(reader, workspaceId, item, signal);
  if (item.type === "TEXT") {
    return readSource(workspaceId, item, {
      bytes: Buffer.from(item.content ?? ""),
      mediaType: "text/plain",
      charset: null,
    });
  }
  const { db } = reader;
  const file = await findFile(db, workspaceId, item.file_id ?? "");
  if (!file) return { kind: "FAULT", message: "Its file does not exist any more.", isTransient: false };
  const bytes = await readFileBytes(db, workspaceId, file.id);
  return readSource(workspaceId, item, { bytes, mediaType: file.media_type, charset: null });
}

async function readPage(
  { safeFetch, turns }: Reader,
  workspaceId: string,
  item: ItemRow,
  signal: AbortSignal,
): Promise<Reading> {
  const url = item.url ?? "";
  const turn = await turns.take(`${workspaceId}|${URL.parse(url)?.host ?? ""}`);
  if (!turn.end) return { kind: "BUSY", afterMs: turn.afterMs };
  const known = { etag: item.etag, lastModified: item.last_modified };
  const fetched = await fetchPage(safeFetch, url, known, signal).finally(turn.end);
  if (fetched.kind === "FAULT") return fetched;
  if (fetched.kind === "UNCHANGED") return { kind: "SAME", validators: known };
  return readSource(workspaceId, item, fetched.source, fetched.validators);
}

async function readSource(
  workspaceId: string,
  item: ItemRow,
  source: Source,
  validators = NO_VALIDATORS,
): Promise<Read> {
  const contentHash = createHash("sha256").update(source.bytes).digest("hex");
  if (!item.source_changed && item.content_hash === contentHash) return { kind: "SAME", validators };
  const sizeBytes = source.bytes.length;
  try {
    return { kind: "CHUNKS", chunks: await extractAside(workspaceId, source), sizeBytes, contentHash, validators };
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return { kind: "FAULT", message: error.message, isTransient: false };
  }
}

/** Thrown to roll back a transaction whose task the item no longer names. */
class StaleRun extends Error {}

async function storeUnlessStale(db: Database["db"], task: Task, item: ItemRow, reading: Read): Promise<void> {
  try {
    await db.transaction().execute((tx) => store(tx, task, item, reading));
  } catch (error) {
    if (!(error instanceof StaleRun)) throw error;
  }
}

async function store(tx: Executor, { id: taskId, workspaceId }: Task, read: ItemRow, reading: Read): Promise<void> {
  // Written before the item is locked: thousands of rows take seconds, and a change of the item must not wait for them.
  if (reading.kind === "CHUNKS") await insertChunks(tx, workspaceId, read, taskId, reading.chunks);
  // Before locking any row that a renewal of the vectors deletes, to avoid a deadlock with it.
  await lockVectors(tx, workspaceId, "SHARED");
  const item = await lockIndexed(tx, workspaceId, read.id, taskId);
  if (!item) throw new StaleRun();
  if (reading.kind === "CHUNKS") {
    await deleteChunks(tx, workspaceId, item.id, taskId);
    if (item.title !== read.title || item.config !== read.config) await retitleChunks(tx, workspaceId, item.id, item);
  }
  // A failed refresh keeps what was read before; passages of another source must not be found.
  if (reading.kind === "FAULT" && item.source_changed) await deleteChunks(tx, workspaceId, item.id, null);
  await endIndexing(tx, workspaceId, item.id, toEnd(item, reading, await planRefresh(tx, workspaceId, item)));
  if (reading.kind === "FAULT" || !(await hasEmbedder(tx, workspaceId))) return;
  await addTask(tx, workspaceId, { kind: EMBED_TASK, subjectId: item.id, payload: {} });
}

function toEnd(item: ItemRow, reading: Read, nextTaskId: string | null): IndexEnd {
  const known = { sizeBytes: item.size_bytes, chunkCount: item.chunk_count, contentHash: item.content_hash };
  if (reading.kind === "SAME") {
    return { status: "READY", message: null, ...known, ...reading.validators, sourceChanged: false, nextTaskId };
  }
  if (reading.kind === "CHUNKS") {
    const { sizeBytes, contentHash, validators, chunks } = reading;
    const learnt = { sizeBytes, contentHash, chunkCount: chunks.length, ...validators };
    return { status: "READY", message: null, ...learnt, sourceChanged: false, nextTaskId };
  }
  const { etag, last_modified: lastModified, source_changed: sourceChanged } = item;
  const left = sourceChanged ? { sizeBytes: null, chunkCount: 0, contentHash: null } : known;
  return { status: "FAILED", message: reading.message, ...left, etag, lastModified, sourceChanged, nextTaskId };
}

async function planRefresh(tx: Executor, workspaceId: string, item: ItemRow): Promise<string | null> {
  if (item.type !== "URL" || item.refresh_interval_hours === null) return null;
  const dueAt = new Date(nowMs() + item.refresh_interval_hours * HOUR_MS);
  return addTask(tx, workspaceId, { kind: INDEX_TASK, subjectId: item.id, payload: {}, dueAt });
}

/** Deletes uploads that no item took within a day. */
export function createFileExpiry({ db }: Database): TaskHandler {
  return async ({ workspaceId, subjectId }) => {
    await db.transaction().execute((tx) => deleteUnusedFile(tx, workspaceId, subjectId));
    return { kind: "DONE" };
  };
}
