import type { CallToolResult } from "@modelcontextprotocol/server";
import { ROW_OUTCOMES, TERMINAL_STATUSES } from "#src/interactions/calls/states.ts";
import type { Page } from "#src/platform/http/paging.ts";
import { NIL_UUID } from "#src/platform/kernel/id.ts";
import { readWaitSeconds, waitSecondsSchema } from "./call-tool.ts";
import { needsOf, type Operation, toRequest } from "./operations.ts";
import { ArgumentError, bodyOf, fromText, isSuccess, toRefusal } from "./tool-result.ts";
import type { McpTool, ToolCall } from "./tool.ts";
import { waitFor } from "./wait.ts";

const JOBS = "/api/external/v1/call-jobs";
/** Settings of a job that suit a few rows; create_call_job accepts all of them. */
const SIMPLE_SETTINGS = ["name", "flowId", "flowApiId", "fromPhoneNumbers", "maxConcurrency", "startAt"];
/** States in which a job does not continue by itself. */
const RESTING = new Set(["COMPLETED", "CANCELLED", "FAILED", "PAUSED"]);
const MAX_EXAMPLES = 10;
const DEFAULT_EXAMPLES = 2;
/** Rows of one outcome that are examined for their end reasons; one page. */
const ROWS_PER_OUTCOME = 200;

type Json = Record<string, unknown>;

