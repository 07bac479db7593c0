import type { Contact } from "#src/interactions/calls/new-row.ts";
import { all, type Database, type Executor, retryDeadlocks, sql } from "#src/platform/db/database.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { AppError, codeOf, toError } from "#src/platform/kernel/errors.ts";
import type { TaskEnd } from "#src/platform/queue/queue.ts";
import type { RowFault } from "./contact.ts";
import { readCsv } from "./csv.ts";
import { importContacts, type ImportTarget, openJobLanes } from "./import.ts";
import {
  type CallJobRow,
  countRowErrors,
  deleteChunks,
  deleteSomeRows,
  failJob,
  findChunk,
  findJob,
  forgetErrorsAfter,
  lockUnopenedJob,
  noteImported,
  openJob,
} from "./store.ts";
import { UniqueIds } from "./unique-ids.ts";

/** Rows of one transaction. */
const BATCH_ROWS = 500;
/** On a machine so busy that a batch takes a second, it would otherwise hardly come on. */
const LONGEST_REST_MS = 50;
const MOVED_ON: TaskEnd = { kind: "LATER", afterMs: 1_000 };

/** A job and its file. */
interface Import {
  database: Database;
  workspaceId: string;
  jobId: string;
}

/**
 * Imports the CSV that was put into the database with a job, some rows in a transaction, each of which keeps how far it came:
 * an import that was cut off goes on from there, and no row exists twice. Nobody is called before the last one. A list of
 * which nothing can be taken ends the job as FAILED and the task as DEAD; rejects where trying again may help. After each
 * batch it rests `restShare` times as long as the batch took.
 */
export async function importJob(work: Import, restShare: () => number): Promise<TaskEnd> {
  const { database, workspaceId, jobId } = work;
  const job = await findJob(database.db, workspaceId, jobId);
  if (job?.status !== "IMPORTING") return { kind: "DONE" };
  try {
    return await importFrom(work, job.imported_line, restShare);
  } catch (error) {
    if (!(error instanceof AppError) || codeOf(error) === "UNAVAILABLE") throw error;
    await giveUp(work);
    return { kind: "DEAD", error: toError(error).message };
  }
}

async function importFrom(work: Import, startLine: number, restShare: () => number): Promise<TaskEnd> {
  const { database, workspaceId, jobId } = work;
  await forgetErrorsAfter(database.db, workspaceId, jobId, startLine);
  let line = startLine;
  for await (const read of readCsv(readChunks(work), BATCH_ROWS)) {
    const batch = read.filter((item) => (item.line ?? 0) > line);
    const last = batch.at(-1)?.line;
    if (!last) continue;
    const startedAt = performance.now();
    const from = line;
    if (!(await inTransaction(work, (tx, job) => storeBatch(tx, workspaceId, job, { batch, from, to: last })))) {
      return MOVED_ON;
    }
    line = last;
    const restMs = Math.min(LONGEST_REST_MS, restShare() * (performance.now() - startedAt));
    if (restMs > 1) await sleep(restMs);
  }
  return (await inTransaction(work, (tx, job) => finish(tx, workspaceId, job, line))) ? { kind: "DONE" } : MOVED_ON;
}

/** Runs a step of the import on the locked job; false when the job is no longer where this import left it. */
function inTransaction(
  { database, workspaceId, jobId }: Import,
  step: (tx: Executor, job: CallJobRow) => Promise<boolean>,
): Promise<boolean> {
  return retryDeadlocks(() =>
    database.db.transaction().execute(async (tx) => {
      const job = await lockUnopenedJob(tx, workspaceId, jobId);
      return job !== undefined && step(tx, job);
    }),
  );
}

async function storeBatch(
  tx: Executor,
  workspaceId: string,
  job: CallJobRow,
  { batch, from, to }: { batch: (Contact | RowFault)[]; from: number; to: number },
): Promise<boolean> {
  if (job.imported_line !== from) return false;
  // What a crash takes of the rows it takes of the progress, too; the last transaction flushes them all.
  await all(tx, sql`set local synchronous_commit = off`);
  const unique = new UniqueIds(tx, workspaceId, job.id).report(only(batch));
  const counts = await importContacts(tx, workspaceId, targetOf(job), unique, job.total_rows);
  await noteImported(tx, workspaceId, job.id, { line: to, ...counts });
  return true;
}

async function* only<T>(batch: T): AsyncIterable<T> {
  yield batch;
}

function targetOf(job: CallJobRow): ImportTarget {
  return {
    jobId: job.id,
    numbers: job.phone_number_ids.map((id) => ({ id, number: "" })),
    maxAttempts: job.retry_config.maxAttempts,
    startAt: job.start_at,
    callingWindow: job.calling_window,
    flowId: job.flow_id,
    flowApiId: job.flow_api_id,
  };
}

async function finish(tx: Executor, workspaceId: string, job: CallJobRow, line: number): Promise<boolean> {
  if (job.imported_line !== line) return false;
  const { id: jobId, total_rows: total } = job;
  const rejected = await countRowErrors(tx, workspaceId, jobId);
  if (total === 0) await failJob(tx, workspaceId, jobId, rejected);
  else {
    await openJob(tx, workspaceId, jobId, { total, rejected });
    await openJobLanes(tx, workspaceId, jobId, job.phone_number_ids, job.max_concurrency);
  }
  await deleteChunks(tx, workspaceId, jobId);
  return true;
}

async function* readChunks({ database, workspaceId, jobId }: Import): AsyncIterable<Buffer> {
  for (let position = 0; ; position++) {
    const chunk = await findChunk(database.db, workspaceId, jobId, position);
    if (!chunk) return;
    yield chunk;
  }
}

/** Takes back what was stored of a file that cannot be read to its end. */
async function giveUp(work: Import): Promise<void> {
  const { database, workspaceId, jobId } = work;
  while ((await deleteSomeRows(database.db, workspaceId, jobId)) > 0);
  await forgetErrorsAfter(database.db, workspaceId, jobId, 0);
  await inTransaction(work, async (tx) => {
    await failJob(tx, workspaceId, jobId, 0);
    await deleteChunks(tx, workspaceId, jobId);
    return true;
  });
}
