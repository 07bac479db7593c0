import type { Executor } from "#src/platform/db/database.ts";
import { DELIVERIES_WRITE, WORKSPACE_PATH, WORKSPACE_READ } from "#src/platform/http/console-access.ts";
import { pageQuery, readPage } from "#src/platform/http/paging.ts";
import { Reply, type Route, route } from "#src/platform/http/route.ts";
import { anyValue, Type, Uuid } from "#src/platform/http/schemas.ts";
import {
  changeInspector,
  clearInspected,
  getInspected,
  getInspector,
  InspectedPage,
  INSPECTOR_PATH,
  InspectorChange,
  takeArrival,
  WebhookInspector,
} from "./webhook-inspector.ts";

const PATH = `${WORKSPACE_PATH}/webhook-inspector`;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const MAX_BODY_BYTES = 256 * 1024;
const common = { audience: "console", tag: "Webhook inspector", params: Type.Object({ workspaceId: Uuid }) } as const;

/** Returns the dashboard's routes of the inspector. */
export function inspectorRoutes(db: Executor, publicUrl: string): Route[] {
  return [
    route({
      ...common,
      access: [WORKSPACE_READ],
      method: "GET",
      path: PATH,
      summary: "Read the address that shows what arrives",
      replies: { 200: WebhookInspector },
      run: ({ caller }) => getInspector(db, publicUrl, caller.workspaceId),
    }),
    route({
      ...common,
      access: [DELIVERIES_WRITE],
      method: "PATCH",
      path: PATH,
      summary: "Let the next requests fail, or change the address",
      body: InspectorChange,
      replies: { 200: WebhookInspector },
      run: ({ caller, body }) =>
        db.transaction().execute((tx) => changeInspector(tx, publicUrl, caller.workspaceId, body)),
    }),
    route({
      ...common,
      access: [WORKSPACE_READ],
      method: "GET",
      path: `${PATH}/requests`,
      summary: "List what arrived, newest first",
      query: Type.Object(pageQuery),
      replies: { 200: InspectedPage },
      run: ({ caller, query }) => getInspected(db, caller.workspaceId, readPage(query)),
    }),
    route({
      ...common,
      access: [DELIVERIES_WRITE],
      method: "DELETE",
      path: `${PATH}/requests`,
      summary: "Forget what arrived",
      replies: { 204: null },
      run: ({ caller }) => clearInspected(db, caller.workspaceId),
    }),
  ];
}

/** Returns the API's route of the inspector's address, a webhook's target for those who have none of their own. */
export function inspectorAddressRoute(db: Executor, publicUrl: string): Route {
  return route({
    audience: "external",
    // Whoever may make a webhook needs a target.
    access: ["FLOWS_WRITE"],
    tag: "Session webhooks",
    method: "GET",
    path: "/api/external/v1/webhook-inspector/address",
    summary: "Read the address of the workspace's webhook inspector (extension)",
    replies: { 200: WebhookInspector },
    run: ({ caller }) => getInspector(db, publicUrl, caller.workspaceId),
  });
}

/**
 * Returns the routes at which requests arrive. The token in the path keeps others out, so no credential is required.
 */
export function arrivalRoutes(db: Executor): Route[] {
  return METHODS.map((method) =>
    route({
      audience: "public",
      access: "PUBLIC",
      tag: "Webhook inspector",
      method,
      path: `${INSPECTOR_PATH}/{workspaceId}/{token}`,
      summary: `Take a ${method} request to look at`,
      params: Type.Object({ workspaceId: Uuid, token: Type.String({ maxLength: 100 }) }),
      bodyKind: "ANY",
      bodyLimit: MAX_BODY_BYTES,
      replies: { 200: anyValue("Or the status that it was told to answer.") },
      async run({ params: { workspaceId, token }, url, headers, bytes, address }) {
        const [, query = ""] = url.split(/(?=\?)/s);
        const arrival = { method, target: query, headers, bytes, address };
        const status = await db.transaction().execute((tx) => takeArrival(tx, workspaceId, token, arrival));
        return new Reply(status, { received: status === 200 });
      },
    }),
  );
}
