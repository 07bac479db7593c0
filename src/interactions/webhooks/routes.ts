import type { Database } from "#src/platform/db/database.ts";
import { pageOf, pageQuery, readPage } from "#src/platform/http/paging.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import {
  changeSubscription,
  createSubscription,
  getSubscription,
  getSubscriptions,
  removeSubscription,
  SessionWebhook,
  SessionWebhookChange,
  SessionWebhookInput,
  type SubscriptionParts,
} from "./subscriptions.ts";
import { type EventKinds, getWebhookEvents, WebhookEvents, WebhookEventsQuery } from "./webhook-events.ts";

const PATH = "/api/external/v1/session-webhooks";
const READ = ["FLOWS_READ"];
const WRITE = ["FLOWS_WRITE"];
const common = { audience: "external", tag: "Session webhooks" } as const;
const params = Type.Object({ id: Uuid });

/** Routes of flow-session webhooks, global or of one flow, and of the events for all webhooks. */
export function sessionWebhookRoutes({ db }: Database, parts: SubscriptionParts & { publicUrl: string }): Route[] {
  return [...readingRoutes({ db }, parts), ...writingRoutes({ db }, parts), eventsRoute({ db }, parts.publicUrl)];
}

function eventsRoute({ db }: Pick<Database, "db">, publicUrl: string): Route {
  return route({
    ...common,
    method: "GET",
    path: "/api/external/v1/webhook-events",
    // Whoever may make a webhook may read what it would be sent.
    access: WRITE,
    summary: "List the events for the workspace's webhooks, oldest first, as they come (extension)",
    description:
      "Events for session webhooks, and with CALL_JOBS_READ for jobs' completion webhooks, delivered or not. Without after it begins now; ask again with the cursor of each answer to get every event once.",
    query: WebhookEventsQuery,
    replies: { 200: WebhookEvents },
    run({ caller, query, isAbandoned }) {
      const { workspaceId, permissions } = caller;
      const kinds: EventKinds = permissions.has("CALL_JOBS_READ")
        ? ["session.event", "call_job.completed"]
        : ["session.event"];
      return getWebhookEvents(db, publicUrl, { workspaceId, kinds }, query, isAbandoned);
    },
  });
}

function readingRoutes({ db }: Pick<Database, "db">, parts: SubscriptionParts): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List session webhooks (extension)",
      query: Type.Object({ ...pageQuery, flowId: Type.Optional(Uuid) }),
      replies: { 200: pageOf(SessionWebhook, "SessionWebhookPage") },
      run: ({ caller, query }) => getSubscriptions(parts, db, caller.workspaceId, readPage(query), query.flowId),
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{id}`,
      access: READ,
      summary: "Read a session webhook (extension)",
      params,
      replies: { 200: SessionWebhook },
      run: ({ caller, params: { id } }) => getSubscription(parts, db, caller.workspaceId, id),
    }),
  ];
}

function writingRoutes({ db }: Pick<Database, "db">, parts: SubscriptionParts): Route[] {
  return [
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Create a session webhook (extension)",
      description: "The reply shows signingSecret, which is never shown again.",
      idempotent: true,
      showsSecret: true,
      body: SessionWebhookInput,
      replies: { 200: SessionWebhook },
      run: ({ tx, caller, body }) => createSubscription(parts, tx, caller.workspaceId, body),
    }),
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/{id}`,
      access: WRITE,
      summary: "Change a session webhook; sent fields are merged (extension)",
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: SessionWebhookChange,
      replies: { 200: SessionWebhook },
      run: ({ caller, params: { id }, query: { ifUpdatedAt }, body }) =>
        db.transaction().execute((tx) => changeSubscription(parts, tx, caller.workspaceId, id, body, ifUpdatedAt)),
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/{id}`,
      access: WRITE,
      summary: "Delete a session webhook for good (extension)",
      params,
      replies: { 204: null },
      run: ({ caller, params: { id } }) => removeSubscription(db, caller.workspaceId, id),
    }),
  ];
}
