import { flowSelection, selectFlow } from "#src/authoring/flows/flows.ts";
import { contactFields } from "#src/interactions/calls/calls.ts";
import { readRetryConfig, RetryConfig, RetryConfigInput } from "#src/interactions/calls/retry.ts";
import { type CallingNumber, selectNumbers } from "#src/numbers/phone-numbers/phone-numbers.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import {
  E164,
  nullable,
  oneOf,
  type Static,
  Timestamp,
  TimestampInput,
  Type,
  Uuid,
} from "#src/platform/http/schemas.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { CallingWindow, CallingWindowInput, readCallingWindow } from "#src/tenancy/compliance/calling-window.ts";
import { JOB_ACTIONS, JOB_STATUSES, jobActions } from "./states.ts";
import { type CallJobRow, insertJob } from "./store.ts";
import { CompletionWebhook, CompletionWebhookInput, sealWebhook, type WebhookParts } from "./webhook.ts";

/** Settings of a job: the JSON body without its rows, the `payload` part of a form, or the query of a CSV upload. */
export const jobSettings = {
  name: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 200 }))),
  ...flowSelection,
  fromPhoneNumber: Type.Optional(nullable(E164)),
  fromPhoneNumbers: Type.Optional(nullable(Type.Array(E164, { maxItems: 200 }))),
  startAt: Type.Optional(nullable(TimestampInput)),
  maxConcurrency: Type.Optional(
    nullable(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: "Calls of this job at once, shared out over its numbers.",
      }),
    ),
  ),
  retryConfig: Type.Optional(nullable(RetryConfigInput)),
  callingWindow: Type.Optional(nullable(CallingWindowInput)),
  completionWebhook: Type.Optional(nullable(CompletionWebhookInput)),
};

export const JobSettings = Type.Object(jobSettings, { $id: "CallJobSettings" });
export type JobSettings = Static<typeof JobSettings>;

/** Maximum number of rows in a JSON list. */
export const MAX_JSON_ROWS = 200_000;

/** Body of POST /call-jobs as JSON, as documented. */
export const CreateCallJob = Type.Object(
  {
    ...jobSettings,
    rows: Type.Array(
      Type.Object({
        customerNumber: E164,
        ...contactFields,
        externalId: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
        priority: Type.Optional(
          nullable(Type.Integer({ minimum: 0, maximum: 1_000, description: "Higher goes first." })),
        ),
      }),
      { minItems: 1, maxItems: MAX_JSON_ROWS },
    ),
  },
  { $id: "CreateCallJob" },
);

/** The same body as it is validated. Rows are checked one by one, so that a bad one is reported and the rest run. */
export const LooseCallJob = Type.Object({
  ...jobSettings,
  rows: Type.Array(Type.Unsafe<Record<string, unknown>>({ type: "object" }), { minItems: 1, maxItems: MAX_JSON_ROWS }),
});

const RowFaultSchema = Type.Object(
  { line: Type.Integer(), column: Type.String(), code: Type.String(), message: Type.String() },
  { $id: "RowError" },
);
export { RowFaultSchema };

/** A job: its settings and its progress. */
export const CallJob = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    status: oneOf(JOB_STATUSES),
    actions: Type.Array(oneOf(JOB_ACTIONS), {
      description:
        "Actions that the job's state permits; the request of any other one answers 409. change: PATCH; changeDialling: PATCH with maxConcurrency, retryConfig or callingWindow, too. (extension)",
    }),
    pauseReason: nullable(Type.String()),
    run: Type.Integer({ description: "Counts up when rows are added or retried after completion." }),
    flowId: nullable(Uuid),
    flowApiId: nullable(Type.String()),
    inlineFlow: Type.Boolean(),
    fromPhoneNumbers: Type.Array(Type.String()),
    maxConcurrency: nullable(Type.Integer()),
    retryConfig: RetryConfig,
    callingWindow: nullable(CallingWindow),
    completionWebhook: nullable(CompletionWebhook),
    totalRows: Type.Integer(),
    processedRows: Type.Integer({ description: "successfulRows + errorRows." }),
    successfulRows: Type.Integer(),
    errorRows: Type.Integer(),
    reachedRows: Type.Integer({
      description: "Of processedRows: those in which a person was on the line, whatever became of it. (extension)",
    }),
    machineRows: Type.Integer({
      description:
        "Of processedRows: those that a machine took: VOICEMAIL, CALL_SCREENED, IVR or FAX. A message that was left is also among successfulRows. (extension)",
    }),
    rejectedRows: Type.Integer({ description: "Lines that could not be taken; outside totalRows." }),
    searchableRows: Type.Integer({
      description:
        "Of totalRows: those that a search by name or part of a number finds. Fewer than all for a while after a large list was imported. (extension)",
    }),
    pendingRows: Type.Integer(),
    inProgressRows: Type.Integer(),
    waitingForRetryRows: Type.Integer({
      description: "Of pendingRows: those that wait for another attempt. (extension)",
    }),
    startAt: nullable(Timestamp),
    createdAt: Timestamp,
    startedAt: nullable(Timestamp),
    completedAt: nullable(Timestamp),
    updatedAt: Timestamp,
  },
  { $id: "CallJob" },
);
export type CallJob = Static<typeof CallJob>;

