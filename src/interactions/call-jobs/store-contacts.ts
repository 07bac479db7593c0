import { type AssignedContact, type Contact, toNewRow } from "#src/interactions/calls/new-row.ts";
import { insertRows, openLanes, type RowGroup } from "#src/interactions/calls/queue-rows.ts";
import type { CallingNumber } from "#src/numbers/phone-numbers/phone-numbers.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { CallingWindow } from "#src/tenancy/compliance/calling-window.ts";
import { NEVER_OPENS, WindowCheck } from "#src/tenancy/compliance/window-check.ts";
import type { MadeJob } from "./call-jobs.ts";
import { isRowFault, type RowFault } from "./contact.ts";
import { insertRowErrors } from "./store.ts";

const SHOWN_FAULTS = 100;

/** Counts of the stored and the rejected lines, with the faults of the first hundred rejected. */
export interface ImportCounts {
  total: number;
  rejected: number;
  faults: RowFault[];
}

/** Target of an import: the job, and the settings that its rows take over. */
export interface ImportTarget {
  jobId: string;
  numbers: CallingNumber[];
  maxAttempts: number;
  startAt: Date | null;
  callingWindow: CallingWindow | null;
  flowId: string | null;
  flowApiId: string | null;
}

/** Returns the target for a new job. */
export function targetOf(made: MadeJob): ImportTarget {
  const { id: jobId, numbers, maxAttempts, startAt, callingWindow, flow } = made;
  return { jobId, numbers, maxAttempts, startAt, callingWindow, flowId: flow.flowId, flowApiId: flow.flowApiId };
}

/** Stores rows within the transaction of the import. */
type StoreRows = (group: RowGroup, contacts: Iterable<AssignedContact>) => Promise<unknown>;

/** Returns what stores the rows of a short list, each batch in one statement. */
export function byInsert(tx: Executor, workspaceId: string): StoreRows {
  return (group, contacts) =>
    insertRows(
      tx,
      workspaceId,
      group,
      Array.from(contacts, ({ contact, phoneNumberId }) => toNewRow(contact, phoneNumberId)),
    );
}

type Batches = AsyncIterable<(Contact | RowFault)[]>;

/**
 * Stores contacts as rows of a job in the caller's transaction, taking the job's numbers in turn. `unique` leaves out
 * the repeats among those that the job's window lets be called: a row that is refused takes no externalId from the
 * row that mends it. `stored` is the number of rows that the job already has.
 */
export async function importContacts(
  tx: Executor,
  workspaceId: string,
  target: ImportTarget,
  { batches, unique }: { batches: Batches; unique: (opened: Batches) => Batches },
  storeRows: StoreRows,
  stored = 0,
): Promise<ImportCounts> {
  const counts: ImportCounts = { total: 0, rejected: 0, faults: [] };
  const { jobId, flowId, flowApiId, maxAttempts, startAt } = target;
  const ofJob = { inlineFlow: null, retryConfig: null, callingWindow: null };
  const group: RowGroup = { jobId, flowId, flowApiId, ...ofJob, maxAttempts, startAt };
  const windows = await WindowCheck.load(tx, target.callingWindow);
  for await (const batch of unique(refuseAllUnopened(windows, batches))) {
    const faults = batch.filter(isRowFault);
    const contacts = batch.filter((item): item is Contact => !isRowFault(item));
    if (contacts.length > 0) await storeRows(group, assign(target, contacts, stored + counts.total));
    if (faults.length > 0) await insertRowErrors(tx, workspaceId, jobId, faults);
    counts.total += contacts.length;
    counts.rejected += faults.length;
    counts.faults.push(...faults.slice(0, SHOWN_FAULTS - counts.faults.length));
  }
  return counts;
}

async function* refuseAllUnopened(windows: WindowCheck, batches: Batches): Batches {
  for await (const batch of batches) yield batch.map((item) => refuseUnopened(windows, item));
}

/** Turns a contact into a fault when the job's window would never open for it, because the row would wait for ever. */
export function refuseUnopened(windows: WindowCheck, item: Contact | RowFault): Contact | RowFault {
  if (isRowFault(item) || windows.isUnlimited) return item;
  if (windows.everOpens(item.timeZone, item.country)) return item;
  const message = `timeZone: ${NEVER_OPENS}`;
  return { line: item.line ?? 0, column: "timeZone", code: "WINDOW_NEVER_OPENS", message };
}

function* assign(target: ImportTarget, contacts: Contact[], position: number): Iterable<AssignedContact> {
  for (const contact of contacts) yield { contact, phoneNumberId: numberFor(target, position++) };
}

/** Returns the number that calls a row: a job's rows take its numbers in turn. */
function numberFor({ numbers }: ImportTarget, position: number): string {
  return (numbers[position % numbers.length] as CallingNumber).id;
}

/** Returns the lanes of a job, its `maxConcurrency` shared out over its numbers. */
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

/**
 * Throws a 422 with the faults of the lines when no line was accepted, so that nothing is created. The path of a fault
 * has the line of a file, and the place from 0 of a JSON list, as the paths of its other faults have.
 */
export function assertSomeRows(counts: ImportCounts, list: "FILE" | "JSON"): void {
  if (counts.total > 0) return;
  const details = counts.faults.slice(0, 20).map((fault) => ({
    path: `rows.${list === "JSON" ? fault.line - 1 : fault.line}${fault.column ? `.${fault.column}` : ""}`,
    code: fault.code,
    message: `Line ${fault.line}: ${fault.message}`,
  }));
  const none = { path: "rows", code: "EMPTY", message: "The list has no rows: add one for each person to call." };
  const [first = none] = details;
  throw new AppError("VALIDATION_FAILED", first.message, details.length > 0 ? details : [none]);
}
