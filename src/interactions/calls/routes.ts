import type { Database } from "#src/platform/db/database.ts";
import { EXACT_CONTEXT } from "#src/platform/http/json.ts";
import { pageOf, pageQuery } from "#src/platform/http/paging.ts";
import { EXTERNAL_API, type Route, route } from "#src/platform/http/route.ts";
import { Type, Uuid } from "#src/platform/http/schemas.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { Tracer } from "#src/platform/kernel/tracing.ts";
import { CallRow, toCallRow } from "./call-row.ts";
import { type CallContext, CallRef, PlaceCall, placeCall } from "./calls.ts";
import { readRows, rowFilterQuery } from "./list-rows.ts";
import { type RecordingContext, recordingRoutes } from "./recording-routes.ts";
import { findRow } from "./store.ts";

const common = { audience: "external" } as const;
const READ = ["CALL_HISTORY_READ", "CALL_JOBS_READ"];

/** Routes that place calls and read their results. */
export function callRoutes(database: Database, context: CallContext & RecordingContext): Route[] {
  return [
    placeRoute(context),
    historyRoute(database, context),
    rowRoute(database, context),
    ...recordingRoutes(database, context),
  ];
}

function placeRoute(context: CallContext): Route {
  return route({
    ...common,
    method: "POST",
    path: `${EXTERNAL_API}/outbound/calls`,
    access: ["OUTBOUND_CALLS_TRIGGER"],
    tag: "Outbound",
    summary: "Queue one outbound call",
    description: "Returns once the call is queued. Read the result with GET /call-rows/{rowId} or /call-history.",
    idempotent: true,
    body: PlaceCall,
    exactText: EXACT_CONTEXT,
    replies: { 200: CallRef },
    async run({ tx, caller, body, bodyText, headers }) {
      const startMs = nowMs();
      const placed = await placeCall(tx, context, caller.workspaceId, body, bodyText);
      if (context.tracer) linkRequest(context.tracer, headers.traceparent, placed.rowId, startMs);
      return placed;
    },
    afterCommit: () => context.wakeDispatcher(),
  });
}

/**
 * Records a request that belongs to a trace of the caller's, with a link to the call's trace. The call cannot join the
 * caller's trace, because its attempts may run on other nodes, days later.
 */
function linkRequest(tracer: Tracer, traceparent: unknown, rowId: string, startMs: number): void {
  const span = tracer.ofRequest(traceparent);
  if (!span) return;
  const path = `${EXTERNAL_API}/outbound/calls`;
  const attributes = { "http.request.method": "POST", "http.route": path, "parley.call.id": rowId };
  const end = { name: `POST ${path}`, kind: "SERVER", startMs, endMs: nowMs(), attributes } as const;
  span.end({ ...end, link: tracer.ofCall(rowId) });
}

function historyRoute(database: Database, { publicUrl }: CallContext): Route {
  return route({
    ...common,
    method: "GET",
    path: `${EXTERNAL_API}/call-history`,
    access: ["CALL_HISTORY_READ"],
    tag: "Calls",
    summary: "List calls, newest first",
    query: Type.Object({ ...pageQuery, ...rowFilterQuery, jobId: Type.Optional(Uuid) }),
    replies: { 200: pageOf(CallRow, "CallHistoryPage") },
    run: ({ caller, query: { jobId, ...query } }) => readRows(database, publicUrl, caller.workspaceId, query, jobId),
  });
}

function rowRoute({ db }: Database, { publicUrl }: CallContext): Route {
  return route({
    ...common,
    method: "GET",
    path: `${EXTERNAL_API}/call-rows/{rowId}`,
    access: READ,
    tag: "Calls",
    summary: "Read one call",
    params: Type.Object({ rowId: Uuid }),
    replies: { 200: CallRow },
    async run({ caller, params: { rowId } }) {
      const record = await findRow(db, caller.workspaceId, rowId);
      if (!record) throw new AppError("NOT_FOUND");
      return toCallRow(record, publicUrl);
    },
  });
}
