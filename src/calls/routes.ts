import { Readable } from "node:stream";
import type { Database } from "#src/db/database.ts";
import { pageOf, pageQuery } from "#src/http/paging.ts";
import { Reply, type Route, route } from "#src/http/route.ts";
import { anyValue, Type, Uuid } from "#src/http/schemas.ts";
import { AppError } from "#src/kernel/errors.ts";
import { prepareRecording, type RecordedTurn, type Recording } from "#src/media/recording.ts";
import type { SpeechEngine } from "#src/media/speech.ts";
import { CallRow, toCallRow } from "./call-row.ts";
import { type CallContext, CallRef, PlaceCall, placeCall } from "./calls.ts";
import { readRows, rowFilterQuery } from "./list-rows.ts";
import { findRow } from "./store.ts";

const API = "/api/external/v1";
const common = { audience: "external" } as const;
const READ = ["CALL_HISTORY_READ", "CALL_JOBS_READ"];

/** Placing calls and reading what came of them (spec, "Outbound calls", "Other endpoints"). */
export function callRoutes(database: Database, context: CallContext & { speech: SpeechEngine }): Route[] {
  return [
    placeRoute(context),
    historyRoute(database, context),
    rowRoute(database, context),
    recordingRoute(database, context),
  ];
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
    replies: { 200: anyValue("audio/wav"), 206: anyValue("audio/wav, the part that Range asked for") },
    async run({ caller, params: { rowId }, headers }) {
      const record = await findRow(db, caller.workspaceId, rowId);
      if (!record || toCallRow(record, "").recording === null) throw new AppError("NOT_FOUND");
      const turns = (record.transcript ?? []).filter(isSpoken);
      const recording = await prepareRecording({ turns, durationMs: record.duration_ms ?? 0, speech });
      return replyWithRange(recording, headers.range);
    },
  });
}

function isSpoken(turn: { role: string }): turn is RecordedTurn {
  return turn.role === "ASSISTANT" || turn.role === "USER";
}

/** One byte range (RFC 9110 section 14); several, or one that cannot be read, get the whole file. */
function replyWithRange(recording: Recording, header: string | undefined): Reply {
  const { byteLength } = recording;
  const [, from = "", to = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (from === "" && to === "") {
    return new Reply(200, Readable.from(recording.read(), { objectMode: false }), audioHeaders(byteLength));
  }
  const start = from === "" ? Math.max(0, byteLength - Number(to)) : Number(from);
  const end = from === "" || to === "" ? byteLength : Math.min(byteLength, Number(to) + 1);
  if (start >= end) return new Reply(416, undefined, { "content-range": `bytes */${byteLength}` });
  return new Reply(206, Readable.from(recording.read({ start, end }), { objectMode: false }), {
    ...audioHeaders(end - start),
    "content-range": `bytes ${start}-${end - 1}/${byteLength}`,
  });
}

function audioHeaders(length: number): Record<string, string> {
  return { "content-type": "audio/wav", "content-length": String(length), "accept-ranges": "bytes" };
}
