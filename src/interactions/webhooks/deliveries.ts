import type { Executor } from "#src/platform/db/database.ts";
import type { PageRequest } from "#src/platform/db/paged-lists.ts";
import { stringifyReply } from "#src/platform/http/json.ts";
import { type Page, pageOf, toPage } from "#src/platform/http/paging.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { type CompletionPayload, completionBody } from "./deliver.ts";
import { type DeliveryRow, findDelivery, listAttempts, listDeliveries, putDeliveryBack } from "./delivery-sql.ts";
import { endRests } from "./receiver-sql.ts";
import { sessionBody, type SessionPayload } from "./session-delivery.ts";

/** State of a delivery. WAITING until its next attempt; DEAD when given up, until somebody sends it again. */
export const DELIVERY_STATES = ["WAITING", "SENDING", "DELIVERED", "DEAD"] as const;
type DeliveryState = (typeof DELIVERY_STATES)[number];
const STORED = { WAITING: "PENDING", SENDING: "RUNNING", DELIVERED: "DONE", DEAD: "DEAD" } as const;
const SHOWN = { PENDING: "WAITING", RUNNING: "SENDING", DONE: "DELIVERED", DEAD: "DEAD" } as const;

const fields = {
  id: Uuid,
  eventId: nullable(Type.String({ description: "X-Service-Event-Id; null once its content was erased." })),
  eventType: Type.String(),
  subjectId: Uuid,
  url: nullable(Type.String()),
  status: oneOf(DELIVERY_STATES),
  attempts: Type.Integer(),
  lastResponseStatus: nullable(Type.Integer()),
  lastError: nullable(Type.String()),
  createdAt: Timestamp,
  nextAttemptAt: nullable(Timestamp),
  finishedAt: nullable(Timestamp),
};

/** One event to deliver to one receiver. */
export const WebhookDelivery = Type.Object(fields, { $id: "WebhookDelivery" });
export type WebhookDelivery = Static<typeof WebhookDelivery>;
export const DeliveryPage = pageOf(WebhookDelivery, "WebhookDeliveryPage");

const Headers = nullable(Type.Record(Type.String(), Type.String()));

/** A delivery with its attempts, newest first, and the body of the latest or next one. */
export const DeliveryDetail = Type.Object(
  {
    ...fields,
    body: nullable(Type.String({ description: "JSON text as it is sent; null once it was erased." })),
    history: Type.Array(
      Type.Object({
        attempt: Type.Integer(),
        at: Timestamp,
        url: Type.String(),
        durationMs: Type.Integer(),
        responseStatus: nullable(Type.Integer()),
        responseBody: nullable(Type.String()),
        error: nullable(Type.String()),
        requestHeaders: Headers,
        responseHeaders: Headers,
      }),
    ),
  },
  { $id: "WebhookDeliveryDetail" },
);
export type DeliveryDetail = Static<typeof DeliveryDetail>;

/** A page of the deliveries of a workspace, newest first. */
export async function getDeliveries(
  db: Executor,
  workspaceId: string,
  request: PageRequest,
  { status, rowId }: { status?: DeliveryState; rowId?: string },
): Promise<Page<WebhookDelivery>> {
  const stored = status && STORED[status];
  const { rows, count } = await listDeliveries(db, workspaceId, request, { status: stored, rowId });
  return toPage(request, rows.map(toDelivery), count);
}

/** One delivery with its attempts; 404 when there is none. */
export async function getDelivery(
  db: Executor,
  publicUrl: string,
  workspaceId: string,
  id: string,
): Promise<DeliveryDetail> {
  const row = await findDelivery(db, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND", "There is no such delivery.");
  const attempts = await listAttempts(db, workspaceId, row.id);
  return {
    ...toDelivery(row),
    body: isErased(row) ? null : bodyOf(publicUrl, row),
    history: attempts.map((one) => ({
      attempt: one.attempt,
      at: one.created_at.toISOString(),
      url: one.url,
      durationMs: one.duration_ms,
      responseStatus: one.response_status,
      responseBody: one.response_body,
      error: one.error,
      requestHeaders: one.request_headers,
      responseHeaders: one.response_headers,
    })),
  };
}

/** Sends an event once more, or at once instead of later; 409 while it is being sent, and once it was erased. */
export async function redeliver(tx: Executor, workspaceId: string, id: string): Promise<WebhookDelivery> {
  const row = await findDelivery(tx, workspaceId, id, true);
  if (!row) throw new AppError("NOT_FOUND", "There is no such delivery.");
  if (row.status === "RUNNING") throw new AppError("CONFLICT", "It is being sent at this moment.");
  if (isErased(row)) throw new AppError("CONFLICT", "Its content was erased, so there is nothing to send.");
  await putDeliveryBack(tx, workspaceId, row.id);
  await endRests(tx, workspaceId);
  return toDelivery((await findDelivery(tx, workspaceId, row.id)) ?? row);
}

/** True for a delivery whose content was erased. */
export function isErased({ payload }: DeliveryRow): boolean {
  return Object.keys(payload).length === 0;
}

/** Returns the body of the latest or next attempt; a delivery that waits for its first one shows number 1. */
export function bodyOf(publicUrl: string, { id, kind, attempt, payload }: DeliveryRow): string {
  const task = { id, attempt: Math.max(1, attempt) };
  if (kind === "session.event") return sessionBody(publicUrl, task, payload as unknown as SessionPayload);
  return stringifyReply(completionBody(publicUrl, task, payload as unknown as CompletionPayload));
}

/** Returns a delivery as the API shows it. */
export function toDelivery(row: DeliveryRow): WebhookDelivery {
  const isSession = row.kind === "session.event";
  const { eventId = null, eventType = "session" } = row.payload as Partial<SessionPayload>;
  const { webhook } = row.payload as Partial<CompletionPayload>;
  return {
    id: row.id,
    eventId: isSession ? eventId : row.id,
    eventType: isSession ? eventType : row.kind,
    subjectId: row.subject_id,
    url: isSession ? row.webhook_url : (webhook?.url ?? null),
    status: SHOWN[row.status],
    attempts: row.attempt,
    lastResponseStatus: row.last_status,
    lastError: row.last_error,
    createdAt: row.created_at.toISOString(),
    nextAttemptAt: row.status === "PENDING" ? row.due_at.toISOString() : null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}
