import { type Contact, toNewRow } from "#src/calls/new-row.ts";
import { insertRows, openLanes, type RowGroup } from "#src/calls/queue-rows.ts";
import type { CallingWindow } from "#src/compliance/calling-window.ts";
import { classifyNumber } from "#src/compliance/numbers.ts";
import { NEVER_OPENS, WindowCheck } from "#src/compliance/window-check.ts";
import type { Database, Executor } from "#src/db/database.ts";
import { AppError, codeOf, toError } from "#src/kernel/errors.ts";
import { Turns } from "#src/kernel/turns.ts";
import type { CallingNumber } from "#src/phone-numbers/phone-numbers.ts";
import type { TaskEnd, TaskHandler } from "#src/queue/queue.ts";
import type { MadeJob } from "./call-jobs.ts";
import { isRowFault, type RowFault } from "./contact.ts";
import { readCsv } from "./csv.ts";
import { deleteChunks, failJob, findChunk, findJob, insertRowErrors, openJob } from "./store.ts";
import { UniqueIds } from "./unique-ids.ts";

/** Rows between two breaths of the process, some 5 ms of its time. */
const BATCH_ROWS = 100;
/** An import whose workspace has another one running, or that finds no free connection, is looked at again after this. */
const TURN_MS = 1_000;
const SHOWN_FAULTS = 100;

/** How many lines were taken and which were not (the first hundred of those). */
export interface ImportCounts {
  total: number;
  rejected: number;
  faults: RowFault[];
}

/** Where the rows of a job go. */
export interface ImportTarget {
  jobId: string;
  numbers: CallingNumber[];
  maxAttempts: number;
  startAt: Date | null;
  callingWindow: CallingWindow | null;
  flowId: string | null;
  flowApiId: string | null;
}

/** The target of a job that was just made. */
export function targetOf(made: MadeJob): ImportTarget {
  const { id: jobId, numbers, maxAttempts, startAt, callingWindow, flow } = made;
  return { jobId, numbers, maxAttempts, startAt, callingWindow, flowId: flow.flowId, flowApiId: flow.flowApiId };
}

/**
 * Stores contacts as rows of a job, taking its numbers in turn. The caller's transaction makes it all or nothing,
 * so an import that a crash cut off is done again from the start and no row exists twice.
 */
export async function importContacts(
  tx: Executor,
  workspaceId: string,
  target: ImportTarget,
  batches: AsyncIterable<(Contact | RowFault)[]>,
): Promise<ImportCounts> {
  const counts: ImportCounts = { total: 0, rejected: 0, faults: [] };
  const { jobId, flowId, flowApiId, maxAttempts, startAt } = target;
  const ofJob = { inlineFlow: null, retryConfig: null, callingWindow: null };
  const group: RowGroup = { jobId, flowId, flowApiId, ...ofJob, maxAttempts, startAt };
  const windows = await WindowCheck.load(tx, target.callingWindow);
  for await (const read of batches) {
    const batch = read.map((item) => refuseUnopened(windows, item));
    const faults = batch.filter(isRowFault);
    const rows = batch
      .filter((item): item is Contact => !isRowFault(item))
      .map((contact, i) => toNewRow(contact, numberFor(target, counts.total + i)));
    if (rows.length > 0) await insertRows(tx, workspaceId, group, rows);
    if (faults.length > 0) await insertRowErrors(tx, workspaceId, jobId, faults);
    counts.total += rows.length;
    counts.rejected += faults.length;
    counts.faults.push(...faults.slice(0, SHOWN_FAULTS - counts.faults.length));
  }
  return counts;
}

/** A contact whom the job's window would never let be called is a fault of its line, for it would wait for ever. */
export function refuseUnopened(windows: WindowCheck, item: Contact | RowFault): Contact | RowFault {
  if (isRowFault(item) || windows.isUnlimited) return item;
  if (windows.everOpens(item.timeZone, classifyNumber(item.customerNumber).country)) return item;
  const message = `timeZone: ${NEVER_OPENS}`;
  return { line: item.line ?? 0, column: "timeZone", code: "WINDOW_NEVER_OPENS", message };
}

function numberFor({ numbers }: ImportTarget, position: number): string {
  return (numbers[position % numbers.length] as CallingNumber).id;
}

