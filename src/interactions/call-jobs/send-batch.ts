import { copyRows, drawIds } from "#src/interactions/calls/copy-rows.ts";
import type { Contact } from "#src/interactions/calls/new-row.ts";
import { all, awaitWithin, type Executor, sql } from "#src/platform/db/database.ts";
import type { Session } from "#src/platform/db/session.ts";
import { isRowFault, type RowFault } from "./contact.ts";
import { importContacts, type ImportTarget } from "./store-contacts.ts";
import { type CallJobRow, lockUnopenedJob, noteImported } from "./store.ts";
import { UniqueIds } from "./unique-ids.ts";

/** A connection that stores a batch of a job's file. */
interface Way {
  session: Session;
  workspaceId: string;
  job: CallJobRow;
}

/** Lines of a file, in order: those after `from`, up to `to`. */
interface Batch {
  items: (Contact | RowFault)[];
  from: number;
  to: number;
}

/** Additions of a batch to its job, known before it is stored. */
interface Sorted {
  /** Rows that the job has with it. */
  total: number;
  externalIds: ReadonlySet<string>;
}

/** A batch on its way into the database. */
export interface SentBatch {
  sorted: Promise<Sorted>;
  /** False when the job was no longer in the state in which the batch before left it: then nothing is stored. */
  isStored: Promise<boolean>;
}

/** Rolls a batch back. */
class MovedOn extends Error {}

/**
 * Stores a batch and the progress in a transaction. Its rows are copied at once, and it is stored after the batch
 * before: PostgreSQL copies two batches at a time, each over a connection of its own, and what is stored is always the
 * beginning of the file.
 */
export function sendBatch(way: Way, batch: Batch, before: SentBatch): SentBatch {
  const sorted = Promise.withResolvers<Sorted>();
  // Rows are listed by their ids, and those of the next batch may be copied first.
  const ids = drawIds(batch.items.length);
  const isStored = way.session.db
    .transaction()
    .execute((tx) => storeBatch(tx, way, { ...batch, ids }, before, sorted.resolve))
    .catch((error: unknown) => {
      if (error instanceof MovedOn) return false;
      throw error;
    });
  // The batch behind goes no further than this one, which may fail before it is sorted or before anybody waits for it.
  const settle = () => sorted.resolve({ total: 0, externalIds: new Set() });
  void isStored.then(settle, settle);
  return { sorted: sorted.promise, isStored };
}

async function storeBatch(
  tx: Executor,
  { session, workspaceId, job }: Way,
  { items, ids, from, to }: Batch & { ids: Buffer },
  before: SentBatch,
  onSorted: (sorted: Sorted) => void,
): Promise<true> {
  // A crash loses rows and progress together. The last transaction flushes them all.
  await all(tx, sql`select set_config('synchronous_commit', 'off', true), set_config('parley.names', 'later', true)`);
  const { total, externalIds } = await awaitWithin(tx, before.sorted);
  const unique = new UniqueIds(tx, workspaceId, job.id, externalIds);
  async function* sort(opened: AsyncIterable<(Contact | RowFault)[]>) {
    for await (const list of unique.report(opened)) {
      const contacts = list.filter((item): item is Contact => !isRowFault(item));
      const ofBatch = contacts.flatMap(({ externalId }) => externalId ?? []);
      onSorted({ total: total + contacts.length, externalIds: new Set(ofBatch) });
      yield list;
    }
  }
  const storeRows = copyRows.bind(null, session, workspaceId, ids);
  const list = { batches: only(items), unique: sort };
  const counts = await importContacts(tx, workspaceId, targetOf(job), list, storeRows, total);
  if (!(await awaitWithin(tx, before.isStored))) throw new MovedOn();
  const locked = await lockUnopenedJob(tx, workspaceId, job.id);
  if (locked?.imported_line !== from) throw new MovedOn();
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
    // A priority moves a row forward by up to a second: all batches count from one moment.
    startAt: job.start_at ?? job.created_at,
    callingWindow: job.calling_window,
    flowId: job.flow_id,
    flowApiId: job.flow_api_id,
  };
}
