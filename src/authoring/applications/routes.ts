import type { Database } from "#src/platform/db/database.ts";
import { pageOf, pageQuery, readPage, toPage } from "#src/platform/http/paging.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import {
  Application,
  ApplicationChange,
  ApplicationInput,
  changeApplication,
  createApplication,
  getApplication,
  removeApplication,
  toApplication,
} from "./applications.ts";
import { customerRoutes } from "./customer-routes.ts";
import { dataStoreRoutes } from "./data-store-routes.ts";
import { recordRoutes } from "./record-routes.ts";
import { countApplications, listApplications } from "./store.ts";

const PATH = "/api/external/v1/applications";
const READ = ["DATA_STORES_READ"];
const WRITE = ["DATA_STORES_WRITE"];
const common = { audience: "external", tag: "Applications" } as const;
const params = Type.Object({ appId: Uuid });

/** Applications, their customers and stores (extensions), and records. */
export function applicationRoutes(database: Database): Route[] {
  return [
    ...libraryRoutes(database),
    ...oneApplicationRoutes(database),
    ...customerRoutes(database),
    ...dataStoreRoutes(database),
    ...recordRoutes(database),
  ];
}

function libraryRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List applications (extension)",
      query: Type.Object(pageQuery),
      replies: { 200: pageOf(Application, "ApplicationPage") },
      async run({ caller, query }) {
        const page = readPage(query);
        const rows = await listApplications(db, caller.workspaceId, page);
        return toPage(page, rows.map(toApplication), () => countApplications(db, caller.workspaceId));
      },
    }),
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Create an application (extension)",
      description: "It comes with the built-in store of its customers. Without a key it gets one made of its name.",
      idempotent: true,
      body: ApplicationInput,
      replies: { 200: Application },
      run: ({ tx, caller, body }) => createApplication(tx, caller.workspaceId, body),
    }),
  ];
}

function oneApplicationRoutes({ db }: Database): Route[] {
  const path = `${PATH}/{appId}`;
  return [
    route({
      ...common,
      method: "GET",
      path,
      access: READ,
      summary: "Read an application (extension)",
      params,
      replies: { 200: Application },
      run: ({ caller, params: { appId } }) => getApplication(db, caller.workspaceId, appId),
    }),
    route({
      ...common,
      method: "PUT",
      path,
      access: WRITE,
      summary: "Change an application; sent fields are merged, the key stays (extension)",
      idempotent: true,
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: ApplicationChange,
      replies: { 200: Application },
      run: ({ tx, caller, params: { appId }, query, body }) =>
        changeApplication(tx, caller.workspaceId, appId, body, query.ifUpdatedAt),
    }),
    route({
      ...common,
      method: "DELETE",
      path,
      access: WRITE,
      summary: "Delete an application with its customers and stores for good (extension)",
      description: "409 while a store of it has records: delete them, or the store, first.",
      params,
      replies: { 204: null },
      run: ({ caller, params: { appId } }) =>
        db.transaction().execute((tx) => removeApplication(tx, caller.workspaceId, appId)),
    }),
  ];
}
