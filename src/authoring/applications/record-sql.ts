import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, isAfter, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import type { StorePlace } from "./data-stores.ts";
import type { RecordWrite, StoredRecord } from "./record-text.ts";

const within = (workspaceId: string, { appId, storeKey }: StorePlace) =>
  sql`workspace_id = ${workspaceId} and application_id = ${appId} and store_key = ${storeKey}`;

/** Stores a new record. */
export async function insertRecord(
  tx: Executor,
  workspaceId: string,
  { appId, storeKey }: StorePlace,
  id: string,
  { fields, metadata = null, customerId = null }: RecordWrite,
): Promise<StoredRecord> {
  const rows = await all<StoredRecord>(
    tx,
    sql`insert into data_records (workspace_id, application_id, store_key, id, fields, metadata, customer_id)
        values (${workspaceId}, ${appId}, ${storeKey}, ${id}, ${fields}, ${metadata}, ${customerId}) returning *`,
  );
  return rows[0] as StoredRecord;
}

/** One record. */
export function findRecord(
  db: Executor,
  workspaceId: string,
  place: StorePlace,
  id: string,
): Promise<StoredRecord | undefined> {
  return first(db, sql`select * from data_records where ${within(workspaceId, place)} and id = ${id}`);
}

/** One record, locked for the change that follows. */
export function lockRecord(
  tx: Executor,
  workspaceId: string,
  place: StorePlace,
  id: string,
): Promise<StoredRecord | undefined> {
  return first(tx, sql`select * from data_records where ${within(workspaceId, place)} and id = ${id} for update`);
}

/** Replaces the custom fields, and metadata and link where they were sent; undefined when there is no such record. */
export function updateRecord(
  tx: Executor,
  workspaceId: string,
  place: StorePlace,
  id: string,
  { fields, metadata, customerId }: RecordWrite,
): Promise<StoredRecord | undefined> {
  const changes = [sql`fields = ${fields}, updated_at = now()`];
  if (metadata !== undefined) changes.push(sql`metadata = ${metadata}`);
  if (customerId !== undefined) changes.push(sql`customer_id = ${customerId}`);
  return first(
    tx,
    sql`update data_records set ${sql.join(changes)} where ${within(workspaceId, place)} and id = ${id} returning *`,
  );
}

/** True when any store of an application has a record. */
export async function hasRecords(db: Executor, workspaceId: string, appId: string): Promise<boolean> {
  const row = await first(
    db,
    sql`select 1 as found from data_records where workspace_id = ${workspaceId} and application_id = ${appId} limit 1`,
  );
  return row !== undefined;
}

/** Deletes a record; false when there is none. */
export async function deleteRecord(db: Executor, workspaceId: string, place: StorePlace, id: string): Promise<boolean> {
  const rows = await all(
    db,
    sql`delete from data_records where ${within(workspaceId, place)} and id = ${id} returning id`,
  );
  return rows.length > 0;
}

function matching(workspaceId: string, place: StorePlace, customerId: string | undefined) {
  const linked = customerId === undefined ? sql`` : sql` and customer_id = ${customerId}`;
  return sql`${within(workspaceId, place)}${linked}`;
}

/** A page of a store's records, oldest first, with one row more than asked for. */
export function listRecords(
  db: Executor,
  workspaceId: string,
  place: StorePlace,
  customerId: string | undefined,
  page: PageRequest,
): Promise<StoredRecord[]> {
  return all(
    db,
    sql`select * from data_records where ${matching(workspaceId, place, customerId)} and ${isAfter(page)}
        order by id ${limitTo(page)}`,
  );
}

/** Counts the records of a store, of one customer where one is named. */
export function countRecords(
  db: Executor,
  workspaceId: string,
  place: StorePlace,
  customerId: string | undefined,
): Promise<number> {
  return countOf(db, sql`data_records where ${matching(workspaceId, place, customerId)}`);
}
