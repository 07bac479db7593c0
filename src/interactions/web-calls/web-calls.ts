import { flowSelection, selectFlow } from "#src/authoring/flows/flows.ts";
import { assertDataSize, contactFields, readContextText } from "#src/interactions/calls/calls.ts";
import { NO_JOB, NO_NUMBER, nameWebPerson, type NewRow } from "#src/interactions/calls/new-row.ts";
import { insertRows } from "#src/interactions/calls/queue-rows.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { readOrigins } from "#src/platform/http/origins.ts";
import { E164, nullable, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, fieldError, missing } from "#src/platform/kernel/errors.ts";
import { randomText, sha256, uuidv7 } from "#src/platform/kernel/id.ts";
import { isTimeZone } from "#src/platform/kernel/time-zones.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { GATE_REASONS } from "#src/tenancy/compliance/gate.ts";
import { classifyNumber } from "#src/tenancy/compliance/numbers.ts";
import { countOpen, holdWebPhone, insertWebCall, lacksCredit } from "./store.ts";

/** Kind of the task that ends a call which nobody began. */
export const EXPIRY_TASK = "web_call.expire";
/** Path of the WebSocket that pages open. */
export const SOCKET_PATH = "/api/web-calls/socket";
/** Limit of a workspace's calls over the web that wait or are live. */
const MAX_OPEN_CALLS = 50;
const DEFAULT_WAIT_SECONDS = 60;

/** Schema of page origins. */
export const OriginList = nullable(
  Type.Array(Type.String({ maxLength: 300 }), {
    maxItems: 20,
    description:
      "Origins of the pages that may use the token, such as https://www.example.com. Unset: this server's own.",
  }),
);

/** Body of POST /web-calls. */
export const WebCallInput = Type.Object(
  {
    ...flowSelection,
    ...contactFields,
    customerNumber: Type.Optional(
      nullable(Type.String({ ...E164, description: "Who the person is, where that is known. No telephone is rung." })),
    ),
    displayName: Type.Optional(
      nullable(
        Type.String({
          minLength: 1,
          maxLength: 100,
          pattern: "\\S",
          description: "Whom the page shows as the other side.",
        }),
      ),
    ),
    webPhoneId: Type.Optional(
      nullable({ ...Uuid, description: "Page that is rung. Unset: the page that gets the token begins the call." }),
    ),
    waitSeconds: Type.Optional(
      nullable(
        Type.Integer({ minimum: 5, maximum: 300, description: "How long the call waits to be begun. Default 60." }),
      ),
    ),
    allowedOrigins: Type.Optional(OriginList),
  },
  { $id: "WebCallInput" },
);
export type WebCallInput = Static<typeof WebCallInput>;

/** Reply of POST /web-calls. */
export const WebCall = Type.Object(
  {
    callRowId: Uuid,
    sessionId: Uuid,
    token: nullable(
      Type.String({
        description: "For the page that begins the call; null for one that is rung. Good for this call alone.",
      }),
    ),
    socketUrl: Type.String({ description: "WebSocket of the page." }),
    webPhoneId: nullable(Uuid),
    expiresAt: Timestamp,
  },
  { $id: "WebCall" },
);

/** Returns the address of the WebSocket. */
export function socketUrlOf(publicUrl: string): string {
  return publicUrl.replace(/^http/, "ws") + SOCKET_PATH;
}

/** Creates a call that waits for its page: row, token and expiry, in the caller's transaction. */
export async function createWebCall(
  tx: Executor,
  publicUrl: string,
  workspaceId: string,
  body: WebCallInput,
  bodyText: string,
): Promise<Static<typeof WebCall>> {
  const flow = await selectFlow(tx, workspaceId, body as Parameters<typeof selectFlow>[2]);
  const webPhoneId = body.webPhoneId ?? null;
  const allowedOrigins = readOrigins(body.allowedOrigins ?? [], "allowedOrigins");
  if (webPhoneId !== null && !(await holdWebPhone(tx, workspaceId, webPhoneId)))
    throw missing(`Web phone ${webPhoneId}`);
  if ((await countOpen(tx, workspaceId)) >= MAX_OPEN_CALLS) {
    throw new AppError("CONFLICT", `The workspace has ${MAX_OPEN_CALLS} calls over the web already.`);
  }
  const row = toWebRow(body, bodyText);
  // Asked only before it begins: a call that has begun goes on, as a chat does.
  if (await lacksCredit(tx, workspaceId, row.customer_number)) {
    const message = `The call cannot begin. ${GATE_REASONS.BALANCE_EXHAUSTED}`;
    throw new AppError("VALIDATION_FAILED", message, [{ path: "", code: "BALANCE_EXHAUSTED", message }]);
  }
  const named = { flowId: flow.flowId, flowApiId: flow.flowApiId, inlineFlow: flow.inline };
  const alone = { jobId: NO_JOB, retryConfig: null, maxAttempts: 1, callingWindow: null, startAt: null };
  await insertRows(tx, workspaceId, { ...alone, ...named }, [row]);
  const token = webPhoneId === null ? `wct_${randomText(44)}` : null;
  const expiresAt = await insertWebCall(tx, workspaceId, {
    rowId: row.id,
    tokenHash: token === null ? null : sha256(token),
    webPhoneId,
    displayName: body.displayName ?? null,
    allowedOrigins,
    lifetimeSeconds: body.waitSeconds ?? DEFAULT_WAIT_SECONDS,
  });
  await addTask(tx, workspaceId, { kind: EXPIRY_TASK, subjectId: row.id, payload: {}, dueAt: expiresAt });
  await appendEvents(tx, workspaceId, [{ type: "call.queued", subjectId: row.id, data: { jobId: null } }]);
  const socketUrl = socketUrlOf(publicUrl);
  const { id: callRowId, session_id: sessionId } = row;
  return { callRowId, sessionId, token, socketUrl, webPhoneId, expiresAt: expiresAt.toISOString() };
}

function toWebRow(body: WebCallInput, bodyText: string): NewRow {
  if (body.timeZone && !isTimeZone(body.timeZone)) {
    throw fieldError("timeZone", "TIME_ZONE", "is not the IANA name of a time zone.");
  }
  assertDataSize(body.rowData ? JSON.stringify(body.rowData) : null, "rowData");
  const id = uuidv7();
  const customerNumber = body.customerNumber ?? nameWebPerson(id);
  const { country, numberClass } = classifyNumber(customerNumber);
  return {
    id,
    session_id: uuidv7(),
    line: null,
    external_id: null,
    customer_number: customerNumber,
    number_country: country,
    number_class: numberClass,
    phone_number_id: NO_NUMBER,
    contact_name: body.contactName ?? null,
    contact_email: body.contactEmail ?? null,
    row_data: body.rowData ?? null,
    context_data: readContextText(bodyText, body.contextData),
    time_zone: body.timeZone ?? null,
    head_start_ms: 0,
  };
}
