import { Readable } from "node:stream";
import type { Database } from "#src/db/database.ts";
import { pageOf, pageQuery, readPage, toPage } from "#src/http/paging.ts";
import { Reply, type Route, route } from "#src/http/route.ts";
import { anyValue, oneOf, TimestampInput, Type, Uuid } from "#src/http/schemas.ts";
import { AppError } from "#src/kernel/errors.ts";
import { recordingByteLength, renderRecording, type SpeechEngine } from "#src/media/recording.ts";
import { CallRow, toCallRow } from "./call-row.ts";
import { type CallContext, CallRef, PlaceCall, placeCall } from "./calls.ts";
import { ROW_OUTCOMES, ROW_STATUSES } from "./states.ts";
import { countRows, findRow, listRows, type RowFilter } from "./store.ts";

const API = "/api/external/v1";
const common = { audience: "external" } as const;
const READ = ["CALL_HISTORY_READ", "CALL_JOBS_READ"];

/** Filters of every list of rows. Repeat `status` or `outcome` for several. */
export const rowFilterQuery = {
  status: Type.Optional(Type.Array(oneOf(ROW_STATUSES))),
  outcome: Type.Optional(Type.Array(oneOf(ROW_OUTCOMES))),
  customerNumber: Type.Optional(Type.String({ maxLength: 20 })),
  flowApiId: Type.Optional(Type.String({ maxLength: 200 })),
  externalId: Type.Optional(Type.String({ maxLength: 200 })),
  createdAfter: Type.Optional(TimestampInput),
  createdBefore: Type.Optional(TimestampInput),
};

type FilterQuery = {
  status?: string[];
  outcome?: string[];
} & Pick<RowFilter, "customerNumber" | "flowApiId" | "externalId" | "createdAfter" | "createdBefore">;

/** A page of rows that a filter matches, as the API shows them. */
export async function readRows(
  { db }: Database,
  publicUrl: string,
  workspaceId: string,
  query: FilterQuery & { page?: number; size?: number; cursor?: string },
  jobId?: string,
) {
  const { status, outcome, ...plain } = query;
  const filter: RowFilter = { ...plain, statuses: status, outcomes: outcome, jobId };
  const page = readPage(query);
  const rows = await listRows(db, workspaceId, filter, page);
  return toPage(page, rows.map((row) => toCallRow(row, publicUrl)), await countRows(db, workspaceId, filter));
}

/** Placing calls and reading what came of them (spec, "Outbound calls", "Other endpoints"). */
export function callRoutes(database: Database, context: CallContext & { speech: SpeechEngine }): Route[] {
  return [placeRoute(context), historyRoute(database, context), rowRoute(database, context), recordingRoute(database, context)];
}

function placeRoute(context: CallContext): Route {
  return route({
    ...common,
    method: "POST",
    path: `${API}/outbound/calls`,
    access: ["OUTBOUND_CALLS_TRIGGER"],
    tag: "Outbound",
    summary: "Queue one outbound call",
    description: "Returns once the call is queued. Read the result with GET /call-rows/{rowId} or /call-history.",
    idempotent: true,
    body: PlaceCall,
    replies: { 200: CallRef },
    async run({ tx, caller, body, bodyText }) {
      const placed = await placeCall(tx, context, caller.workspaceId, body, bodyText);
      setImmediate(() => context.wakeDispatcher());
      return placed;
    },
  });
}

function historyRoute(database: Database, { publicUrl }: CallContext): Route {
  return route({
    ...common,
    method: "GET",
    path: `${API}/call-history`,
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
    path: `${API}/call-rows/{rowId}`,
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

/**
 * The sandbox's recordings are rendered from the stored turns when asked for: at 300 calls a second, writing
 * each one ahead would fill the disk with 600 MB a second that nobody listens to.
 */
function recordingRoute({ db }: Database, { speech }: { speech: SpeechEngine }): Route {
  return route({
    ...common,
    method: "GET",
    path: `${API}/call-rows/{rowId}/recording`,
    access: READ,
    tag: "Calls",
    summary: "Download a call's recording (extension)",
    description: "WAV, 8 kHz, 16 bit, two channels: the agent left, the customer right.",
    params: Type.Object({ rowId: Uuid }),
    replies: { 200: anyValue("audio/wav") },
    async run({ caller, params: { rowId } }) {
      const record = await findRow(db, caller.workspaceId, rowId);
      if (!record || toCallRow(record, "").recording === null) throw new AppError("NOT_FOUND");
      const turns = record.transcript ?? [];
      const parts = { turns, durationMs: record.duration_ms ?? 0, speech };
      const length = await recordingByteLength(parts);
      return new Reply(200, Readable.from(renderRecording(parts), { objectMode: false }), {
        "content-type": "audio/wav",
        "content-length": String(length),
      });
    },
  });
}
