import { flowSelection, selectFlow } from "#src/authoring/flows/flows.ts";
import { type CallingNumber, selectNumbers } from "#src/numbers/phone-numbers/phone-numbers.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { RawJson, rawSlice } from "#src/platform/http/json.ts";
import {
  anyObject,
  anyValue,
  ContactEmail,
  E164,
  nullable,
  oneOf,
  type Static,
  Timestamp,
  TimestampInput,
  Type,
  Uuid,
} from "#src/platform/http/schemas.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { isTimeZone } from "#src/platform/kernel/time-zones.ts";
import type { Tracer } from "#src/platform/kernel/tracing.ts";
import {
  type CallingWindow,
  CallingWindowInput,
  readCallingWindow,
  TimeZoneName,
} from "#src/tenancy/compliance/calling-window.ts";
import { classifyNumber } from "#src/tenancy/compliance/numbers.ts";
import { NEVER_OPENS, WindowCheck } from "#src/tenancy/compliance/window-check.ts";
import { MAX_DATA_BYTES, type NewRow, NO_JOB, toNewRow } from "./new-row.ts";
import { type RetryConfig, RetryConfigInput, readRetryConfig } from "./retry.ts";
import { insertRows, openLanes } from "./store.ts";

/** Contact fields that calls and job rows share. */
export const contactFields = {
  contactName: Type.Optional(nullable(Type.String({ maxLength: 500 }))),
  contactEmail: Type.Optional(nullable(ContactEmail)),
  timeZone: Type.Optional(nullable(TimeZoneName)),
  rowData: Type.Optional(
    nullable(anyObject("Variables for the conversation: what the agent may know. At most 64 KiB.")),
  ),
  contextData: Type.Optional(
    nullable(anyObject("Travels with the call and comes back byte for byte; preloads session memory. At most 64 KiB.")),
  ),
};

/** Body of POST /outbound/calls. */
export const PlaceCall = Type.Object(
  {
    customerNumber: E164,
    fromPhoneNumber: Type.Optional(nullable(E164)),
    ...flowSelection,
    ...contactFields,
    retryConfig: Type.Optional(nullable(RetryConfigInput)),
    callingWindow: Type.Optional(nullable(CallingWindowInput)),
    scheduledAt: Type.Optional(
      nullable({
        ...TimestampInput,
        description: "Not dialled before this time, at most a year from now. Unset: now.",
      }),
    ),
  },
  { $id: "PlaceCall" },
);
export type PlaceCall = Static<typeof PlaceCall>;

/** Reply of POST /outbound/calls: the call is queued, not yet dialled. */
export const CallRef = Type.Object(
  {
    rowId: Uuid,
    jobId: nullable(Uuid),
    sessionId: Uuid,
    status: oneOf(["QUEUED"]),
    customerNumber: E164,
    fromPhoneNumber: E164,
    flowId: nullable(Uuid),
    flowApiId: nullable(Type.String()),
    inlineFlow: Type.Boolean(),
    contactName: nullable(Type.String()),
    contactEmail: nullable(Type.String()),
    contextData: anyValue("As sent, byte for byte; null when none was."),
    scheduledAt: nullable(Timestamp),
    createdAt: Timestamp,
    links: Type.Object({ callRow: Type.String(), callHistory: Type.String() }),
  },
  { $id: "CallRef" },
);

/** Dependencies of placing a call besides the database. */
export interface CallContext {
  publicUrl: string;
  /** Null: nothing is traced. */
  tracer?: Tracer | null;
  /** Wakes the dispatcher of this process. */
  wakeDispatcher(): void;
}

/**
 * Queues one call: row, lane and event in the caller's transaction. Of `bodyText` the exact contextData is kept. Whatever
 * is wrong with the body is thrown before anything is written.
 */
