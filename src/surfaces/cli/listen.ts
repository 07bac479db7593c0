import { randomBytes, randomUUID } from "node:crypto";
import type { Parley, SessionWebhook, WebhookEvents } from "@parley/sdk";
import { ApiError, ConnectionError } from "@parley/sdk/errors";
import { signWebhook } from "#src/interactions/webhooks/sign.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Run } from "./run.ts";

const SESSION_EVENTS: readonly SessionWebhook["events"][number][] = [
  "session.started",
  "message.created",
  "session.human_requested",
  "call.alert",
  "session.ended",
];

/** Events that can be listened for. */
export const LISTENED_EVENTS: readonly string[] = [...SESSION_EVENTS, "call_job.completed"];

const FORWARD_TIMEOUT_MS = 15_000;
const WAIT_SECONDS = 10;
/** Pause after an answer, so that a busy workspace does not use up the rate limit. */
const PAUSE_MS = 500;
const LONGEST_REST_MS = 30_000;
/** Events remembered so that one for several webhooks is shown once. */
const REMEMBERED = 10_000;

/** Answer of the address to which an event was forwarded. */
export type Forwarded = { status: number; durationMs: number } | { error: string; durationMs: number };

/** An event as it is shown. */
export interface Heard {
  eventId: string;
  eventType: string;
  event: Record<string, unknown>;
  forwarded: Forwarded | null;
}

/** A listener's settings. */
export interface ListenOptions {
  events: readonly string[];
  forwardTo: string | undefined;
}

/**
 * Gives the workspace's events to `hear`, each once, until the signal aborts. While it listens, the workspace has a
 * session webhook more, whose target is the workspace's own inspector. `begun` gets the secret with which forwarded
 * events are signed, and the inspector's address.
 */
export async function listen(
  run: Run,
  client: Parley,
  { events, forwardTo }: ListenOptions,
  { begun, hear }: { begun: (secret: string, address: string) => void; hear: (heard: Heard) => Promise<void> },
  signal: AbortSignal,
): Promise<never> {
  const { url } = await client.sessionWebhooks.inspector({ signal });
  let { cursor } = await client.sessionWebhooks.events({}, { signal });
  const ofSessions = SESSION_EVENTS.filter((type) => events.includes(type));
  const hook =
    ofSessions.length > 0
      ? await client.sessionWebhooks.create({ url: `${url}?listener=${randomUUID()}`, events: ofSessions })
      : undefined;
  const secret = hook?.signingSecret ?? `whsec_${randomBytes(32).toString("base64")}`;
  const seen = new Set<string>();
  try {
    begun(secret, url);
    for (;;) {
      const page = await untilAnswered(run, signal, () =>
        client.sessionWebhooks.events({ after: cursor, waitSeconds: WAIT_SECONDS }, { signal }),
      );
      for (const entry of page.events) {
        signal.throwIfAborted();
        if (!events.includes(entry.eventType) || seen.has(entry.eventId)) continue;
        remember(seen, entry.eventId);
        const forwarded = forwardTo === undefined ? null : await forward(forwardTo, secret, entry);
        const event = JSON.parse(entry.body) as Record<string, unknown>;
        await hear({ eventId: entry.eventId, eventType: entry.eventType, event, forwarded });
      }
      cursor = page.cursor;
      await rest(PAUSE_MS, signal);
    }
  } finally {
    // The signal has aborted, and the webhook has to go all the same.
    if (hook) await client.sessionWebhooks.delete(hook.id).catch((error: unknown) => warnLeft(run, hook.id, error));
  }
}

function warnLeft(run: Run, id: string, error: unknown): void {
  run.warn(`The session webhook ${id} of this listener is still there: ${toError(error).message}`);
}

function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  for (const oldest of seen) {
    if (seen.size <= REMEMBERED) return;
    seen.delete(oldest);
  }
}

/** Asks until the server answers: the cursor stays, so nothing is lost meanwhile. */
async function untilAnswered(run: Run, signal: AbortSignal, ask: () => Promise<WebhookEvents>): Promise<WebhookEvents> {
  for (let waitMs = 1_000; ; waitMs = Math.min(waitMs * 2, LONGEST_REST_MS)) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      const isPassing =
        error instanceof ConnectionError ||
        (error instanceof ApiError && (error.status >= 500 || error.status === 429));
      if (!isPassing) throw error;
      run.note(run.paint("dim", `${toError(error).message} Listening again in ${waitMs / 1_000} s.`));
      await rest(waitMs, signal);
    }
  }
}

function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    function done(): void {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      if (signal.aborted) reject(toError(signal.reason));
      else resolve();
    }
  });
}

/** Sends an event as the service would, signed anew, since receivers refuse old signatures. */
async function forward(
  url: string,
  secret: string,
  { eventId, eventType, body }: WebhookEvents["events"][number],
): Promise<Forwarded> {
  const startedAt = performance.now();
  const durationMs = () => Math.round(performance.now() - startedAt);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...signWebhook({ secret, id: eventId, timestampSeconds: Date.now() / 1_000, body }),
        "content-type": "application/json",
        "user-agent": `Service-${eventType === "call_job.completed" ? "Completion" : "Session"}-Webhook/1.0`,
        "x-service-event-type": eventType,
        "x-service-event-id": eventId,
        "x-service-delivery-attempt": "1",
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(FORWARD_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return { status: response.status, durationMs: durationMs() };
  } catch (thrown) {
    const { cause, message } = toError(thrown);
    return { error: cause === undefined ? message : toError(cause).message, durationMs: durationMs() };
  }
}
