import type { Database } from "#src/platform/db/database.ts";
import { pageOf, pageQuery, readPage, toPage } from "#src/platform/http/paging.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { E164, Type, Uuid } from "#src/platform/http/schemas.ts";
import { getApplication } from "./applications.ts";
import { countCustomers, listCustomers } from "./customer-sql.ts";
import {
  changeCustomer,
  createCustomer,
  Customer,
  CustomerInput,
  getCustomer,
  removeCustomer,
  toCustomer,
} from "./customers.ts";

const PATH = "/api/external/v1/applications/{appId}/customers";
const READ = ["DATA_STORES_READ"];
const WRITE = ["DATA_STORES_WRITE"];
const common = { audience: "external", tag: "Application customers" } as const;
const appParams = Type.Object({ appId: Uuid });
const params = Type.Object({ appId: Uuid, customerId: Uuid });

const listQuery = Type.Object({
  ...pageQuery,
  phone: Type.Optional(E164),
  externalId: Type.Optional(
    Type.String({ maxLength: 200, pattern: "^[^\\u0000]*$", description: "Your own id of the customer, whole." }),
  ),
});

/** Customers of an application; all extensions. */
export function customerRoutes(database: Database): Route[] {
  return [...libraryRoutes(database), ...oneCustomerRoutes(database)];
}

function libraryRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List the customers of an application (extension)",
      params: appParams,
      query: listQuery,
      replies: { 200: pageOf(Customer, "ApplicationCustomerPage") },
      async run({ caller: { workspaceId }, params: { appId }, query: { phone, externalId, ...paging } }) {
        await getApplication(db, workspaceId, appId);
        const page = readPage(paging);
        const filter = { phone, externalId };
        const rows = await listCustomers(db, workspaceId, appId, filter, page);
        return toPage(page, rows.map(toCustomer), () => countCustomers(db, workspaceId, appId, filter));
      },
    }),
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Add a customer to an application (extension)",
      description: "Required: name, email, phone or externalId.",
      idempotent: true,
      params: appParams,
      body: CustomerInput,
      replies: { 200: Customer },
      run: ({ tx, caller, params: { appId }, body, bodyText }) =>
        createCustomer(tx, caller.workspaceId, appId, body, bodyText),
    }),
  ];
}

function oneCustomerRoutes({ db }: Database): Route[] {
  const path = `${PATH}/{customerId}`;
  return [
    route({
      ...common,
      method: "GET",
      path,
      access: READ,
      summary: "Read a customer of an application (extension)",
      params,
      replies: { 200: Customer },
      run: ({ caller, params: { appId, customerId } }) => getCustomer(db, caller.workspaceId, appId, customerId),
    }),
    route({
      ...common,
      method: "PUT",
      path,
      access: WRITE,
      summary: "Change a customer of an application; sent fields are merged (extension)",
      idempotent: true,
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: CustomerInput,
      replies: { 200: Customer },
      run: ({ tx, caller, params: place, query, body, bodyText }) =>
        changeCustomer(tx, caller.workspaceId, place, body, bodyText, query.ifUpdatedAt),
    }),
    route({
      ...common,
      method: "DELETE",
      path,
      access: WRITE,
      summary: "Delete a customer of an application for good; its records stay, without the link (extension)",
      params,
      replies: { 204: null },
      run: ({ caller, params: { appId, customerId } }) =>
        db.transaction().execute((tx) => removeCustomer(tx, caller.workspaceId, appId, customerId)),
    }),
  ];
}
