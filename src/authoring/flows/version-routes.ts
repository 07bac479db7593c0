import type { Database } from "#src/platform/db/database.ts";
import { pageOf, pageQuery, readPage } from "#src/platform/http/paging.ts";
import { ifUpdatedAtQuery } from "#src/platform/http/precondition.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { TimestampInput, Type, Uuid } from "#src/platform/http/schemas.ts";
import { FlowChange, getChanges } from "./changes.ts";
import { editorOf } from "./editor.ts";
import { InlineFlow } from "./flow-fields.ts";
import { Flow } from "./flows.ts";
import {
  changeSplits,
  FlowEditing,
  FlowSplits,
  FlowSplitsInput,
  FlowVersionResult,
  getResults,
  getSplits,
} from "./split.ts";
import { getStageFunnel, StageFunnel } from "./stage-funnel.ts";
import { changeSuccess, FlowSuccess, FlowSuccessInput, getSuccess } from "./success.ts";
import {
  changeDraft,
  dropDraft,
  FlowDraft,
  FlowVersion,
  FlowVersionEntry,
  getDraft,
  getEditing,
  getVersion,
  getVersions,
  publishDraft,
  PublishInput,
  RestoreInput,
  restoreVersion,
} from "./versions.ts";

const PATH = "/api/external/v1/flows/{flowId}";
const READ = ["FLOWS_READ"];
const WRITE = ["FLOWS_WRITE"];
const common = { audience: "external", tag: "Flows" } as const;
const params = Type.Object({ flowId: Uuid });
const versionParams = Type.Object({
  flowId: Uuid,
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "Number of a published version." }),
});

/** Drafts, published versions and their shares of the calls; all extensions. */
export function flowVersionRoutes(database: Database): Route[] {
  return [
    changesRoute(database),
    editingRoute(database),
    ...draftRoutes(database),
    ...historyRoutes(database),
    ...splitRoutes(database),
    funnelRoute(database),
    ...successRoutes(database),
  ];
}

function changesRoute({ db }: Database): Route {
  return route({
    ...common,
    method: "GET",
    path: "/api/external/v1/flows/changes",
    access: READ,
    summary: "List who changed each flow last, and the drafts (extension)",
    query: Type.Object(pageQuery),
    replies: { 200: pageOf(FlowChange, "FlowChangePage") },
    run: ({ caller, query }) => getChanges(db, caller.workspaceId, readPage(query)),
  });
}

function editingRoute({ db }: Database): Route {
  return route({
    ...common,
    method: "GET",
    path: `${PATH}/editing`,
    access: READ,
    summary: "Read a flow with its draft and shares (extension)",
    params,
    replies: { 200: FlowEditing },
    run: ({ caller, params: { flowId } }) => getEditing(db, caller.workspaceId, flowId),
  });
}

function draftRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: `${PATH}/draft`,
      access: READ,
      summary: "Read a flow's draft (extension)",
      params,
      replies: { 200: FlowDraft },
      run: ({ caller, params: { flowId } }) => getDraft(db, caller.workspaceId, flowId),
    }),
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/draft`,
      access: WRITE,
      summary: "Change a flow's draft, or begin one (extension)",
      description:
        "Only fields in the body change; each is replaced as a whole; null clears it. No call uses a draft. For ifUpdatedAt a flow without a draft counts with its own updatedAt. apiId is the flow's own and belongs to no draft.",
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: InlineFlow,
      replies: { 200: FlowDraft },
      run: ({ caller, params: { flowId }, query: { ifUpdatedAt }, body, warnings }) => {
        const writing = { editor: editorOf(caller), ifUpdatedAt, warnings };
        return db.transaction().execute((tx) => changeDraft(tx, caller.workspaceId, flowId, body, writing));
      },
    }),
    route({
      ...common,
      method: "DELETE",
      path: `${PATH}/draft`,
      access: WRITE,
      summary: "Throw a flow's draft away (extension)",
      params,
      replies: { 204: null },
      run: ({ caller, params: { flowId } }) => dropDraft(db, caller.workspaceId, flowId),
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/publish`,
      access: WRITE,
      summary: "Publish a flow's draft as its next version (extension)",
      description:
        "409 when there is no draft, or when another version was published since it began. 422 UNKNOWN_VARIABLES when a template names a variable that nothing declares: send acceptUnknownVariables: true where rowData brings it.",
      idempotent: true,
      params,
      query: Type.Object(ifUpdatedAtQuery),
      body: PublishInput,
      replies: { 200: Flow },
      run: ({ tx, caller, params: { flowId }, query, body, warnings }) =>
        publishDraft(tx, caller.workspaceId, flowId, body, { ...query, editor: editorOf(caller), warnings }),
    }),
  ];
}

function historyRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: `${PATH}/versions`,
      access: READ,
      summary: "List the published versions of a flow, newest first (extension)",
      params,
      query: Type.Object(pageQuery),
      replies: { 200: pageOf(FlowVersionEntry, "FlowVersionPage") },
      run: ({ caller, params: { flowId }, query }) => getVersions(db, caller.workspaceId, flowId, readPage(query)),
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/versions/results`,
      access: READ,
      summary: "Compare what came of the calls of each version (extension)",
      params,
      query: Type.Object({ createdAfter: Type.Optional(TimestampInput) }),
      replies: { 200: Type.Array(FlowVersionResult) },
      run: ({ caller, params: { flowId }, query }) =>
        getResults(db, caller.workspaceId, flowId, query.createdAfter ?? null),
    }),
    route({
      ...common,
      method: "GET",
      path: `${PATH}/versions/{version}`,
      access: READ,
      summary: "Read a published version of a flow (extension)",
      params: versionParams,
      replies: { 200: FlowVersion },
      run: ({ caller, params: { flowId, version } }) => getVersion(db, caller.workspaceId, flowId, version),
    }),
    route({
      ...common,
      method: "POST",
      path: `${PATH}/versions/{version}/restore`,
      access: WRITE,
      summary: "Publish an earlier version of a flow again (extension)",
      description: "What it said becomes a new version, which every new session takes. A draft stays as it is.",
      idempotent: true,
      params: versionParams,
      body: RestoreInput,
      replies: { 200: Flow },
      run: ({ tx, caller, params: { flowId, version }, body }) =>
        restoreVersion(tx, caller.workspaceId, flowId, version, { note: body.note ?? null, editor: editorOf(caller) }),
    }),
  ];
}

function funnelRoute({ db }: Database): Route {
  return route({
    ...common,
    method: "GET",
    path: `${PATH}/stage-funnel`,
    access: READ,
    summary: "Count how sessions went through the stages of a flow (extension)",
    description:
      "Of calls and chats that have ended. Default: the published version, the last 30 days; at most 92 days, and the newest 200,000 visits.",
    params,
    query: Type.Object({
      version: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: "Number of a published version." }),
      ),
      from: Type.Optional(TimestampInput),
      to: Type.Optional(TimestampInput),
    }),
    replies: { 200: StageFunnel },
    run: ({ caller, params: { flowId }, query }) => getStageFunnel(db, caller.workspaceId, flowId, query),
  });
}

function splitRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: `${PATH}/split`,
      access: READ,
      summary: "Read which versions of a flow new sessions take (extension)",
      params,
      replies: { 200: FlowSplits },
      run: ({ caller, params: { flowId } }) => getSplits(db, caller.workspaceId, flowId),
    }),
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/split`,
      access: WRITE,
      summary: "Share new sessions out over versions of a flow by percent (extension)",
      description:
        "The percents add up to 100; null or an empty list gives every session the published version, as does the next publication.",
      params,
      body: FlowSplitsInput,
      replies: { 200: FlowSplits },
      run: ({ caller, params: { flowId }, body }) =>
        db.transaction().execute((tx) => changeSplits(tx, caller.workspaceId, flowId, body)),
    }),
  ];
}

function successRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: `${PATH}/success`,
      access: READ,
      summary: "Read what counts as a success of a flow (extension)",
      params,
      replies: { 200: FlowSuccess },
      run: ({ caller, params: { flowId } }) => getSuccess(db, caller.workspaceId, flowId),
    }),
    route({
      ...common,
      method: "PUT",
      path: `${PATH}/success`,
      access: WRITE,
      summary: "Change what counts as a success of a flow (extension)",
      description: "Holds for all versions; the calls there are so far are counted anew within minutes.",
      params,
      body: FlowSuccessInput,
      replies: { 200: FlowSuccess },
      run: ({ caller, params: { flowId }, body }) =>
        db.transaction().execute((tx) => changeSuccess(tx, caller.workspaceId, flowId, body)),
    }),
  ];
}
