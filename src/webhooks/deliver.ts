import { all, type Executor, sql } from "#src/db/database.ts";
import { OutboundError, type SafeFetch } from "#src/http/safe-fetch.ts";
import { toError } from "#src/kernel/errors.ts";
import type { SecretBox } from "#src/kernel/secret-box.ts";
import type { Task, TaskEnd, TaskHandler } from "#src/queue/queue.ts";
import { nextDeliveryDelayMs, parseRetryAfterMs } from "./schedule.ts";
import { signWebhook } from "./sign.ts";

/** Absolute, from the first byte to the last of the answer (design section 4, "Webhooks out"). */
const DEADLINE_MS = 15_000;
const KEPT_RESPONSE_BYTES = 4_096;
const GONE = 410;

/** What a job's webhook keeps sealed. */
export interface WebhookSecrets {
  signingSecret: string;
  /** For BEARER. */
  secret: string | null;
  /** For CUSTOM_HEADER. */
  headerValue: string | null;
}

/** The place a job's secrets are sealed for: copied to another row they do not open. */
export function webhookSecretPlace(workspaceId: string, jobId: string): string {
  return `${workspaceId}|call_jobs|webhook_secret|${jobId}`;
}

interface CompletionPayload {
  webhook: { url: string; authMode: "NONE" | "BEARER" | "CUSTOM_HEADER"; headerName: string | null };
  /** Base64 of the sealed secrets. */
  secret: string;
  occurredAt: string;
  job: { id: string } & Record<string, unknown>;
}

export interface DeliveryParts {
  db: Executor;
  safeFetch: SafeFetch;
  box: SecretBox;
  publicUrl: string;
  random: () => number;
  now: () => Date;
}

/**
 * Delivers call_job.completed (spec, "Events"): same event id on every attempt, an attempt number that grows, 2xx
 * only, no redirects, 410 stops, ten attempts over about 75 hours.
 */
export function createCompletionDelivery(parts: DeliveryParts): TaskHandler {
  return async (task) => {
    const payload = task.payload as unknown as CompletionPayload;
    const startedAt = performance.now();
    const answer = await send(parts, task, payload);
    await record(parts.db, task, payload.webhook.url, answer, Math.round(performance.now() - startedAt));
    return decide(parts, task, answer);
  };
}

type Answer = { status: number; body: string; retryAfter: string | undefined } | { error: string };

async function send(parts: DeliveryParts, task: Task, payload: CompletionPayload): Promise<Answer> {
  const body = JSON.stringify(completionBody(parts.publicUrl, task, payload));
  const place = webhookSecretPlace(task.workspaceId, payload.job.id);
  try {
    const secrets = JSON.parse(parts.box.open(Buffer.from(payload.secret, "base64"), place)) as WebhookSecrets;
    const headers = {
      ...signWebhook({
        secret: secrets.signingSecret,
        id: task.id,
        timestampSeconds: Math.floor(parts.now().getTime() / 1000),
        body,
      }),
      ...authHeaders(payload, secrets),
      "content-type": "application/json",
      "user-agent": "Service-Completion-Webhook/1.0",
      "x-service-event-type": "call_job.completed",
      "x-service-event-id": task.id,
      "x-service-delivery-attempt": String(task.attempt),
    };
    const response = await parts.safeFetch(payload.webhook.url, {
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
    };
  } catch (error) {
    return { error: error instanceof OutboundError ? `${error.kind}: ${error.message}` : toError(error).message };
  }
}

/** The body of the spec's event; only `deliveryAttempt` differs between attempts. */
function completionBody(publicUrl: string, task: Task, payload: CompletionPayload): Record<string, unknown> {
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

function authHeaders({ webhook }: CompletionPayload, secrets: WebhookSecrets): Record<string, string> {
  if (webhook.authMode === "BEARER") return { authorization: `Bearer ${secrets.secret}` };
  if (webhook.authMode === "CUSTOM_HEADER") return { [webhook.headerName as string]: secrets.headerValue ?? "" };
  return {};
}

function decide(parts: DeliveryParts, task: Task, answer: Answer): TaskEnd {
  if ("status" in answer && answer.status >= 200 && answer.status < 300) return { kind: "DONE" };
  const error = "error" in answer ? answer.error : `The receiver answered ${answer.status}.`;
  if ("status" in answer && answer.status === GONE) return { kind: "DEAD", error };
  const retryAfter = "status" in answer ? answer.retryAfter : undefined;
  const afterMs = nextDeliveryDelayMs(task.attempt, parts.random, parseRetryAfterMs(retryAfter, parts.now().getTime()));
  return afterMs === null ? { kind: "DEAD", error } : { kind: "RETRY", afterMs, error };
}

async function record(db: Executor, task: Task, url: string, answer: Answer, durationMs: number): Promise<void> {
  const status = "status" in answer ? answer.status : null;
  const body = "status" in answer ? answer.body : null;
  const error = "error" in answer ? answer.error : null;
  await all(
    db,
    sql`insert into webhook_attempts (workspace_id, task_id, attempt, url, response_status, response_body, error, duration_ms)
        values (${task.workspaceId}, ${task.id}, ${task.attempt}, ${url}, ${status}, ${body}, ${error}, ${durationMs})
        on conflict do nothing`,
  );
}