export async function placeCall(
  tx: Executor,
  context: Pick<CallContext, "publicUrl">,
  workspaceId: string,
  body: PlaceCall & { externalId?: string | null },
  bodyText: string,
) {
  const flow = await selectFlow(tx, workspaceId, body as Parameters<typeof selectFlow>[2]);
  const [from] = await selectNumbers(
    tx,
    workspaceId,
    body.fromPhoneNumber ? [body.fromPhoneNumber] : [],
    "fromPhoneNumber",
  );
  const { id: phoneNumberId, number: fromPhoneNumber } = from as CallingNumber;
  const contextData = readContextText(bodyText, body.contextData);
  assertDataSize(body.rowData ? JSON.stringify(body.rowData) : null, "rowData");
  const row = toNewRow(
    {
      customerNumber: body.customerNumber,
      ...classifyNumber(body.customerNumber),
      contactName: body.contactName ?? null,
      contactEmail: body.contactEmail ?? null,
      rowData: body.rowData ?? null,
      contextData,
      externalId: body.externalId ?? null,
      timeZone: body.timeZone ?? null,
      line: null,
      priority: 0,
    },
    phoneNumberId,
  );
  const retryConfig: RetryConfig = readRetryConfig(body.retryConfig, 1);
  const callingWindow = await readWindow(tx, body, row);
  const scheduledAt = readScheduledAt(body.scheduledAt);
  const { maxAttempts } = retryConfig;
  const named = { flowId: flow.flowId, flowApiId: flow.flowApiId, inlineFlow: flow.inline };
  const createdAt = await insertRows(
    tx,
    workspaceId,
    { jobId: NO_JOB, ...named, retryConfig, maxAttempts, callingWindow, startAt: scheduledAt },
    [row],
  );
  await openLanes(tx, workspaceId, NO_JOB, [{ phoneNumberId, maxCalls: null }]);
  await appendEvents(tx, workspaceId, [{ type: "call.queued", subjectId: row.id, data: { jobId: null } }]);
  return toCallRef(context.publicUrl, row, { ...named, fromPhoneNumber, contextData, scheduledAt, createdAt });
}

function toCallRef(
  publicUrl: string,
  row: NewRow,
  call: {
    fromPhoneNumber: string;
    flowId: string | null;
    flowApiId: string | null;
    inlineFlow: object | null;
    contextData: string | null;
    scheduledAt: Date | null;
    createdAt: Date;
  },
) {
  return {
    rowId: row.id,
    jobId: null,
    sessionId: row.session_id,
    status: "QUEUED" as const,
    customerNumber: row.customer_number,
    fromPhoneNumber: call.fromPhoneNumber,
    flowId: call.flowId,
    flowApiId: call.flowApiId,
    inlineFlow: call.inlineFlow !== null,
    contactName: row.contact_name,
    contactEmail: row.contact_email,
    contextData: call.contextData === null ? null : new RawJson(call.contextData),
    scheduledAt: call.scheduledAt?.toISOString() ?? null,
    createdAt: call.createdAt.toISOString(),
    links: {
      callRow: `${publicUrl}/api/external/v1/call-rows/${row.id}`,
      callHistory: `${publicUrl}/api/external/v1/call-history`,
    },
  };
}

const LATEST_MS = 366 * 86_400_000;

function readScheduledAt(text: string | null | undefined): Date | null {
  if (text === null || text === undefined) return null;
  const at = new Date(text);
  if (at.getTime() - nowMs() <= LATEST_MS) return at;
  throw fieldError("scheduledAt", "RANGE", "must be at most a year from now.");
}

/** Reads the window of a single call. One that would never open is refused, because the call would wait for ever. */
async function readWindow(tx: Executor, body: PlaceCall, row: NewRow): Promise<CallingWindow | null> {
  if (row.time_zone !== null && !isTimeZone(row.time_zone)) {
    throw fieldError("timeZone", "TIME_ZONE", "is not the IANA name of a time zone.");
  }
  const rules = readCallingWindow(body.callingWindow);
  const windows = await WindowCheck.load(tx, rules);
  if (windows.everOpens(row.time_zone, row.number_country)) return rules;
  throw fieldError("timeZone", "WINDOW_NEVER_OPENS", NEVER_OPENS);
}

/** Returns the exact text of contextData. Parsing and serialising it again would change numbers and key order. */
export function readContextText(bodyText: string, parsed: unknown): string | null {
  if (parsed === null || parsed === undefined) return null;
  const text = rawSlice(bodyText, ["contextData"]) ?? null;
  assertDataSize(text, "contextData");
  return text;
}

/** Throws a 422 when a text is larger than a row may carry. */
export function assertDataSize(text: string | null, path: string): void {
  if (text !== null && Buffer.byteLength(text) > MAX_DATA_BYTES) {
    throw fieldError(path, "TOO_LARGE", `must be at most ${MAX_DATA_BYTES} bytes of JSON.`);
  }
}
