import type { CallToolResult, JSONObject } from "@modelcontextprotocol/server";
import { NIL_UUID } from "#src/platform/kernel/id.ts";
import type { ApiReply } from "./call-api.ts";
import { needsOf, type Operation, toRequest } from "./operations.ts";
import { ArgumentError, bodyOf, fromText, isSuccess, toRefusal } from "./tool-result.ts";
import type { McpTool, ToolCall } from "./tool.ts";
import { waitFor } from "./wait.ts";

const ROWS = "/api/external/v1/call-rows";
/** Default wait, below the 60 s after which many clients abandon a request. */
const DEFAULT_WAIT_SECONDS = 50;
const MAX_WAIT_SECONDS = 600;

/** Returns the schema of `waitSeconds`. */
export function waitSecondsSchema(fallback: number, minimum: number): JSONObject {
  return {
    type: "integer",
    minimum,
    maximum: MAX_WAIT_SECONDS,
    description: `Seconds to wait for the end. Default ${fallback}. Many clients give up after 60 unless they show progress.`,
  };
}

/** Returns the seconds that a call asks to wait. */
export function readWaitSeconds(value: unknown, fallback: number, minimum: number): number {
  const seconds = value ?? fallback;
  const fits = typeof seconds === "number" && Number.isInteger(seconds);
  if (fits && seconds >= minimum && seconds <= MAX_WAIT_SECONDS) return seconds;
  throw new ArgumentError(`waitSeconds must be a whole number from ${minimum} to ${MAX_WAIT_SECONDS}.`);
}

/** Returns `place_call_and_wait`, which places one call and returns its final row, with progress on the way. */
export function placeCallTool(place: Operation, read: Operation): McpTool {
  const title = "Place a call and wait for its result";
  const { schema } = place.input;
  return {
    waits: true,
    toolset: "calls",
    needs: needsOf(place, read),
    definition: {
      name: "place_call_and_wait",
      title,
      description:
        "Place one phone call, wait for its end and return the whole result: outcome, transcript, extracted fields. A person is called; ask first unless told to. If the call outlasts waitSeconds, finished is false and `next` says how to go on.",
      inputSchema: {
        ...schema,
        properties: { ...schema.properties, waitSeconds: waitSecondsSchema(DEFAULT_WAIT_SECONDS, 1) },
      },
      outputSchema: {
        type: "object",
        properties: {
          finished: { type: "boolean", description: "False when the wait ended before the call did." },
          next: { type: ["string", "null"], description: "How to go on when it is not finished." },
          call: read.output.schema,
        },
        required: ["finished", "next", "call"],
      },
      annotations: { title, readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    run: (call) => placeAndWait(place, call),
  };
}

async function placeAndWait(place: Operation, call: ToolCall): Promise<CallToolResult> {
  const { waitSeconds, ...args } = call.args;
  const seconds = readWaitSeconds(waitSeconds, DEFAULT_WAIT_SECONDS, 1);
  const request = toRequest(place, { ...call, args });
  // No row has this id, so callers who may read rows get a 404.
  const probe = await call.api({ method: "GET", path: `${ROWS}/${NIL_UUID}` });
  if (probe.status !== 404) return toRefusal(probe, "No call was placed, since its result could not be read.");
  const placed = await call.api(request);
  if (!isSuccess(placed)) return toRefusal(placed);
  const rowId = rowIdOf(bodyOf(placed));
  const notify = progressTeller(call);
  const { end, reply } = await waitFor({
    read: () => call.api({ method: "GET", path: `${ROWS}/${rowId}` }),
    isDone: (row) => row.endedAt !== null,
    onReading: notify,
    timeoutMs: seconds * 1_000,
    signal: call.signal,
  });
  return toCallResult(end, reply, bodyOf(placed));
}

function rowIdOf({ rowId }: Record<string, unknown>): string {
  return String(rowId);
}

function toCallResult(
  end: "DONE" | "TIMEOUT" | "REFUSED",
  reply: ApiReply,
  placed: Record<string, unknown>,
): CallToolResult {
  const rowId = rowIdOf(placed);
  if (end === "REFUSED") return toRefusal(reply, `The call was placed and goes on: rowId ${rowId}.`);
  const next =
    end === "DONE" ? null : `The call goes on. Read it with get_call, rowId ${rowId}. Do not place it again.`;
  const warnings = placed.warnings === undefined ? "" : `,"warnings":${JSON.stringify(placed.warnings)}`;
  return fromText(`{"finished":${end === "DONE"},"next":${JSON.stringify(next)},"call":${reply.text}${warnings}}`);
}

/** Returns a function that reports each new status and each new turn of the dialogue, once. */
function progressTeller(call: ToolCall): (row: Record<string, unknown>) => void {
  let reported = "";
  let count = 0;
  return (row) => {
    const { status, transcript } = row as { status: string; transcript: { role: string; content: string }[] };
    const state = `${status} ${transcript.length}`;
    if (state === reported) return;
    reported = state;
    const last = transcript.at(-1);
    const said = last ? `, ${transcript.length} turns. ${last.role}: ${last.content.slice(0, 200)}` : "";
    call.report(++count, `${status}${said}`);
  };
}
