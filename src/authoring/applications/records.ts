import { findMisfits } from "#src/authoring/structured-outputs/schema-check.ts";
import type { Executor } from "#src/platform/db/database.ts";
import type { PageRequest } from "#src/platform/db/paged-lists.ts";
import type { RawJson } from "#src/platform/http/json.ts";
import { type Page, toPage } from "#src/platform/http/paging.ts";
import { staleError } from "#src/platform/http/precondition.ts";
import { anyObject, nullable, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { countCustomers, type CustomerRow, findCustomer, holdCustomer, listCustomers } from "./customer-sql.ts";
import type { OpenStoreRow } from "./data-store-sql.ts";
import { assertCustom, openCustomStore, openStore, type StorePlace } from "./data-stores.ts";
import { toLocalTime } from "./local-time.ts";
import {
  countRecords,
  deleteRecord,
  findRecord,
  insertRecord,
  listRecords,
  lockRecord,
  updateRecord,
} from "./record-sql.ts";
import { readRecordText, type RecordWrite, type StoredRecord, toRecordJson } from "./record-text.ts";

/** Time of a record's change in the workspace's time zone. */
export const LocalDateTime = Type.String({
  pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}$",
  description: "Local date-time in the workspace's time zone, without offset, such as 2026-11-21T08:15:30.123.",
});

/** A record as it is read: custom fields beside the service's own. */
export const DataRecord = Type.Object(
  {
    id: Uuid,
    metadata: nullable(anyObject("As it was sent.")),
    customerId: nullable(Type.String({ description: "Customer of the application that it is linked to." })),
    createdAt: LocalDateTime,
    updatedAt: LocalDateTime,
  },
  { $id: "DataRecord", additionalProperties: true, description: "Custom fields, exactly as sent, and these." },
);

/** Request body of a record: custom fields, and optionally these two. */
export const DataRecordInput = Type.Object(
  {
    metadata: Type.Optional(nullable(anyObject("Present: replaces the metadata; null clears it. Absent: it stays."))),
    customerId: Type.Optional(nullable({ ...Uuid, description: "Present: relinks; null unlinks. Absent: stays." })),
  },
  {
    $id: "DataRecordInput",
    additionalProperties: true,
    description:
      "The custom fields, all of them. id, createdAt and updatedAt are ignored, so a record that was read may be sent back.",
  },
);

/** One record as its flat JSON; 404 when there is no such application, store or record. */
export async function readRecord(db: Executor, workspaceId: string, place: StorePlace, id: string): Promise<RawJson> {
  const store = await openStore(db, workspaceId, place);
  const row =
    store.kind === "CUSTOM"
      ? await findRecord(db, workspaceId, place, id)
      : toStored(await findCustomer(db, workspaceId, place.appId, id));
  if (!row) throw new AppError("NOT_FOUND");
  return toRecordJson(row, store.time_zone);
}

/** A page of a store's records, oldest first; of one customer where `customerId` is given. */
export async function readRecords(
  db: Executor,
  workspaceId: string,
  place: StorePlace,
  customerId: string | undefined,
  page: PageRequest,
): Promise<Omit<Page<never>, "content"> & { content: RawJson[] }> {
  const store = await openStore(db, workspaceId, place);
  const { rows, total } =
    store.kind === "CUSTOM"
      ? {
          rows: await listRecords(db, workspaceId, place, customerId, page),
          total: () => countRecords(db, workspaceId, place, customerId),
        }
      : await listAsRecords(db, workspaceId, place.appId, customerId, page);
  const { content, ...rest } = await toPage(page, rows, total);
  return { ...rest, content: content.map((row) => toRecordJson(row, store.time_zone)) };
}

