import { send } from "../request";
import type { Bundle, Json, ZObject } from "../zapier";

const MOST = 3;

/** Returns events as they would have come for the latest calls or messages, for those who set up a Zap. */
export async function recentEvents(z: ZObject, bundle: Bundle, eventType: string): Promise<Json[]> {
  return eventType === "message.created" ? recentMessages(z, bundle) : recentCalls(z, bundle, eventType);
}

async function recentCalls(z: ZObject, bundle: Bundle, eventType: string): Promise<Json[]> {
  const params = eventType === "session.human_requested" ? { humanRequested: "true" } : {};
  const { content } = await send(z, bundle, { path: "/call-history", params: { ...params, size: MOST } });
  const isAlert = eventType === "call.alert";
  const calls = (content as (Json & { alerts: Json[] })[]).filter(({ alerts }) => !isAlert || alerts.length > 0);
  return calls.map((call) => ({
    ...eventOf(call.id, eventType, call.endedAt ?? call.createdAt),
    session: {
      ...pick(call, ["status", "outcome", "flowId", "flowApiId", "contactName", "endReason", "contextData", "endedAt"]),
      id: call.sessionId,
      channel: "VOICE",
      contactPhone: call.customerNumber,
      startedAt: call.answeredAt,
    },
    row: pick(call, ["id", "jobId", "humanRequested"]),
    ...(isAlert ? { alert: pick(call.alerts.at(-1) as Json, ["kind", "raisedAt", "times"]) } : {}),
  }));
}

async function recentMessages(z: ZObject, bundle: Bundle): Promise<Json[]> {
  const { content: chats } = await send(z, bundle, { path: "/chat-sessions", params: { size: 1 } });
  const [chat] = chats as Json[];
  if (!chat) return [];
  const { content } = await send(z, bundle, { path: `/chat-sessions/${String(chat.id)}/messages` });
  return (content as Json[]).slice(-MOST).map((message) => ({
    ...eventOf(message.id, "message.created", message.createdAt),
    session: pick(chat, ["id", "channel", "status", "flowId", "flowApiId", "contactName", "contactPhone"]),
    row: null,
    message: pick(message, ["id", "role", "content", "createdAt"]),
  }));
}

function eventOf(id: unknown, eventType: string, occurredAt: unknown): Json {
  return { id, eventId: id, eventType, occurredAt, deliveryAttempt: 1 };
}

function pick(from: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
}
