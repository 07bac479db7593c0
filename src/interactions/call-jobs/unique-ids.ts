import type { Contact } from "#src/interactions/calls/new-row.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { isRowFault, type RowFault } from "./contact.ts";
import { findExternalIds } from "./run-store.ts";

/**
 * Leaves out contacts whose externalId the job already has or that came earlier in the same list. A job dials each
 * externalId once, and the first row counts.
 */
export class UniqueIds {
  readonly #tx: Executor;
  readonly #workspaceId: string;
  readonly #jobId: string;
  readonly #others: ReadonlySet<string>;
  duplicates = 0;

  /** `others` are ids of the job that another transaction is about to store. */
  constructor(tx: Executor, workspaceId: string, jobId: string, others: ReadonlySet<string> = new Set()) {
    this.#tx = tx;
    this.#workspaceId = workspaceId;
    this.#jobId = jobId;
    this.#others = others;
  }

  /**
   * Passes on the new rows of a list that is added to a job, and counts the others, so that the whole list may be sent
   * again.
   */
  async *pass(batches: AsyncIterable<(Contact | RowFault)[]>): AsyncIterable<(Contact | RowFault)[]> {
    for await (const batch of batches) {
      const repeats = await this.#findRepeats(batch);
      this.duplicates += repeats.size;
      yield batch.filter((item) => !repeats.has(item));
    }
  }

  /** Passes on the rows of a new job's list, with a fault in place of each that repeats an externalId. */
  async *report(batches: AsyncIterable<(Contact | RowFault)[]>): AsyncIterable<(Contact | RowFault)[]> {
    for await (const batch of batches) {
      const repeats = await this.#findRepeats(batch);
      yield repeats.size === 0 ? batch : batch.map((item) => (repeats.has(item) ? toFault(item) : item));
    }
  }

  /** Returns the repeats in a batch. Rows of earlier batches are already stored, so the job's own ids include them. */
  async #findRepeats(batch: (Contact | RowFault)[]): Promise<Set<Contact | RowFault>> {
    const contacts = batch.filter((item): item is Contact => !isRowFault(item) && item.externalId !== null);
    const ids = contacts.map(({ externalId }) => externalId as string);
    const seen = ids.length > 0 ? await findExternalIds(this.#tx, this.#workspaceId, this.#jobId, ids) : new Set();
    const repeats = new Set<Contact | RowFault>();
    for (const contact of contacts) {
      if (seen.has(contact.externalId) || this.#others.has(contact.externalId as string)) repeats.add(contact);
      else seen.add(contact.externalId);
    }
    return repeats;
  }
}

/** Turns a contact whose externalId is in `seen` into a fault, as the creation of a job does; notes the others' ids. */
export function refuseRepeat(seen: Set<string>, item: Contact | RowFault): Contact | RowFault {
  if (isRowFault(item) || item.externalId === null) return item;
  if (seen.has(item.externalId)) return toFault(item);
  seen.add(item.externalId);
  return item;
}

function toFault({ line }: Contact | RowFault): RowFault {
  const message = "externalId is that of an earlier row; a job dials each once.";
  return { line: line ?? 0, column: "externalId", code: "DUPLICATE", message };
}
