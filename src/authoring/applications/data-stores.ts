import { assertSchema } from "#src/authoring/structured-outputs/structured-outputs.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { anyObject, nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, type Fault } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import {
  deleteRecords,
  deleteStore,
  findStore,
  holdStore,
  insertStore,
  lockStore,
  type OpenStoreRow,
  type OwnedStoreRow,
  type StoreRow,
  updateStore,
} from "./data-store-sql.ts";
import { assertSameKey, isKey, Key } from "./key.ts";
import { RESERVED_NAMES } from "./record-text.ts";
import { holdApplication, lockApplication } from "./store.ts";

/** The built-in store of every application: its customers. */
export const CUSTOMERS_STORE = "customers";

/** Location of records: a store of an application. */
export interface StorePlace {
  appId: string;
  storeKey: string;
}

/** A place for records of one kind. */
export const DataStore = Type.Object(
  {
    id: Uuid,
    key: Type.String({ description: "Names it in paths; unique in the application; fixed." }),
    name: Type.String(),
    kind: oneOf(["BUILT_IN", "CUSTOM"], "BUILT_IN: kept by the service, read-only through the record endpoints."),
    schema: nullable(anyObject("JSON Schema 2020-12 that the custom fields of its records must fit.")),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "DataStore" },
);
export type DataStore = Static<typeof DataStore>;

/** A store in the list of all of them. */
export const OwnedDataStore = Type.Object(
  { ...DataStore.properties, application: Type.Object({ id: Uuid, name: Type.String() }) },
  { $id: "OwnedDataStore" },
);

/** A store with the application that it belongs to, as the API shows it. */
export function toOwnedStore(row: OwnedStoreRow): Static<typeof OwnedDataStore> {
  return { ...toStore(row), application: { id: row.application_id, name: row.application_name } };
}

/** Request body of a store's creation or change. Server-owned fields are ignored. */
export const DataStoreInput = Type.Object(
  {
    key: Key,
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: "Default: the key." })),
    schema: Type.Optional(nullable(anyObject("JSON Schema 2020-12 of type object; null: records hold any fields."))),
  },
  { $id: "DataStoreInput" },
);
export type DataStoreInput = Static<typeof DataStoreInput>;

/** Request body of a store's change: the fields that change. */
export const DataStoreChange = Type.Partial(DataStoreInput, { $id: "DataStoreChange" });
export type DataStoreChange = Static<typeof DataStoreChange>;

/** Makes the built-in stores of a new application. */
export async function addBuiltInStores(tx: Executor, workspaceId: string, appId: string): Promise<void> {
  const store = { id: uuidv7(), key: CUSTOMERS_STORE, name: "Customers", kind: "BUILT_IN", schema: null } as const;
  await insertStore(tx, workspaceId, appId, store);
}

/** Makes a custom store; 409 when the application has a store of that key. */
export async function createStore(
  tx: Executor,
  workspaceId: string,
  appId: string,
  { key, name, schema = null }: DataStoreInput,
): Promise<DataStore> {
  if (!(await holdApplication(tx, workspaceId, appId))) throw new AppError("NOT_FOUND");
  assertStoreSchema(schema);
  const store = { id: uuidv7(), key, name: name ?? key, kind: "CUSTOM", schema } as const;
  const row = await insertStore(tx, workspaceId, appId, store);
  if (!row) throw new AppError("CONFLICT", `key ${key} is taken by another store of this application.`);
  return toStore(row);
}

/** Merges the fields that are sent into a custom store. A new schema applies to later writes only. */
export async function changeStore(
  tx: Executor,
  workspaceId: string,
  { appId, storeKey }: StorePlace,
  input: DataStoreChange,
  ifUpdatedAt?: string,
): Promise<DataStore> {
  const row = isKey(storeKey) ? await lockStore(tx, workspaceId, appId, storeKey) : undefined;
  assertCustom(row);
  assertUnchanged(row.updated_at, ifUpdatedAt);
  assertSameKey(row.key, input.key);
  const schema = input.schema === undefined ? row.schema : input.schema;
  assertStoreSchema(schema);
  return toStore(await updateStore(tx, workspaceId, appId, row.key, { name: input.name ?? row.name, schema }));
}

/**
 * Deletes a custom store for good with its records. Those go before the application is locked: a million of them take
 * seconds, for which everything else that changes the application would wait.
 */
export async function removeStore(tx: Executor, workspaceId: string, place: StorePlace): Promise<void> {
  assertCustom(await openStore(tx, workspaceId, place));
  await deleteRecords(tx, workspaceId, place);
  await lockApplication(tx, workspaceId, place.appId);
  const store = await openStore(tx, workspaceId, place);
  assertCustom(store);
  await deleteStore(tx, workspaceId, place.appId, store.key);
}

/** Returns a store to read from; 404 when the application or the store does not exist. */
export async function openStore(
  db: Executor,
  workspaceId: string,
  { appId, storeKey }: StorePlace,
): Promise<OpenStoreRow> {
  const row = isKey(storeKey) ? await findStore(db, workspaceId, appId, storeKey) : undefined;
  if (!row) throw new AppError("NOT_FOUND");
  return row;
}

/** Returns a store to write to, locked against deletion until the transaction ends; 403 when it is built in. */
export async function openCustomStore(
  tx: Executor,
  workspaceId: string,
  { appId, storeKey }: StorePlace,
): Promise<OpenStoreRow> {
  const row = isKey(storeKey) ? await holdStore(tx, workspaceId, appId, storeKey) : undefined;
  assertCustom(row);
  return row;
}

/** Answers 404 for a store that does not exist, 403 for a built-in one. */
export function assertCustom<Row extends StoreRow>(row: Row | undefined): asserts row is Row {
  if (!row) throw new AppError("NOT_FOUND");
  if (row.kind === "CUSTOM") return;
  throw new AppError(
    "FORBIDDEN",
    `The built-in store ${row.key} is read-only here; only custom stores can be changed.`,
  );
}

/** The store as the API shows it. */
export function toStore(row: StoreRow): DataStore {
  return {
    id: row.id,
    key: row.key,
    name: row.name,
    kind: row.kind,
    schema: row.schema,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** Refuses a schema with a reserved name: it describes custom fields only, so no record could satisfy it. */
function assertStoreSchema(schema: Record<string, unknown> | null): void {
  if (schema === null) return;
  assertSchema(schema, "schema");
  const { properties = {}, required = [] } = schema as { properties?: object; required?: string[] };
  const faults = RESERVED_NAMES.flatMap((name): Fault[] => {
    const message = `${name} is a reserved name of every record, not a custom field.`;
    return [
      ...(Object.hasOwn(properties, name) ? [{ path: `schema.properties.${name}`, code: "RESERVED", message }] : []),
      ...(required.includes(name) ? [{ path: "schema.required", code: "RESERVED", message }] : []),
    ];
  });
  if (faults.length > 0) throw new AppError("VALIDATION_FAILED", faults[0]?.message, faults);
}
