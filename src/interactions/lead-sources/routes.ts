import type { WebhookParts } from "#src/interactions/call-jobs/webhook.ts";
import type { Database } from "#src/platform/db/database.ts";
import { pageQuery, readPage } from "#src/platform/http/paging.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { Reply, type Route, route } from "#src/platform/http/route.ts";
import { nullable, oneOf, Type, Uuid } from "#src/platform/http/schemas.ts";
import { DELIVERY_STATUSES, getDeliveries, LeadDeliveryPage } from "./deliveries.ts";
import {
  changeSource,
  createSource,
  getSource,
  getSources,
  LEADS_PATH,
  LeadSource,
  LeadSourceChange,
  LeadSourceInput,
  removeSource,
  rotateSource,
} from "./lead-sources.ts";
import { LeadPreview, LeadSample, MappingSample, previewMapping, previewSource } from "./preview.ts";
import { type LeadContext, takeLead } from "./take-lead.ts";

const PATH = "/api/external/v1/lead-sources";
// A source makes calls out of what arrives, so it takes the permissions of call jobs.
const READ = ["CALL_JOBS_READ"];
const WRITE = ["CALL_JOBS_WRITE"];
const common = { audience: "external", tag: "Lead sources" } as const;
const params = Type.Object({ id: Uuid });
const MAX_DELIVERY_BYTES = 64 * 1024;

/** Dependencies of the routes of lead sources besides the database. */
export type LeadSourceContext = LeadContext & WebhookParts;

/** Routes of lead sources (extension). */
export function leadSourceRoutes(database: Database, context: LeadSourceContext): Route[] {
  return [...readRoutes(database), ...writeRoutes(database, context), ...previewRoutes(database, context)];
}

function readRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List lead sources (extension)",
      replies: { 200: Type.Array(LeadSource) },
      run: ({ caller }) => getSources(db, caller.workspaceId),
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{id}`,
      access: READ,
      summary: "Read a lead source (extension)",
      params,
      replies: { 200: LeadSource },
      run: ({ caller, params: { id } }) => getSource(db, caller.workspaceId, id),
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{id}/deliveries`,
      access: READ,
      summary: "List what arrived at a lead source, newest first (extension)",
      description: "Kept for 30 days; of repeats and refusals, the newest thousand.",
      params,
      query: Type.Object({
        ...pageQuery,
        status: Type.Optional(Type.Array(oneOf(DELIVERY_STATUSES), { description: "Repeat it for several." })),
      }),
      replies: { 200: LeadDeliveryPage },
      run: ({ caller, params: { id }, query }) =>
        getDeliveries(db, caller.workspaceId, id, query.status, readPage(query)),
    }),
  ];
}

function writeRoutes({ db }: Database, context: LeadSourceContext): Route[] {
  return [
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Create a lead source; its address is shown once (extension)",
      idempotent: true,
      showsSecret: true,
      body: LeadSourceInput,
      replies: { 200: LeadSource },
      run: ({ tx, caller, body }) => createSource(tx, context, caller.workspaceId, body),
    }),
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/{id}`,
      access: WRITE,
      summary: "Change a lead source; sent fields are merged (extension)",
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: LeadSourceChange,
      replies: { 200: LeadSource },
      run: ({ caller, params: { id }, query: { ifUpdatedAt }, body }) =>
        db.transaction().execute((tx) => changeSource(tx, context, caller.workspaceId, id, body, ifUpdatedAt)),
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/{id}/rotate`,
      access: WRITE,
      summary: "Give a lead source another address, shown once; the one before ends (extension)",
      idempotent: true,
      showsSecret: true,
      params,
      replies: { 200: LeadSource },
      run: ({ tx, caller, params: { id } }) => rotateSource(tx, context, caller.workspaceId, id),
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/{id}`,
      access: WRITE,
      summary: "Delete a lead source with its log for good; its calls stay (extension)",
      params,
      replies: { 204: null },
      run: ({ caller, params: { id } }) => removeSource(db, caller.workspaceId, id),
    }),
  ];
}

function previewRoutes({ db }: Database, context: LeadSourceContext): Route[] {
  return [
    route({
      ...common,
      method: "POST",
      path: `${PATH}/preview`,
      access: READ,
      summary: "Show what a mapping reads from a sample (extension)",
      description: "Writes nothing.",
      body: MappingSample,
      replies: { 200: LeadPreview },
      run: async ({ body }) => previewMapping(body),
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/{id}/preview`,
      operationId: "previewLeadSource",
      access: READ,
      summary: "Show who a delivery to a lead source would call (extension)",
      description: "Judges mapping, repeats and the rules of every dial; dials nobody and writes nothing.",
      params,
      body: LeadSample,
      replies: { 200: LeadPreview },
      run: ({ caller, params: { id }, body }) => previewSource(db, context, caller.workspaceId, id, body),
    }),
  ];
}

const TakenLead = Type.Object({
  id: Uuid,
  status: oneOf(["QUEUED", "DUPLICATE"]),
  rowId: nullable(Uuid),
  duplicateOf: nullable(Uuid),
});

/** Returns the route at which leads arrive. The token in the path keeps others out, so it takes no credential. */
export function leadArrivalRoute(database: Database, context: LeadSourceContext): Route {
  return route({
    audience: "public",
    access: "PUBLIC",
    tag: "Lead sources",
    method: "POST",
    path: `${LEADS_PATH}/{token}`,
    summary: "Take a lead",
    params: Type.Object({ token: Type.String({ pattern: "^lds_[0-9A-Za-z]{40}$" }) }),
    bodyKind: "ANY",
    bodyLimit: MAX_DELIVERY_BYTES,
    replies: { 202: TakenLead },
    run: async ({ params: { token }, headers, bytes }) =>
      new Reply(202, await takeLead(database, context, token, { headers, bytes })),
    afterCommit: () => context.wakeDispatcher(),
  });
}
