import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { deleteInBites } from "#src/platform/db/delete-in-bites.ts";
import { countOf, isAfter, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";

export interface StoreRow {
  id: string;
  key: string;
  name: string;
  kind: "BUILT_IN" | "CUSTOM";
  schema: Record<string, unknown> | null;
  created_at: Date;
  updated_at: Date;
}

/** A store as its records are read and written: with the time zone of their times. */
export type OpenStoreRow = StoreRow & { time_zone: string };

/** Stores a new data store; undefined when its key is taken. */
export function insertStore(
  tx: Executor,
  workspaceId: string,
  appId: string,
  { id, key, name, kind, schema }: Omit<StoreRow, "created_at" | "updated_at">,
): Promise<StoreRow | undefined> {
  const schemaText = schema === null ? null : JSON.stringify(schema);
  return first(
    tx,
    sql`insert into data_stores (workspace_id, application_id, key, id, name, kind, schema)
        values (${workspaceId}, ${appId}, ${key}, ${id}, ${name}, ${kind}, ${schemaText})
        on conflict (workspace_id, application_id, key) do nothing returning *`,
  );
}

const openStore = (workspaceId: string, appId: string, key: string) =>
  sql`select s.*, w.time_zone
      from applications a
      join data_stores s on s.workspace_id = a.workspace_id and s.application_id = a.id
      join workspaces w on w.id = a.workspace_id
      where a.workspace_id = ${workspaceId} and a.id = ${appId} and s.key = ${key}`;

/** One store. */
export function findStore(
  db: Executor,
  workspaceId: string,
  appId: string,
  key: string,
): Promise<OpenStoreRow | undefined> {
  return first(db, openStore(workspaceId, appId, key));
}

/** Returns one store, and locks it and its application against deletion until this transaction ends. */
export function holdStore(
  tx: Executor,
  workspaceId: string,
  appId: string,
  key: string,
): Promise<OpenStoreRow | undefined> {
  return first(tx, sql`${openStore(workspaceId, appId, key)} for key share of a, s`);
}

/** One store, locked for the change that follows; records may still be written meanwhile. */
export function lockStore(
  tx: Executor,
  workspaceId: string,
  appId: string,
  key: string,
): Promise<StoreRow | undefined> {
  return first(
    tx,
    sql`select * from data_stores
        where workspace_id = ${workspaceId} and application_id = ${appId} and key = ${key} for no key update`,
  );
}

/** Writes a changed store. */
export async function updateStore(
  tx: Executor,
  workspaceId: string,
  appId: string,
  key: string,
  { name, schema }: Pick<StoreRow, "name" | "schema">,
): Promise<StoreRow> {
  const schemaText = schema === null ? null : JSON.stringify(schema);
  const rows = await all<StoreRow>(
    tx,
    sql`update data_stores set name = ${name}, schema = ${schemaText}, updated_at = now()
        where workspace_id = ${workspaceId} and application_id = ${appId} and key = ${key} returning *`,
  );
  return rows[0] as StoreRow;
}

/** Records that one statement deletes. */
const BITE = 10_000;

/** Deletes the records of a store that are there. */
export async function deleteRecords(
  tx: Executor,
  workspaceId: string,
  { appId, storeKey }: { appId: string; storeKey: string },
): Promise<void> {
  const ofStore = sql`workspace_id = ${workspaceId} and application_id = ${appId} and store_key = ${storeKey}`;
  await deleteInBites(BITE, (after) =>
    all(
      tx,
      sql`delete from data_records where ${ofStore} and id = any (array(
            select id from data_records where ${ofStore} and id > ${after} order by id limit ${BITE}))
          returning id`,
    ),
  );
}

/** Deletes a store with the records that are left. */
export async function deleteStore(tx: Executor, workspaceId: string, appId: string, key: string): Promise<void> {
  await all(
    tx,
    sql`delete from data_stores where workspace_id = ${workspaceId} and application_id = ${appId} and key = ${key}`,
  );
}

/** A page of an application's stores, oldest first, with one row more than asked for. */
export function listStores(db: Executor, workspaceId: string, appId: string, page: PageRequest): Promise<StoreRow[]> {
  return all(
    db,
    sql`select * from data_stores where workspace_id = ${workspaceId} and application_id = ${appId} and ${isAfter(page)}
        order by id ${limitTo(page)}`,
  );
}

/** Counts the stores of an application. */
export function countStores(db: Executor, workspaceId: string, appId: string): Promise<number> {
  return countOf(db, sql`data_stores where workspace_id = ${workspaceId} and application_id = ${appId}`);
}

/** A store with the application that it belongs to. */
export type OwnedStoreRow = StoreRow & { application_id: string; application_name: string };

/** A page of the stores of all applications, with one row more than asked for. */
export function listAllStores(db: Executor, workspaceId: string, page: PageRequest): Promise<OwnedStoreRow[]> {
  return all(
    db,
    sql`select s.*, a.name as application_name from data_stores s
          join applications a on a.workspace_id = s.workspace_id and a.id = s.application_id
        where s.workspace_id = ${workspaceId} and ${isAfter(page, "s.id")}
        order by s.id ${limitTo(page)}`,
  );
}

/** Counts the stores of a workspace. */
export function countAllStores(db: Executor, workspaceId: string): Promise<number> {
  return countOf(db, sql`data_stores where workspace_id = ${workspaceId}`);
}
