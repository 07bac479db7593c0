import type { Database } from "#src/platform/db/database.ts";
import { ANY_JSON } from "#src/platform/http/json.ts";
import { pageOf, pageQuery, readPage } from "#src/platform/http/paging.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import {
  createRecord,
  DataRecord,
  DataRecordInput,
  LocalDateTime,
  readRecord,
  readRecords,
  removeRecord,
  writeRecord,
} from "./records.ts";

const PATH = "/api/external/v1/applications/{appId}/stores/{storeKey}";
const READ = ["DATA_STORES_READ"];
const WRITE = ["DATA_STORES_WRITE"];
const common = { audience: "external", tag: "Data store records" } as const;
const seen = Type.Object({
  ifUpdatedAt: Type.Optional({
    ...LocalDateTime,
    description: "updatedAt as the caller read it: 409 when the record was saved since. Unset: it is replaced anyway.",
  }),
});
const storeKey = Type.String({ description: "Key of the store." });
const storeParams = Type.Object({ appId: Uuid, storeKey });
const params = Type.Object({ appId: Uuid, storeKey, recordId: Uuid });

const listQuery = Type.Object({
  ...pageQuery,
  customerId: Type.Optional({ ...Uuid, description: "Only records that are linked to this customer." }),
});

/** Records of data stores; creating, listing and reading are extensions. */
export function recordRoutes(database: Database): Route[] {
  return [...libraryRoutes(database), ...oneRecordRoutes(database)];
}

function libraryRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List the records of a data store, built-in ones too (extension)",
      params: storeParams,
      query: listQuery,
      replies: { 200: pageOf(DataRecord, "DataRecordPage") },
      run: ({ caller, params: place, query: { customerId, ...paging } }) =>
        readRecords(db, caller.workspaceId, place, customerId, readPage(paging)),
    }),
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Add a record to a custom data store (extension)",
      idempotent: true,
      params: storeParams,
      body: DataRecordInput,
      exactText: ANY_JSON,
      replies: { 200: DataRecord },
      run: ({ tx, caller, params: place, bodyText }) => createRecord(tx, caller.workspaceId, place, bodyText),
    }),
  ];
}

function oneRecordRoutes({ db }: Database): Route[] {
  const path = `${PATH}/{recordId}`;
  return [
    route({
      ...common,
      method: "GET",
      path,
      access: READ,
      summary: "Read a record of a data store (extension)",
      params,
      replies: { 200: DataRecord },
      run: ({ caller, params: { recordId, ...place } }) => readRecord(db, caller.workspaceId, place, recordId),
    }),
    route({
      ...common,
      method: "PUT",
      path,
      access: WRITE,
      summary: "Replace the custom fields of a record",
      description:
        "Only records of custom stores can be changed. Send all custom fields: they replace the ones before. metadata and customerId change only where they are present.",
      idempotent: true,
      params,
      query: seen,
      body: DataRecordInput,
      exactText: ANY_JSON,
      replies: { 200: DataRecord },
      run: ({ tx, caller, params: { recordId, ...place }, query, bodyText }) =>
        writeRecord(tx, caller.workspaceId, place, recordId, bodyText, query.ifUpdatedAt),
    }),
    route({
      ...common,
      method: "DELETE",
      path,
      access: WRITE,
      summary: "Delete a record of a custom data store for good",
      params,
      replies: { 204: null },
      run: ({ caller, params: { recordId, ...place } }) => removeRecord(db, caller.workspaceId, place, recordId),
    }),
  ];
}
