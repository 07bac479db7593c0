import { reviewChat } from "#src/interactions/opt-out-reviews/opt-out-reviews.ts";
import { announceSession, type SessionEventType } from "#src/interactions/webhooks/session-webhooks.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { RawJson } from "#src/platform/http/json.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { splitText } from "#src/platform/kernel/split-text.ts";
import { toStorableText } from "#src/platform/kernel/storable.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import type { MessageTemplate } from "#src/telephony/messaging/messenger.ts";
import { limitText } from "#src/telephony/messaging/text-limits.ts";
import type { ChatMessageRow, ChatRow } from "./chat-row.ts";
import { toMessage } from "./chat-session.ts";
import { appendCreated, appendSessionUpdate } from "./event-store.ts";
import { dropUnanswered, insertMessages, listConversation } from "./message-store.ts";
import { noteMessages, setEnded, setTurnTask } from "./store.ts";

/** Task that takes the agent's due turns of one chat. */
export const TURN_TASK = "chat.turn";
/** Task that stores the answer of an async tool. */
export const TOOL_ANSWER_TASK = "chat.tool-answer";
/** Task that delivers one message. */
export const DELIVER_TASK = "chat.deliver";
/** Task that fills the outputs of a chat that ended, and announces its end. */
export const FINISH_TASK = "chat.finish";
/** Task that ends a chat once it has been idle for too long. */
export const IDLE_TASK = "chat.idle";

/** A message to be written into a chat. */
export interface Draft {
  role: ChatMessageRow["role"];
  content: string;
  toolCallId?: string | null;
  clientMessageId?: string | null;
  /** Id of a person's message that a provider delivered. */
  providerMessageId?: string | null;
  needsAnswer?: boolean;
  template?: MessageTemplate | null;
  confirmsOptOut?: boolean;
  disclosure?: ChatMessageRow["disclosure"];
  citations?: ChatMessageRow["citations"];
}

/**
 * Writes messages into a chat whose row is locked: messages, deliveries, events and webhooks in one transaction.
 * `anchor` is the position of the message that they answer; null when each stands for itself. An agent's text that is
 * too long for the chat's provider becomes several messages in order.
 */
export async function appendMessages(
  tx: Executor,
  chat: ChatRow,
  written: Draft[],
  anchor: number | null,
): Promise<ChatMessageRow[]> {
  if (written.length === 0) return [];
  const drafts = written.flatMap((draft) => splitDraft(chat, draft));
  const isSent = (draft: Draft) => chat.channel !== "CHAT" && (draft.role === "ASSISTANT" || draft.role === "AGENT");
  const rows = drafts.map((draft, i) => ({
    id: uuidv7(),
    position: chat.message_count + i + 1,
    anchor: anchor ?? chat.message_count + i + 1,
    role: draft.role,
    // A model's output may hold characters that a text column cannot.
    content: toStorableText(draft.content),
    tool_call_id: draft.toolCallId ?? null,
    client_message_id: draft.clientMessageId ?? null,
    provider_message_id: draft.providerMessageId ?? null,
    needs_answer: draft.needsAnswer ?? false,
    template: draft.template ?? null,
    confirms_opt_out: draft.confirmsOptOut ?? false,
    disclosure: draft.disclosure ?? "FULL",
    citations: draft.citations ?? null,
    delivery_status: isSent(draft) ? ("QUEUED" as const) : null,
  }));
  const stored = await insertMessages(tx, chat.workspace_id, chat.id, rows);
  const personWrote = drafts.some((draft) => draft.role === "USER");
  await noteMessages(tx, chat.workspace_id, chat.id, rows.length, personWrote);
  chat.message_count += rows.length;
  const messages = stored.sort((a, b) => a.position - b.position);
  const created = messages.map(({ id, delivery_status }) => ({
    messageId: id,
    deliveryStatus: delivery_status === null ? null : ("QUEUED" as const),
    errorCode: null,
  }));
  await appendCreated(tx, chat.workspace_id, chat.id, created);
  // The person's message opened WhatsApp's window again.
  if (personWrote && chat.channel === "WHATSAPP") await appendSessionUpdate(tx, chat.workspace_id, chat.id);
  for (const message of messages) await announceMessage(tx, chat, message);
  return messages;
}

