import type { ToolParts } from "#src/authoring/tools/tools.ts";
import type { Database } from "#src/platform/db/database.ts";
import { pageOf, pageQuery, readPage, toPage } from "#src/platform/http/paging.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { flowDocumentRoutes } from "./document-routes.ts";
import { editorOf } from "./editor.ts";
import { NewFlow } from "./flow-fields.ts";
import { changeFlow, createFlow, Flow, FlowInput, getFlow, removeFlow, toFlow } from "./flows.ts";
import { countFlows, listFlows } from "./store.ts";
import { flowVersionRoutes } from "./version-routes.ts";

const PATH = "/api/external/v1/flows";
const READ = ["FLOWS_READ"];
const WRITE = ["FLOWS_WRITE"];
const common = { audience: "external", tag: "Flows" } as const;
const params = Type.Object({ flowId: Uuid });

/** Flows; listing and creating are extensions. */
export function flowRoutes(database: Database, parts: ToolParts): Route[] {
  return [
    ...libraryRoutes(database),
    ...oneFlowRoutes(database),
    ...flowVersionRoutes(database),
    ...flowDocumentRoutes(database, parts),
  ];
}

function libraryRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: PATH,
      access: READ,
      summary: "List flows (extension)",
      query: Type.Object(pageQuery),
      replies: { 200: pageOf(Flow, "FlowPage") },
      async run({ caller, query }) {
        const page = readPage(query);
        const rows = await listFlows(db, caller.workspaceId, page);
        return toPage(page, rows.map(toFlow), () => countFlows(db, caller.workspaceId));
      },
    }),
    route({
      ...common,
      method: "POST",
      path: PATH,
      access: WRITE,
      summary: "Create a flow (extension)",
      idempotent: true,
      body: NewFlow,
      replies: { 200: Flow },
      run: ({ tx, caller, body, warnings }) =>
        createFlow(tx, caller.workspaceId, body, { editor: editorOf(caller), warnings }),
    }),
  ];
}

function oneFlowRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: `${PATH}/{flowId}`,
      access: READ,
      summary: "Read a flow",
      params,
      replies: { 200: Flow },
      run: ({ caller, params: { flowId } }) => getFlow(db, caller.workspaceId, flowId),
    }),
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/{flowId}`,
      access: WRITE,
      summary: "Change a flow",
      description:
        "Only fields in the body change; each is replaced as a whole; null clears it; id, userId, version and timestamps are ignored. What comes out is published at once as the next version, and ends a split.",
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: FlowInput,
      replies: { 200: Flow },
      run: ({ caller, params: { flowId }, query: { ifUpdatedAt }, body, warnings }) => {
        const writing = { editor: editorOf(caller), ifUpdatedAt, warnings };
        return db.transaction().execute((tx) => changeFlow(tx, caller.workspaceId, flowId, body, writing));
      },
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/{flowId}`,
      access: WRITE,
      summary: "Delete a flow for good",
      params,
      replies: { 204: null },
      run: ({ caller, params: { flowId } }) => removeFlow(db, caller.workspaceId, flowId),
    }),
  ];
}
