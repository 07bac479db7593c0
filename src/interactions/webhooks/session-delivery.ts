import { RawJson, rawSlice, stringifyReply } from "#src/platform/http/json.ts";
import type { Task, TaskHandler } from "#src/platform/queue/queue.ts";
import { deliver, type DeliveryParts, keepToSchedule, PENDING_MS } from "./deliver.ts";
import { disableSubscription, findSubscription } from "./store.ts";
import { secretsPlace } from "./subscriptions.ts";

/** Payload of a session event in the outbox. */
export interface SessionPayload {
  eventId: string;
  eventType: string;
  occurredAt: string;
  /** JSON text of the event's members: session, row, message. */
  members: string;
}

interface Members {
  session: { id: string };
  row: { id: string; jobId: string | null } | null;
}

/**
 * Delivers session events to the webhook's current settings. If it was deleted or disabled, its pending events are
 * given up. A receiver that answers 410 gets nothing more until the webhook is enabled again.
 */
export function createSessionDelivery(parts: DeliveryParts): TaskHandler {
  return keepToSchedule(parts, async (task) => {
    const { workspaceId, subjectId: id } = task;
    const webhook = await findSubscription(parts.db, workspaceId, id);
    if (!webhook) return { kind: "DEAD", error: "The webhook was deleted." };
    if (!webhook.enabled) return { kind: "DEAD", error: "The webhook was disabled." };
    const payload = task.payload as unknown as SessionPayload;
    const { row } = JSON.parse(payload.members) as Members;
    const isEnd = payload.eventType === "session.ended" && row !== null;
    if (isEnd && (await parts.hasPendingOutputs(workspaceId, { rowId: row.id }))) {
      return { kind: "LATER", afterMs: PENDING_MS };
    }
    const { end, gone } = await deliver(parts, task, {
      url: webhook.url,
      authMode: webhook.auth_mode,
      headerName: webhook.header_name,
      sealed: webhook.secrets,
      place: secretsPlace(workspaceId, id),
      eventId: payload.eventId,
      eventType: payload.eventType,
      userAgent: "Service-Session-Webhook/1.0",
      body: sessionBody(parts.publicUrl, task, payload),
      rowId: row?.id ?? null,
    });
    if (gone) await disableSubscription(parts.db, workspaceId, id, webhook.url, "The receiver answered 410.");
    return end;
  });
}

/** Returns the body of a session event. Only `deliveryAttempt` differs between attempts. */
export function sessionBody(publicUrl: string, task: Pick<Task, "attempt">, payload: SessionPayload): string {
  const { eventId, eventType, occurredAt, members } = payload;
  const parsed = JSON.parse(members) as Members;
  const exact = Object.keys(parsed).map((name) => [name, new RawJson(rawSlice(members, [name]) ?? "null")]);
  return stringifyReply({
    eventId,
    eventType,
    occurredAt,
    deliveryAttempt: task.attempt,
    ...(Object.fromEntries(exact) as Record<string, RawJson>),
    retrieval: { endpoints: endpoints(`${publicUrl}/api/external/v1`, parsed) },
  });
}

function endpoints(api: string, { session, row }: Members): Record<string, string> {
  if (row === null) {
    const chat = `${api}/chat-sessions/${session.id}`;
    return { chatSession: chat, messages: `${chat}/messages` };
  }
  const call = { callRow: `${api}/call-rows/${row.id}` };
  return row.jobId === null ? call : { ...call, callJob: `${api}/call-jobs/${row.jobId}` };
}
