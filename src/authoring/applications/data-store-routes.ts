import type { Database } from "#src/platform/db/database.ts";
import { pageOf, pageQuery, readPage, toPage } from "#src/platform/http/paging.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { getApplication } from "./applications.ts";
import { countAllStores, countStores, listAllStores, listStores } from "./data-store-sql.ts";
import {
  changeStore,
  createStore,
  DataStore,
  DataStoreChange,
  DataStoreInput,
  OwnedDataStore,
  removeStore,
  toOwnedStore,
  toStore,
} from "./data-stores.ts";

const PATH = "/api/external/v1/applications/{appId}/stores";
const READ = ["DATA_STORES_READ"];
const WRITE = ["DATA_STORES_WRITE"];
const common = { audience: "external", tag: "Data stores" } as const;
const appParams = Type.Object({ appId: Uuid });
const params = Type.Object({ appId: Uuid, storeKey: Type.String({ description: "Key of the store." }) });

/** Data stores of an application; all extensions. */
export function dataStoreRoutes(database: Database): Route[] {
  return [allStoresRoute(database), ...ownStoresRoutes(database)];
}

function allStoresRoute({ db }: Database): Route {
  return route({
    ...common,
    method: "GET",
    path: "/api/external/v1/data-stores",
    access: READ,
    summary: "List the data stores of all applications (extension)",
    query: Type.Object(pageQuery),
    replies: { 200: pageOf(OwnedDataStore, "OwnedDataStorePage") },
    async run({ caller: { workspaceId }, query }) {
      const page = readPage(query);
      const rows = await listAllStores(db, workspaceId, page);
      return toPage(page, rows.map(toOwnedStore), () => countAllStores(db, workspaceId));
    },
  });
}

function ownStoresRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List the data stores of an application, built-in ones too (extension)",
      params: appParams,
      query: Type.Object(pageQuery),
      replies: { 200: pageOf(DataStore, "DataStorePage") },
      async run({ caller: { workspaceId }, params: { appId }, query }) {
        await getApplication(db, workspaceId, appId);
        const page = readPage(query);
        const rows = await listStores(db, workspaceId, appId, page);
        return toPage(page, rows.map(toStore), () => countStores(db, workspaceId, appId));
      },
    }),
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Create a custom data store (extension)",
      idempotent: true,
      params: appParams,
      body: DataStoreInput,
      replies: { 200: DataStore },
      run: ({ tx, caller, params: { appId }, body }) => createStore(tx, caller.workspaceId, appId, body),
    }),
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/{storeKey}`,
      access: WRITE,
      summary: "Change a custom data store; sent fields are merged, the key stays (extension)",
      description: "A new schema holds for what is written from then on; records that are there stay as they are.",
      idempotent: true,
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: DataStoreChange,
      replies: { 200: DataStore },
      run: ({ tx, caller, params: place, query, body }) =>
        changeStore(tx, caller.workspaceId, place, body, query.ifUpdatedAt),
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/{storeKey}`,
      access: WRITE,
      summary: "Delete a custom data store with its records for good (extension)",
      params,
      replies: { 204: null },
      run: ({ caller, params: place }) => db.transaction().execute((tx) => removeStore(tx, caller.workspaceId, place)),
    }),
  ];
}
