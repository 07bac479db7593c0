import { all, type Executor, NOT_FLUSHED, sql } from "#src/platform/db/database.ts";
import { OutboundError, type SafeFetch } from "#src/platform/http/safe-fetch.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { MASK } from "#src/platform/kernel/mask.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { Span, Tracer } from "#src/platform/kernel/tracing.ts";
import { hastenPutOff, type Task, type TaskEnd, type TaskHandler } from "#src/platform/queue/queue.ts";
import { isResting, noteAnswer } from "./receiver-sql.ts";
import { nextDeliveryDelayMs, nextLookMs, parseRetryAfterMs } from "./schedule.ts";
import { signWebhook } from "./sign.ts";
import type { AuthMode, WebhookSecrets } from "./target.ts";

/** Total timeout, from the first byte to the last of the answer. */
const DEADLINE_MS = 15_000;
const KEPT_RESPONSE_BYTES = 4_096;
const KEPT_HEADERS = 50;
const GONE = 410;
const RESTS = "Not sent yet: the receiver has failed for a while and is asked once a minute until it answers.";
const NEVER_BACK = "Given up after four days: the receiver fails.";
/** Interval at which an event that waits for a call's outputs checks them. */
export const PENDING_MS = 2_000;

/** Dependencies of every delivery. */
export interface DeliveryParts {
  db: Executor;
  safeFetch: SafeFetch;
  box: SecretBox;
  publicUrl: string;
  /** Null: nothing is traced. */
  tracer?: Tracer | null;
  random: () => number;
  now: () => Date;
  /** True while outputs of the call, or of any call of the job, are still being filled. */
  hasPendingOutputs: (workspaceId: string, of: { rowId: string } | { jobId: string }) => Promise<boolean>;
}

/** One event to deliver to one receiver. */
export interface Delivery {
  url: string;
  authMode: AuthMode;
  headerName: string | null;
  /** The sealed secrets, and the place for which they were sealed. */
  sealed: Buffer;
  place: string;
  eventId: string;
  eventType: string;
  userAgent: string;
  body: string;
  /** The call whose trace the delivery belongs to; null: one of its own. */
  rowId: string | null;
}

/** Result of an attempt. `gone` when the receiver answered 410. */
export interface Delivered {
  end: TaskEnd;
  gone: boolean;
}

/**
 * Makes one attempt of a delivery: same event id on every attempt, rising attempt number, 2xx only, no redirects, 410
 * stops, ten attempts over about 75 hours. A receiver that has failed for a while rests: it is tried once a minute, and
 * its other events are put off without using up an attempt. Its first answer makes all of them due at once.
 */
export async function deliver(parts: DeliveryParts, task: Task, delivery: Delivery): Promise<Delivered> {
  const startedAt = performance.now();
  const receiver = { workspaceId: task.workspaceId, endpoint: new URL(delivery.url).host };
  if (await isResting(parts.db, receiver)) return { end: putOff(parts, task), gone: false };
  const { rowId } = delivery;
  const span = (rowId === null ? parts.tracer?.ofNothing() : parts.tracer?.ofCall(rowId)?.child()) ?? null;
  const startMs = nowMs();
  const answer = await send(parts, task, delivery, span?.traceparent);
  if (span) endSpan(span, startMs, task, delivery, answer);
  const isBack = await noteAnswer(parts.db, receiver, "status" in answer && answer.status < 500);
  if (isBack) await hastenPutOff(parts.db, task, RESTS);
  await record(parts.db, task, delivery, answer, Math.round(performance.now() - startedAt));
  return { end: decide(parts, task, answer), gone: "status" in answer && answer.status === GONE };
}

/** Keeps the handler of a kind of delivery to the ten attempts when an error ends one of them. */
export function keepToSchedule({ random }: DeliveryParts, handler: TaskHandler): TaskHandler {
  return Object.assign(handler, { afterCrashMs: (attempt: number) => nextDeliveryDelayMs(attempt, random) });
}

function putOff({ now, random }: DeliveryParts, { createdAt }: Task): TaskEnd {
  const afterMs = nextLookMs(now().getTime() - createdAt.getTime(), random);
  return afterMs === null ? { kind: "DEAD", error: NEVER_BACK } : { kind: "LATER", afterMs, error: RESTS };
}

type Answer = (
  | { status: number; body: string; retryAfter: string | undefined; headers: Record<string, unknown> }
  | { error: string }
) & { sent: Record<string, string> };

async function send(
  parts: DeliveryParts,
  task: Task,
  delivery: Delivery,
  traceparent: string | undefined,
): Promise<Answer> {
  const { eventId, eventType, body } = delivery;
  let sent: Record<string, string> = {};
  try {
    const secrets = JSON.parse(parts.box.open(delivery.sealed, delivery.place)) as WebhookSecrets;
    const headers = {
      ...(traceparent ? { traceparent } : {}),
      ...signWebhook({
        secret: secrets.signingSecret,
        id: eventId,
        timestampSeconds: Math.floor(parts.now().getTime() / 1000),
        body,
      }),
      ...authHeaders(delivery, secrets),
      "content-type": "application/json",
      "user-agent": delivery.userAgent,
      "x-service-event-type": eventType,
      "x-service-event-id": eventId,
      "x-service-delivery-attempt": String(task.attempt),
    };
    sent = maskHeaders(delivery, headers);
    const response = await parts.safeFetch(delivery.url, {
      method: "POST",
      headers,
      body,
      timeoutMs: DEADLINE_MS,
      maxResponseBytes: KEPT_RESPONSE_BYTES,
    });
    const retryAfter = response.headers["retry-after"];
    return {
      status: response.status,
      body: response.body.toString("utf8").replaceAll("\u0000", ""),
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
      headers: response.headers,
      sent,
    };
  } catch (error) {
    const why = error instanceof OutboundError ? `${error.kind}: ${error.message}` : toError(error).message;
    return { error: why, sent };
  }
}