/** The lanes of a job: its `maxConcurrency` is shared out over its numbers. */
export function shareLanes(
  numberIds: string[],
  maxConcurrency: number | null,
): { phoneNumberId: string; maxCalls: number | null }[] {
  const share = (i: number) =>
    maxConcurrency === null
      ? null
      : Math.floor(maxConcurrency / numberIds.length) + (i < maxConcurrency % numberIds.length ? 1 : 0);
  return numberIds.map((phoneNumberId, i) => ({ phoneNumberId, maxCalls: share(i) }));
}

/** Opens a job's lanes. */
export async function openJobLanes(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  numberIds: string[],
  maxConcurrency: number | null,
): Promise<void> {
  await openLanes(tx, workspaceId, jobId, shareLanes(numberIds, maxConcurrency));
}

/** Nothing of a list could be taken: 422 with the faults of its lines, and nothing is created. */
export function assertSomeRows(counts: ImportCounts): void {
  if (counts.total > 0) return;
  const details = counts.faults.slice(0, 20).map((fault) => ({
    path: `rows.${fault.line}${fault.column ? `.${fault.column}` : ""}`,
    code: fault.code,
    message: `Line ${fault.line}: ${fault.message}`,
  }));
  const none = [{ path: "rows", code: "EMPTY", message: "The list has no rows." }];
  throw new AppError(
    "VALIDATION_FAILED",
    details[0]?.message ?? "The list has no rows.",
    details.length > 0 ? details : none,
  );
}

/**
 * Imports large CSVs that were put into the database with their jobs: at most `slots` at once and one of each workspace,
 * for each holds a connection to its end. The jobs of the others stay IMPORTING meanwhile.
 */
export function createImporter(database: Database, slots: number, wakeDispatcher: () => void): TaskHandler {
  const turns = new Turns({ slots, perKey: 1 });
  return async ({ workspaceId, subjectId: jobId }) => {
    if (!turns.isFree(workspaceId)) return { kind: "LATER", afterMs: TURN_MS };
    return turns.run(workspaceId, () => importJob(database, workspaceId, jobId, wakeDispatcher));
  };
}

async function importJob(
  database: Database,
  workspaceId: string,
  jobId: string,
  wakeDispatcher: () => void,
): Promise<TaskEnd> {
  try {
    await database.db.transaction().execute((tx) => importStored(tx, workspaceId, jobId));
  } catch (error) {
    if (!(error instanceof AppError) || codeOf(error) === "UNAVAILABLE") throw error;
    await database.db.transaction().execute((tx) => giveUp(tx, workspaceId, jobId));
    return { kind: "DEAD", error: toError(error).message };
  }
  wakeDispatcher();
  return { kind: "DONE" };
}

async function importStored(tx: Executor, workspaceId: string, jobId: string): Promise<void> {
  const job = await findJob(tx, workspaceId, jobId);
  if (job?.status !== "IMPORTING") return;
  const target: ImportTarget = {
    jobId,
    numbers: job.phone_number_ids.map((id) => ({ id, number: "" })),
    maxAttempts: job.retry_config.maxAttempts,
    startAt: job.start_at,
    callingWindow: job.calling_window,
    flowId: job.flow_id,
    flowApiId: job.flow_api_id,
  };
  const rows = readCsv(readChunks(tx, workspaceId, jobId), BATCH_ROWS);
  const unique = new UniqueIds(tx, workspaceId, jobId).report(rows);
  const counts = await importContacts(tx, workspaceId, target, unique);
  if (counts.total === 0) {
    await failJob(tx, workspaceId, jobId, counts.rejected);
  } else {
    await openJob(tx, workspaceId, jobId, counts);
    await openJobLanes(tx, workspaceId, jobId, job.phone_number_ids, job.max_concurrency);
  }
  await deleteChunks(tx, workspaceId, jobId);
}

async function* readChunks(tx: Executor, workspaceId: string, jobId: string): AsyncIterable<Buffer> {
  for (let position = 0; ; position++) {
    const chunk = await findChunk(tx, workspaceId, jobId, position);
    if (!chunk) return;
    yield chunk;
  }
}

async function giveUp(tx: Executor, workspaceId: string, jobId: string): Promise<void> {
  await failJob(tx, workspaceId, jobId, 0);
  await deleteChunks(tx, workspaceId, jobId);
}
