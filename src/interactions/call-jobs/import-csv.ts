import { setImmediate } from "node:timers/promises";
import { copyRows } from "#src/interactions/calls/copy-rows.ts";
import type { Contact } from "#src/interactions/calls/new-row.ts";
import { all, type Executor, sql } from "#src/platform/db/database.ts";
import type { Session } from "#src/platform/db/session.ts";
import { readAhead } from "#src/platform/kernel/async.ts";
import { AppError, codeOf, toError } from "#src/platform/kernel/errors.ts";
import { addTask, type TaskEnd } from "#src/platform/queue/queue.ts";
import type { RowFault } from "./contact.ts";
import { PARSED_BYTES, readCsv } from "./csv.ts";
import type { ImportPace } from "./import-pace.ts";
import { NAMES_TASK } from "./learn-names.ts";
import { importContacts, type ImportTarget, openJobLanes } from "./store-contacts.ts";
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

/** The most rows and bytes of the file in one transaction. */
const BATCH_ROWS = 2_000;
const BATCH_BYTES = 1024 * 1024;
const MOVED_ON: TaskEnd = { kind: "LATER", afterMs: 1_000 };

/** A job and its file. */
interface Import {
  session: Session;
  workspaceId: string;
  jobId: string;
}

/**
 * Imports the CSV that was stored in the database with a job. Each transaction stores some rows and the progress, so an
 * interrupted import resumes from there and no row exists twice. No row is dialled before the last one is stored. A
 * list without a single valid row ends the job as FAILED, and a file that cannot be read also the task as DEAD. A
 * cancelled job keeps the rows that were there. Rejects on errors that a retry may cure. A batch is a piece of work
 * (`ImportPace`); the next one is read while it is being stored if that disturbs nobody.
 */
export async function importJob(work: Import, pace: ImportPace): Promise<TaskEnd> {
  const { session, workspaceId, jobId } = work;
  const job = await findJob(session.db, workspaceId, jobId);
  if (job?.status !== "IMPORTING") {
    // The cancel of a job leaves its stored list to the import, which may still be reading it.
    await deleteChunks(session.db, workspaceId, jobId);
    return { kind: "DONE" };
  }
  try {
    return await importFrom(work, job.imported_line, pace);
  } catch (error) {
    if (!(error instanceof AppError) || codeOf(error) === "UNAVAILABLE") throw error;
    await giveUp(work);
    return { kind: "DEAD", error: toError(error).message };
  }
}

async function importFrom(work: Import, startLine: number, pace: ImportPace): Promise<TaskEnd> {
  const { session, workspaceId, jobId } = work;
  await forgetErrorsAfter(session.db, workspaceId, jobId, startLine);
  let line = startLine;
  await using batches = readAhead(readCsv(readPieces(work), BATCH_ROWS, BATCH_BYTES), () => pace.isAlone);
  /** Stores the next batch, if the job is in the state that this import left it in. */
  const storeNext = async (): Promise<"STORED" | "END" | "MOVED_ON"> => {
    const read = await batches.next();
    if (read.done) return "END";
    const batch = read.value.filter((item) => (item.line ?? 0) > line);
    const last = batch.at(-1)?.line;
    if (!last) return "STORED";
    const from = line;
    line = last;
    const stored = await inTransaction(work, (tx, job) => storeBatch(tx, work, job, { batch, from, to: last }));
    return stored ? "STORED" : "MOVED_ON";
  };
  for (;;) {
    const state = await pace.run(storeNext);
    if (state === "MOVED_ON") return MOVED_ON;
    if (state === "END") break;
  }
  return (await inTransaction(work, (tx, job) => finish(tx, workspaceId, job, line))) ? { kind: "DONE" } : MOVED_ON;
}

/** Runs a step of the import on the locked job; false when the job is no longer in the state this import left it in. */
function inTransaction(
  { session, workspaceId, jobId }: Import,
  step: (tx: Executor, job: CallJobRow) => Promise<boolean>,
): Promise<boolean> {
  return session.db.transaction().execute(async (tx) => {
    const job = await lockUnopenedJob(tx, workspaceId, jobId);
    return job !== undefined && step(tx, job);
  });
}

async function storeBatch(
  tx: Executor,
  { session, workspaceId }: Import,
  job: CallJobRow,
  { batch, from, to }: { batch: (Contact | RowFault)[]; from: number; to: number },
): Promise<boolean> {
  if (job.imported_line !== from) return false;
  // A crash loses rows and progress together. The last transaction flushes them all.
  await all(tx, sql`select set_config('synchronous_commit', 'off', true), set_config('parley.names', 'later', true)`);
  const ids = new UniqueIds(tx, workspaceId, job.id);
  const list = { batches: only(batch), unique: ids.report.bind(ids) };
  const storeRows = copyRows.bind(null, session, workspaceId);
  const counts = await importContacts(tx, workspaceId, targetOf(job), list, storeRows, job.total_rows);
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
    await addTask(tx, workspaceId, { kind: NAMES_TASK, subjectId: jobId, payload: {} });
  }
  await deleteChunks(tx, workspaceId, jobId);
  return true;
}

/**
 * Reads the file in pieces that do not block the thread for long, and lets the connection be served between them:
 * PostgreSQL then stores one batch while the next is parsed.
 */
async function* readPieces(work: Import): AsyncIterable<Buffer> {
  for await (const chunk of readAhead(readChunks(work))) {
    for (let at = 0; at < chunk.length; at += PARSED_BYTES) {
      yield chunk.subarray(at, at + PARSED_BYTES);
      await setImmediate();
    }
  }
}

async function* readChunks({ session, workspaceId, jobId }: Import): AsyncIterable<Buffer> {
  for (let position = 0; ; position++) {
    const chunk = await findChunk(session.db, workspaceId, jobId, position);
    if (!chunk) return;
    yield chunk;
  }
}

/** Removes the rows stored from a file that cannot be read to its end, and fails the job, unless it was cancelled. */
async function giveUp(work: Import): Promise<void> {
  const { workspaceId, jobId } = work;
  const removeSome = async (tx: Executor, { imported_line: line }: CallJobRow): Promise<boolean> => {
    const removed = await deleteSomeRows(tx, workspaceId, jobId);
    if (removed > 0) await noteImported(tx, workspaceId, jobId, { line, total: -removed, rejected: 0 });
    return removed > 0;
  };
  while (await inTransaction(work, removeSome));
  await inTransaction(work, async (tx) => {
    await forgetErrorsAfter(tx, workspaceId, jobId, 0);
    await failJob(tx, workspaceId, jobId, 0);
    await deleteChunks(tx, workspaceId, jobId);
    return true;
  });
}