/** Ends the span of an attempt. */
function endSpan(span: Span, startMs: number, task: Task, { eventType, eventId }: Delivery, answer: Answer): void {
  const status = "status" in answer ? answer.status : undefined;
  const attributes = {
    "http.request.method": "POST",
    "http.response.status_code": status,
    "parley.workspace.id": task.workspaceId,
    "parley.event.type": eventType,
    "parley.event.id": eventId,
    "parley.delivery.attempt": task.attempt,
  };
  const fault = status === undefined ? "UNREACHABLE" : status >= 200 && status < 300 ? null : String(status);
  span.end({ name: "webhook", kind: "CLIENT", startMs, endMs: nowMs(), attributes, fault });
}

function authHeaders({ authMode, headerName }: Delivery, secrets: WebhookSecrets): Record<string, string> {
  if (authMode === "BEARER") return { authorization: `Bearer ${secrets.secret}` };
  if (authMode === "CUSTOM_HEADER") return { [headerName as string]: secrets.headerValue ?? "" };
  return {};
}

/** Returns the headers for display, with the receiver's credential masked. */
function maskHeaders({ authMode, headerName }: Delivery, headers: Record<string, string>): Record<string, string> {
  const secret = authMode === "CUSTOM_HEADER" ? headerName?.toLowerCase() : "authorization";
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, name.toLowerCase() === secret ? MASK : value]),
  );
}

/** Returns the headers as storable text, limited in number and length. */
function keptHeaders(headers: Record<string, unknown>): string {
  const shown = Object.entries(headers).slice(0, KEPT_HEADERS);
  const texts = shown.map(([name, value]) => [name, String(value).replaceAll("\u0000", "").slice(0, 1_000)]);
  return JSON.stringify(Object.fromEntries(texts));
}

function decide(parts: DeliveryParts, task: Task, answer: Answer): TaskEnd {
  if ("status" in answer && answer.status >= 200 && answer.status < 300) return { kind: "DONE" };
  const error = "error" in answer ? answer.error : `The receiver answered ${answer.status}.`;
  if ("status" in answer && answer.status === GONE) return { kind: "DEAD", error };
  const retryAfter = "status" in answer ? answer.retryAfter : undefined;
  const afterMs = nextDeliveryDelayMs(task.attempt, parts.random, parseRetryAfterMs(retryAfter, parts.now().getTime()));
  return afterMs === null ? { kind: "DEAD", error } : { kind: "RETRY", afterMs, error };
}

/** Records an attempt of a delivery; the end of its task, which is written next, makes the record safe from a crash. */
async function record(db: Executor, task: Task, { url }: Delivery, answer: Answer, durationMs: number): Promise<void> {
  const status = "status" in answer ? answer.status : null;
  const body = "status" in answer ? answer.body : null;
  const error = "error" in answer ? answer.error : null;
  const answered = "headers" in answer ? keptHeaders(answer.headers) : null;
  await all(
    db,
    sql`with ${sql.raw(NOT_FLUSHED)}
        insert into webhook_attempts (workspace_id, task_id, attempt, url, response_status, response_body, error, duration_ms,
                                      request_headers, response_headers)
        select ${task.workspaceId}::uuid, ${task.id}::uuid, ${task.attempt}::int, ${url}, ${status}::int, ${body}, ${error},
               ${durationMs}::int, ${keptHeaders(answer.sent)}::json, ${answered}::json
          from not_flushed
        on conflict do nothing`,
  );
}

/** Returns the place for which a job's secrets are sealed. Copied to another row, they do not open. */
export function webhookSecretPlace(workspaceId: string, jobId: string): string {
  return `${workspaceId}|call_jobs|webhook_secret|${jobId}`;
}

/** Payload of a completion in the outbox. */
export interface CompletionPayload {
  webhook: { url: string; authMode: AuthMode; headerName: string | null };
  /** Base64 of the sealed secrets. */
  secret: string;
  occurredAt: string;
  job: { id: string } & Record<string, unknown>;
}

/** Delivers call_job.completed. */
export function createCompletionDelivery(parts: DeliveryParts): TaskHandler {
  return keepToSchedule(parts, async (task) => {
    const payload = task.payload as unknown as CompletionPayload;
    // The receiver reads the rows at once, so the event waits until their fields are filled.
    if (await parts.hasPendingOutputs(task.workspaceId, { jobId: payload.job.id })) {
      return { kind: "LATER", afterMs: PENDING_MS };
    }
    const { end } = await deliver(parts, task, {
      ...payload.webhook,
      sealed: Buffer.from(payload.secret, "base64"),
      place: webhookSecretPlace(task.workspaceId, payload.job.id),
      eventId: task.id,
      eventType: "call_job.completed",
      userAgent: "Service-Completion-Webhook/1.0",
      body: JSON.stringify(completionBody(parts.publicUrl, task, payload)),
      rowId: null,
    });
    return end;
  });
}

/** Returns the body of the contract's event. Only `deliveryAttempt` differs between attempts. */
export function completionBody(
  publicUrl: string,
  task: Pick<Task, "id" | "attempt">,
  payload: CompletionPayload,
): Record<string, unknown> {
  const job = `${publicUrl}/api/external/v1/call-jobs/${payload.job.id}`;
  return {
    eventId: task.id,
    eventType: "call_job.completed",
    occurredAt: payload.occurredAt,
    deliveryAttempt: task.attempt,
    job: payload.job,
    retrieval: { endpoints: { callJob: job, callRows: `${job}/rows` } },
  };
}
