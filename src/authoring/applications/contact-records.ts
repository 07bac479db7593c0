import { all, type Executor, first, lockName, sql } from "#src/platform/db/database.ts";
import { rawMembers } from "#src/platform/http/json.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import { findByPhone } from "./customer-sql.ts";
import { createCustomer } from "./customers.ts";
import { lockRecord } from "./record-sql.ts";
import { createRecord, readRecord, readRecords, writeRecord } from "./records.ts";

const MAX_RECORDS = 20;
const PAGE = { page: 0, size: MAX_RECORDS, after: undefined };

/** A record of a contact, as a session writes it. */
export interface ContactRecord {
  storeKey: string;
  /** Null: a new one. */
  recordId: string | null;
  fields: Record<string, unknown>;
}

/**
 * Returns the records in a data store that belong to the person with this number, or one of them, as JSON text. Records
 * linked to nobody or to somebody else are left out. When several applications have a store with this key, the oldest
 * application's counts. 404 for a record or store that does not exist.
 */
export async function readContactRecords(
  db: Executor,
  workspaceId: string,
  storeKey: string,
  phone: string,
  recordId: string | null,
): Promise<string> {
  const place = await findPlace(db, workspaceId, storeKey);
  const customer = await findByPhone(db, workspaceId, place.appId, phone);
  if (!customer) return "[]";
  if (recordId !== null) {
    await assertOwn(db, workspaceId, place, recordId, customer.id);
    return (await readRecord(db, workspaceId, place, recordId)).text;
  }
  const { content } = await readRecords(db, workspaceId, place, customer.id, PAGE);
  return `[${content.map(({ text }) => text).join(",")}]`;
}

/**
 * Writes fields of a record of the person with this number; other fields stay. A new record is linked to the person,
 * who becomes a customer of the application if they are none yet.
 */
export async function writeContactRecord(
  tx: Executor,
  workspaceId: string,
  phone: string,
  { storeKey, recordId, fields }: ContactRecord,
): Promise<string> {
  const place = await findPlace(tx, workspaceId, storeKey);
  const customerId = await takeCustomer(tx, workspaceId, place.appId, phone);
  if (recordId === null) {
    return (await createRecord(tx, workspaceId, place, JSON.stringify({ ...fields, customerId }))).text;
  }
  await assertOwn(tx, workspaceId, place, recordId, customerId);
  // Locked before it is read: what another session writes meanwhile stays, too.
  await lockRecord(tx, workspaceId, place, recordId);
  const stored = rawMembers((await readRecord(tx, workspaceId, place, recordId)).text);
  for (const [name, value] of Object.entries(fields)) stored.set(name, JSON.stringify(value));
  // A conversation may not change the link or the metadata.
  for (const name of ["customerId", "metadata"]) stored.delete(name);
  const text = `{${[...stored].map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`;
  return (await writeRecord(tx, workspaceId, place, recordId, text)).text;
}

/** Returns the id of the person's customer, who is made once however many conversations write about them at once. */
async function takeCustomer(tx: Executor, workspaceId: string, appId: string, phone: string): Promise<string> {
  const known = await findByPhone(tx, workspaceId, appId, phone);
  if (known) return known.id;
  await lockName(tx, workspaceId, appId, phone);
  const made = await findByPhone(tx, workspaceId, appId, phone);
  return made?.id ?? (await createCustomer(tx, workspaceId, appId, { phone })).id;
}

async function findPlace(db: Executor, workspaceId: string, storeKey: string) {
  const row = await first<{ application_id: string }>(
    db,
    sql`select application_id from data_stores where workspace_id = ${workspaceId} and key = ${storeKey}
        order by application_id limit 1`,
  );
  if (!row) throw new AppError("NOT_FOUND", "This data store does not exist any more.");
  return { appId: row.application_id, storeKey };
}

async function assertOwn(
  db: Executor,
  workspaceId: string,
  { appId, storeKey }: { appId: string; storeKey: string },
  recordId: string,
  customerId: string,
): Promise<void> {
  const found =
    isUuid(recordId) &&
    (recordId === customerId ||
      (await all(
        db,
        sql`select 1 from data_records where workspace_id = ${workspaceId} and application_id = ${appId}
              and store_key = ${storeKey} and id = ${recordId} and customer_id = ${customerId}`,
      ).then((rows) => rows.length > 0)));
  if (!found) throw new AppError("NOT_FOUND", "The person has no such record.");
}