/** Returns `start_call_job_from_rows`, which creates a job of rows and, if asked to, waits for its end. */
export function startJobTool(create: Operation, read: Operation): McpTool {
  const title = "Start a call job from rows";
  const { properties } = create.input.schema;
  const settings = Object.fromEntries(
    [...SIMPLE_SETTINGS, "rows", "idempotencyKey"].map((name) => [name, properties[name]]),
  );
  const output = create.output.schema.properties;
  return {
    waits: true,
    toolset: "jobs",
    needs: needsOf(create, read),
    definition: {
      name: "start_call_job_from_rows",
      title,
      description:
        "Call several people: one row each, with customerNumber and rowData for the conversation. People are called; ask first unless told to. With waitSeconds it waits for the end of the job and reports progress; summarise_job_failures then tells what went wrong.",
      inputSchema: {
        type: "object",
        properties: {
          ...settings,
          maxAttempts: { type: "integer", minimum: 1, maximum: 10, description: "Attempts for each row." },
          waitSeconds: waitSecondsSchema(0, 0),
        },
        required: ["rows"],
        additionalProperties: false,
      },
      outputSchema: {
        type: "object",
        properties: {
          finished: { type: "boolean", description: "True when every row has ended." },
          next: { type: ["string", "null"], description: "How to go on." },
          job: read.output.schema,
          acceptedRows: output.acceptedRows ?? { type: "integer" },
          rowErrors: output.rowErrors ?? { type: "array" },
        },
        required: ["finished", "next", "job", "acceptedRows", "rowErrors"],
      },
      annotations: { title, readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    run: (call) => startAndWait(create, call),
  };
}

async function startAndWait(create: Operation, call: ToolCall): Promise<CallToolResult> {
  const seconds = readWaitSeconds(call.args.waitSeconds, 0, 0);
  const request = toRequest(create, toFullCall(call));
  // No job has this id, so callers who may read jobs get a 404.
  const probe = await call.api({ method: "GET", path: `${JOBS}/${NIL_UUID}` });
  if (probe.status !== 404) return toRefusal(probe, "No job was started, since its progress could not be read.");
  const created = await call.api(request);
  if (!isSuccess(created)) return toRefusal(created);
  const { id, acceptedRows, rowErrors, warnings } = bodyOf(created);
  const jobId = String(id);
  const { end, reply, body } = await waitFor({
    read: () => call.api({ method: "GET", path: `${JOBS}/${jobId}` }),
    isDone: (job) => RESTING.has(String(job.status)),
    onReading: progressTeller(call),
    timeoutMs: seconds * 1_000,
    signal: call.signal,
  });
  if (end === "REFUSED") return toRefusal(reply, `The job was started and goes on: jobId ${jobId}.`);
  const finished = end === "DONE" && body.status !== "PAUSED";
  const next = nextStep(body, jobId, finished);
  return fromText(JSON.stringify({ finished, next, job: body, acceptedRows, rowErrors, warnings }));
}

/** Returns the equivalent call of create_call_job. */
function toFullCall(call: ToolCall): ToolCall {
  const { waitSeconds: _waitSeconds, maxAttempts, ...args } = call.args;
  const known = new Set([...SIMPLE_SETTINGS, "rows", "idempotencyKey"]);
  const unknown = Object.keys(args).find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new ArgumentError(`${unknown.slice(0, 100)} is not an argument of this tool; create_call_job takes more.`);
  }
  if (maxAttempts === undefined || maxAttempts === null) return { ...call, args };
  const retryConfig = { maxAttempts };
  const textOf = (name: string) => (name === "retryConfig" ? JSON.stringify(retryConfig) : call.textOf(name));
  return { ...call, args: { ...args, retryConfig }, textOf };
}

function nextStep(job: Json, jobId: string, finished: boolean): string | null {
  if (job.status === "PAUSED") return `The job is paused. Go on with resume_call_job, jobId ${jobId}.`;
  if (!finished) return `The job goes on. Read it with get_call_job, jobId ${jobId}. Do not start it again.`;
  return job.errorRows === 0 ? null : `Some rows failed. See summarise_job_failures, jobId ${jobId}.`;
}

function progressTeller(call: ToolCall): (job: Json) => void {
  let reported = -1;
  return (job) => {
    const { status, processedRows, totalRows, successfulRows, errorRows } = job as Record<string, number>;
    if (processedRows === undefined || processedRows <= reported) return;
    reported = processedRows;
    const message = `${status}: ${processedRows} of ${totalRows} rows, ${successfulRows} successful, ${errorRows} failed`;
    call.report(processedRows, message, totalRows);
  };
}

interface FailedRow {
  id: string;
  customerNumber: string;
  status: string;
  endReason: string | null;
  attempt: number;
  error: { code: string; message: string } | null;
}

interface EndReasonGroup {
  endReason: string | null;
  count: number;
  examples: object[];
}

/**
 * Returns `summarise_job_failures`, which reports how many rows of a job failed, why, and a few of each kind. `reads`
 * are the operations that it reads with.
 */
export function jobFailuresTool(...reads: Operation[]): McpTool {
  const title = "Summarise a call job's failures";
  const integer = { type: "integer" };
  const group = {
    type: "object",
    properties: {
      outcome: { type: "string" },
      count: { ...integer, description: "Failed rows with this outcome." },
      countIsExact: { type: "boolean", description: "False: there are more than count." },
      examined: { ...integer, description: "Of these, how many endReasons counts." },
      endReasons: { type: "array", items: { type: "object" } },
    },
    required: ["outcome", "count", "countIsExact", "examined", "endReasons"],
  };
  return {
    toolset: "jobs",
    needs: needsOf(...reads),
    definition: {
      name: "summarise_job_failures",
      title,
      description:
        "Count the failed rows of a call job by outcome and end reason, with a few example rows of each. Read one in full with get_call.",
      inputSchema: {
        type: "object",
        properties: {
          jobId: { type: "string", description: "Id of the call job." },
          examples: {
            type: "integer",
            minimum: 0,
            maximum: MAX_EXAMPLES,
            description: "Rows of each kind. Default 2.",
          },
        },
        required: ["jobId"],
        additionalProperties: false,
      },
      outputSchema: {
        type: "object",
        properties: {
          jobId: { type: "string" },
          status: { type: "string" },
          totalRows: integer,
          successfulRows: integer,
          reachedRows: { ...integer, description: "A person was on the line." },
          machineRows: { ...integer, description: "A machine took the call: voicemail, IVR, fax or call screening." },
          errorRows: integer,
          rejectedRows: { ...integer, description: "Lines never taken; see list_call_job_row_errors." },
          outcomes: { type: "array", items: group },
        },
        required: ["jobId", "status", "totalRows", "successfulRows", "errorRows", "rejectedRows", "outcomes"],
      },
      annotations: { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    run: summarise,
  };
}

async function summarise(call: ToolCall): Promise<CallToolResult> {
  const { jobId, examples = DEFAULT_EXAMPLES } = call.args;
  if (typeof jobId !== "string" || !/^[0-9a-fA-F-]{36}$/.test(jobId)) throw new ArgumentError("jobId must be a UUID.");
  if (typeof examples !== "number" || !Number.isInteger(examples) || examples < 0 || examples > MAX_EXAMPLES) {
    throw new ArgumentError(`examples must be a whole number from 0 to ${MAX_EXAMPLES}.`);
  }
  const found = await call.api({ method: "GET", path: `${JOBS}/${jobId}` });
  if (!isSuccess(found)) return toRefusal(found);
  const { id, status, totalRows, successfulRows, reachedRows, machineRows, errorRows, rejectedRows } = bodyOf(found);
  const outcomes: object[] = [];
  for (const outcome of errorRows === 0 ? [] : ROW_OUTCOMES) {
    call.signal.throwIfAborted();
    const page = await call.api({ method: "GET", path: `${JOBS}/${jobId}/rows?${failedQuery(outcome)}` });
    if (!isSuccess(page)) return toRefusal(page);
    const { content, totalElements, totalIsExact } = bodyOf(page) as unknown as Page<FailedRow>;
    if (totalElements === 0) continue;
    outcomes.push({
      outcome,
      count: totalElements,
      countIsExact: totalIsExact,
      examined: content.length,
      endReasons: groupByEndReason(content, examples),
    });
  }
  const rows = { totalRows, successfulRows, reachedRows, machineRows, errorRows, rejectedRows };
  const summary = { jobId: id, status, ...rows, outcomes };
  return fromText(JSON.stringify(summary));
}

function failedQuery(outcome: string): string {
  const query = new URLSearchParams({ outcome, size: String(ROWS_PER_OUTCOME) });
  for (const status of TERMINAL_STATUSES) if (status !== "COMPLETED") query.append("status", status);
  return query.toString();
}

/** Groups rows by end reason, the most frequent first. */
export function groupByEndReason(rows: FailedRow[], examples: number): EndReasonGroup[] {
  const groups = new Map<string | null, EndReasonGroup>();
  for (const { id, customerNumber, status, endReason, attempt, error } of rows) {
    const group = groups.get(endReason) ?? { endReason, count: 0, examples: [] };
    groups.set(endReason, group);
    group.count++;
    if (group.examples.length >= examples) continue;
    group.examples.push({ rowId: id, customerNumber, status, attempts: attempt, error: error?.message ?? null });
  }
  return [...groups.values()].toSorted((a, b) => b.count - a.count);
}