/** Adds a record to a custom store. `text` is its flat JSON. */
export async function createRecord(
  tx: Executor,
  workspaceId: string,
  place: StorePlace,
  text: string,
): Promise<RawJson> {
  const store = await openCustomStore(tx, workspaceId, place);
  const write = readRecordText(text);
  const isThere = await holdLinked(tx, workspaceId, place, write);
  assertWrite(store, write, isThere);
  return toRecordJson(await insertRecord(tx, workspaceId, place, uuidv7(), write), store.time_zone);
}

/**
 * Replaces the custom fields of a record. Metadata and customer link change only where `text`, its flat JSON, holds
 * them. 404 when there is no such record; none is created.
 */
export async function writeRecord(
  tx: Executor,
  workspaceId: string,
  place: StorePlace,
  id: string,
  text: string,
  ifUpdatedAt?: string,
): Promise<RawJson> {
  const store = await openCustomStore(tx, workspaceId, place);
  const write = readRecordText(text);
  // First the customer, then the record: in this order the deletion of a customer locks them, too.
  const isThere = await holdLinked(tx, workspaceId, place, write);
  const before = await lockRecord(tx, workspaceId, place, id);
  if (!before) throw new AppError("NOT_FOUND");
  assertUnchanged(toLocalTime(before.updated_at, store.time_zone), ifUpdatedAt);
  assertWrite(store, write, isThere);
  const row = await updateRecord(tx, workspaceId, place, id, write);
  if (!row) throw new AppError("NOT_FOUND");
  return toRecordJson(row, store.time_zone);
}

/** Deletes a record for good; 404 when there is none, 403 in a built-in store. */
export async function removeRecord(db: Executor, workspaceId: string, place: StorePlace, id: string): Promise<void> {
  assertCustom(await openStore(db, workspaceId, place));
  if (!(await deleteRecord(db, workspaceId, place, id))) throw new AppError("NOT_FOUND");
}

/** Compares times as texts, since a record shows them without a zone. */
function assertUnchanged(updatedAt: string, ifUpdatedAt: string | undefined): void {
  if (ifUpdatedAt !== undefined && ifUpdatedAt !== updatedAt) {
    throw staleError(`The record was saved at ${updatedAt}, after what this change is based on.`);
  }
}

/** Locks the customer that a record shall be linked to against deletion; false when there is none. */
async function holdLinked(
  tx: Executor,
  workspaceId: string,
  { appId }: StorePlace,
  { customerId }: RecordWrite,
): Promise<boolean> {
  return !customerId || holdCustomer(tx, workspaceId, appId, customerId);
}

function assertWrite({ schema }: OpenStoreRow, { values, customerId }: RecordWrite, isThere: boolean): void {
  const faults = schema === null ? [] : findMisfits(schema, values);
  if (faults.length > 0) {
    throw new AppError("VALIDATION_FAILED", `${faults[0]?.path || "The record"} ${faults[0]?.message}`, faults);
  }
  if (!isThere) throw new AppError("NOT_FOUND", `Customer ${customerId} does not exist in this application.`);
}

async function listAsRecords(
  db: Executor,
  workspaceId: string,
  appId: string,
  customerId: string | undefined,
  page: PageRequest,
): Promise<{ rows: StoredRecord[]; total: number }> {
  const filter = { id: customerId };
  const customers = await listCustomers(db, workspaceId, appId, filter, page);
  const total = await countCustomers(db, workspaceId, appId, filter);
  return { rows: customers.map((row) => toStored(row)), total };
}

/** A customer in the shape of a record of the built-in store. */
function toStored(row: CustomerRow): StoredRecord;
function toStored(row: CustomerRow | undefined): StoredRecord | undefined;
function toStored(row: CustomerRow | undefined): StoredRecord | undefined {
  if (!row) return undefined;
  const { id, name, email, phone, external_id: externalId, created_at, updated_at } = row;
  const known = JSON.stringify({ name, email, phone, externalId });
  const fields = `${known.slice(0, -1)},"fields":${row.fields}}`;
  return { id, fields, metadata: null, customer_id: id, created_at, updated_at };
}