/** Splits what the agent says; a template brings its own text. Sources are shown with the last part. */
function splitDraft({ provider, channel }: ChatRow, draft: Draft): Draft[] {
  if (draft.role !== "ASSISTANT" || draft.template) return [draft];
  const limit = limitText(provider, channel, draft.content);
  if (draft.content.length <= limit) return [draft];
  const parts = splitText(draft.content, limit);
  return parts.map((content, i) => ({
    ...draft,
    content,
    citations: i === parts.length - 1 ? (draft.citations ?? null) : null,
  }));
}

async function announceMessage(tx: Executor, chat: ChatRow, message: ChatMessageRow): Promise<void> {
  const { workspace_id: workspaceId, id: sessionId } = chat;
  if (message.delivery_status !== null) {
    await addTask(tx, workspaceId, { kind: DELIVER_TASK, subjectId: message.id, payload: { sessionId } });
  }
  const data = { messageId: message.id, role: message.role };
  await appendEvents(tx, workspaceId, [{ type: "chat.message", subjectId: sessionId, data }]);
  if (message.role === "TOOL") return;
  const { id, role, content, createdAt } = toMessage(message);
  await announceChat(tx, chat, "message.created", { message: { id, role, content, createdAt } });
}

/** Announces an event of a chat to the session webhooks; never for inline flows. */
export async function announceChat(
  tx: Executor,
  chat: ChatRow,
  eventType: SessionEventType,
  more: Record<string, unknown> = {},
): Promise<void> {
  await announceSession(tx, chat.workspace_id, {
    eventType,
    sessionId: chat.id,
    flowId: chat.flow_id,
    inline: chat.is_inline,
    channel: chat.channel,
    data: {
      session: {
        status: chat.status,
        flowApiId: chat.flow_api_id,
        contactName: chat.contact_name,
        contactPhone: chat.contact_phone,
        startedAt: chat.created_at.toISOString(),
        endedAt: chat.ended_at?.toISOString() ?? null,
        endReason: chat.end_reason,
        contextData: chat.context_data === null ? null : new RawJson(chat.context_data),
      },
      ...more,
    },
  });
}

/** Schedules the agent's turn. A chat has at most one turn task, so its turns never overlap. */
export async function ensureTurn(tx: Executor, chat: ChatRow): Promise<void> {
  if (chat.turn_task_id !== null) return;
  chat.turn_task_id = await addTask(tx, chat.workspace_id, { kind: TURN_TASK, subjectId: chat.id, payload: {} });
  await setTurnTask(tx, chat.workspace_id, chat.id, chat.turn_task_id);
}

/**
 * Ends a chat whose row is locked, and opens a review when it ends in doubt about an opt-out. A separate task fills its
 * outputs and announces session.ended.
 */
export async function endChat(
  tx: Executor,
  chat: ChatRow,
  end: Pick<ChatRow, "status" | "end_reason" | "error">,
): Promise<void> {
  const { workspace_id: workspaceId, id } = chat;
  await setEnded(tx, workspaceId, id, end);
  await reviewEnd(tx, chat);
  await dropUnanswered(tx, workspaceId, id);
  await appendSessionUpdate(tx, workspaceId, id);
  await addTask(tx, workspaceId, { kind: FINISH_TASK, subjectId: id, payload: {} });
  const data = { status: end.status, endReason: end.end_reason };
  await appendEvents(tx, workspaceId, [{ type: "chat.ended", subjectId: id, data }]);
}

async function reviewEnd(tx: Executor, chat: ChatRow): Promise<void> {
  const { workspace_id: workspaceId, id, contact_phone: phone, contact_id: contactId, plan } = chat;
  const messages = await listConversation(tx, workspaceId, id, chat.message_count);
  const lines = messages.map(({ role, content, created_at: at }) => ({ role, content, at: at.toISOString() }));
  await reviewChat(tx, workspaceId, { id, phone, contactId, language: plan.flow.language, lines });
}