/** Reply to a job's creation: the job, and the first rejected lines. */
export const CreatedCallJob = Type.Object(
  {
    ...(CallJob as unknown as { properties: Record<string, never> }).properties,
    acceptedRows: Type.Integer(),
    rowErrors: Type.Array(RowFaultSchema, { description: "The first 100; all of them at /call-jobs/{id}/row-errors." }),
  },
  { $id: "CreatedCallJob" },
);

/** A new job that waits for its rows. */
export interface MadeJob {
  id: string;
  numbers: CallingNumber[];
  maxConcurrency: number | null;
  maxAttempts: number;
  startAt: Date | null;
  callingWindow: CallingWindow | null;
  /** Shown once, in the reply to the creation. */
  signingSecret: string | null;
  flow: { flowId: string | null; flowApiId: string | null };
}

/** Checks a job's settings and resolves the flow, numbers and webhook that they name. */
export async function chooseParts(
  tx: Executor,
  parts: WebhookParts,
  workspaceId: string,
  settings: JobSettings,
  id: string = uuidv7(),
) {
  const callingWindow = readCallingWindow(settings.callingWindow);
  const flow = await selectFlow(tx, workspaceId, settings as Parameters<typeof selectFlow>[2]);
  const named = [
    ...new Set([...(settings.fromPhoneNumbers ?? []), ...(settings.fromPhoneNumber ? [settings.fromPhoneNumber] : [])]),
  ];
  const all = await selectNumbers(tx, workspaceId, named, "fromPhoneNumbers");
  const maxConcurrency = settings.maxConcurrency ?? null;
  // A number beyond the limit of concurrent calls could never get one.
  const numbers = maxConcurrency === null ? all : all.slice(0, maxConcurrency);
  const retryConfig = readRetryConfig(settings.retryConfig, 3);
  const startAt = readStart(settings.startAt);
  const webhook = settings.completionWebhook ? sealWebhook(parts, workspaceId, id, settings.completionWebhook) : null;
  return { id, flow, numbers, maxConcurrency, retryConfig, startAt, callingWindow, webhook };
}

/** Creates a job without rows: flow and numbers chosen, webhook checked and sealed. */
export async function makeJob(
  tx: Executor,
  parts: WebhookParts,
  workspaceId: string,
  settings: JobSettings,
  status: "IMPORTING" | "RUNNING",
): Promise<MadeJob> {
  const chosen = await chooseParts(tx, parts, workspaceId, settings);
  const { id, flow, numbers, maxConcurrency, retryConfig, startAt, callingWindow, webhook } = chosen;
  await insertJob(tx, workspaceId, {
    id,
    name: settings.name ?? `Job of ${now().toISOString().slice(0, 16).replace("T", " ")}`,
    status,
    ...flow,
    inlineFlow: flow.inline,
    phoneNumberIds: numbers.map((number) => number.id),
    maxConcurrency,
    retryConfig,
    webhook: webhook?.stored ?? null,
    webhookSecret: webhook?.sealed ?? null,
    callingWindow,
    startAt,
  });
  await appendEvents(tx, workspaceId, [{ type: "call_job.created", subjectId: id, data: { status } }]);
  const made = { id, numbers, maxConcurrency, maxAttempts: retryConfig.maxAttempts, startAt, callingWindow };
  return { ...made, signingSecret: webhook?.signingSecret ?? null, flow };
}

function readStart(text: string | null | undefined): Date | null {
  if (!text) return null;
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw fieldError("startAt", "FORMAT", "is not a date that exists.");
  return date;
}

/** The job as the API shows it. */
export function toCallJob(row: CallJobRow): CallJob {
  const waits = row.status === "RUNNING" && row.start_at !== null && row.start_at > now();
  const status = waits ? "SCHEDULED" : row.status;
  return {
    id: row.id,
    name: row.name,
    status,
    actions: jobActions(status),
    pauseReason: row.pause_reason,
    run: row.run,
    flowId: row.flow_id,
    flowApiId: row.flow_api_id,
    inlineFlow: row.inline_flow !== null,
    fromPhoneNumbers: row.from_numbers ?? [],
    maxConcurrency: row.max_concurrency,
    retryConfig: { ...row.retry_config },
    callingWindow: row.calling_window,
    completionWebhook: row.completion_webhook ? { ...row.completion_webhook, signingSecret: null } : null,
    totalRows: row.total_rows,
    processedRows: row.processed_rows,
    successfulRows: row.successful_rows,
    errorRows: row.error_rows,
    reachedRows: row.reached_rows,
    machineRows: row.machine_rows,
    rejectedRows: row.rejected_rows,
    searchableRows: Math.min(row.total_rows, row.named_rows ?? row.total_rows),
    pendingRows: Math.max(0, row.total_rows - row.processed_rows - row.live_rows),
    inProgressRows: row.live_rows,
    waitingForRetryRows: row.retry_rows,
    startAt: row.start_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    completedAt: row.completed_at?.toISOString() ?? null,
    updatedAt: row.updated_at.toISOString(),
  };
}
