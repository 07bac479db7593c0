import { setImmediate } from "node:timers/promises";
import type { Executor } from "#src/platform/db/database.ts";
import type { Session } from "#src/platform/db/session.ts";
import { readAhead } from "#src/platform/kernel/async.ts";
import { AppError, codeOf, toError } from "#src/platform/kernel/errors.ts";
import { addTask, type TaskEnd } from "#src/platform/queue/queue.ts";
import { PARSED_BYTES, readCsv } from "./csv.ts";
import type { ImportPace } from "./import-pace.ts";
import { NAMES_TASK } from "./learn-names.ts";
import { type SentBatch, sendBatch } from "./send-batch.ts";
import { openJobLanes } from "./store-contacts.ts";
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

/** The most rows and bytes of the file in one transaction. */
const BATCH_ROWS = 2_000;
const BATCH_BYTES = 1024 * 1024;
const MOVED_ON: TaskEnd = { kind: "LATER", afterMs: 1_000 };

/** A job and its file. */
interface Import {
  /** Connections that store batches by turns. The first one serves everything else. */
  sessions: readonly [Session, Session];
  workspaceId: string;
  jobId: string;
}

/**
 * Imports the CSV that was stored in the database with a job. Each transaction stores some rows and the progress, so an
 * interrupted import resumes from there and no row exists twice. No row is dialled before the last one is stored. A
 * list without a single valid row ends the job as FAILED, and a file that cannot be read also the task as DEAD. A
 * cancelled job keeps the rows that were there. Rejects on errors that a retry may cure. A batch is a piece of work
 * (`ImportPace`); if that disturbs nobody, the next one is copied while it is being stored, and the one after is read.
 */
export async function importJob(work: Import, pace: ImportPace): Promise<TaskEnd> {
  const { sessions, workspaceId, jobId } = work;
  const { db } = sessions[0];
  const job = await findJob(db, workspaceId, jobId);
  if (job?.status !== "IMPORTING") {
    // The cancel of a job leaves its stored list to the import, which may still be reading it, and so does one that ended.
    await deleteChunks(db, workspaceId, jobId);
    return { kind: "DONE" };
  }
  try {
    return await importFrom(work, job, pace);
  } catch (error) {
    if (!(error instanceof AppError) || codeOf(error) === "UNAVAILABLE") throw error;
    await giveUp(work);
    return { kind: "DEAD", error: toError(error).message };
  }
}

/** Imports the rest of the file. The settings of a job stay as they are until it is imported. */
async function importFrom(work: Import, job: CallJobRow, pace: ImportPace): Promise<TaskEnd> {
  const { sessions, workspaceId, jobId } = work;
  while (await forgetErrorsAfter(sessions[0].db, workspaceId, jobId, job.imported_line));
  let line = job.imported_line;
  let sent = 0;
  let last: SentBatch = {
    sorted: Promise.resolve({ total: job.total_rows, externalIds: new Set() }),
    isStored: Promise.resolve(true),
  };
  await using batches = readAhead(readCsv(readPieces(work), BATCH_ROWS, BATCH_BYTES), () => pace.isAlone);
  /** Stores the next batch, or has it stored while the one before it ends. */
  const storeNext = async (): Promise<"STORED" | "END" | "MOVED_ON"> => {
    const read = await batches.next();
    const before = last;
    if (read.done) return (await before.isStored) ? "END" : "MOVED_ON";
    const from = line;
    const items = read.value.filter((item) => (item.line ?? 0) > from);
    line = items.at(-1)?.line ?? from;
    if (items.length === 0) return "STORED";
    const session = sessions[sent++ % 2] as Session;
    last = sendBatch({ session, workspaceId, job }, { items, from, to: line }, before);
    return (await (pace.isAlone ? before : last).isStored) ? "STORED" : "MOVED_ON";
  };
  try {
    for (;;) {
      const state = await pace.run(storeNext);
      if (state === "MOVED_ON") return MOVED_ON;
      if (state === "END") break;
    }
  } finally {
    await last.isStored.catch(() => false);
  }
  if (!(await inTransaction(work, (tx, locked) => finish(tx, workspaceId, locked, line)))) return MOVED_ON;
  await deleteChunks(sessions[0].db, workspaceId, jobId);
  return { kind: "DONE" };
}

/** Runs a step of the import on the locked job; false when the job is no longer in the state this import left it in. */
function inTransaction(
  { sessions, workspaceId, jobId }: Import,
  step: (tx: Executor, job: CallJobRow) => Promise<boolean>,
): Promise<boolean> {
  return sessions[0].db.transaction().execute(async (tx) => {
    const job = await lockUnopenedJob(tx, workspaceId, jobId);
    return job !== undefined && step(tx, job);
  });
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

async function* readChunks({ sessions, workspaceId, jobId }: Import): AsyncIterable<Buffer> {
  for (let position = 0; ; position++) {
    const chunk = await findChunk(sessions[0].db, workspaceId, jobId, position);
    if (!chunk) return;
    yield chunk;
  }
}

/**
 * Removes the rows stored from a file that cannot be read to its end, and fails the job, unless it was cancelled. The file
 * goes in any case, because no import of it comes after this one.
 */
async function giveUp(work: Import): Promise<void> {
  const { workspaceId, jobId } = work;
  const removeSome = async (tx: Executor, { imported_line: line }: CallJobRow): Promise<boolean> => {
    const removed = await deleteSomeRows(tx, workspaceId, jobId);
    if (removed > 0) await noteImported(tx, workspaceId, jobId, { line, total: -removed, rejected: 0 });
    return removed > 0;
  };
  while (await inTransaction(work, removeSome));
  while (await inTransaction(work, (tx) => forgetErrorsAfter(tx, workspaceId, jobId, 0)));
  await inTransaction(work, async (tx) => {
    await failJob(tx, workspaceId, jobId, 0);
    return true;
  });
  await deleteChunks(work.sessions[0].db, workspaceId, jobId);
}
