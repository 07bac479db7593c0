import type { ChatMessageRow } from "./chat-row.ts";
import { toMessage } from "./chat-session.ts";
import type { ShownDelivery, StoredChatEvent } from "./event-store.ts";
import { handoffStateOf } from "./states.ts";

interface SessionState {
  status: string;
  mode: string;
  aiMode: string;
  assignee: string | null;
  /** Absent in events older than operator requests. */
  requestedAt?: string | null;
  endReason: string | null;
  windowExpiresAt: string | null;
  endedAt: string | null;
  outputsReady: boolean;
}

/** Returns an event's data for the API's streams: a message as it was then, or the session's state. */
export function showEvent(sessionId: string, event: StoredChatEvent): object | null {
  if (event.type === "session.updated") {
    const { assignee, requestedAt = null, ...state } = event.data as unknown as SessionState;
    const handoff = { state: handoffStateOf(state.mode, requestedAt), requestedAt, assignee };
    return { session: { id: sessionId, ...state, handoff } };
  }
  if (!event.message || event.message.disclosure === "HIDDEN") return null;
  const { deliveryStatus, errorCode } = event.data as unknown as ShownDelivery;
  const message = toMessage({ ...event.message, delivery_status: null, error: null } as ChatMessageRow);
  return { message: { ...message, deliveryStatus, errorCode } };
}

/**
 * Returns an event's data for the person in the chat, without tools, operator names or internal states. Null when
 * nothing is shown.
 */
export function showToVisitor(event: StoredChatEvent): object | null {
  if (event.type === "session.updated") {
    const { status } = event.data as unknown as SessionState;
    return { session: { status } };
  }
  const { message } = event;
  if (!message || message.role === "TOOL" || event.type !== "message.created") return null;
  const { id, role, content, client_message_id: clientMessageId, created_at } = message;
  return { message: { id, role, content, clientMessageId, createdAt: created_at.toISOString() } };
}
