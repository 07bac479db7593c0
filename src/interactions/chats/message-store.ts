import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { toStorableJson } from "#src/platform/kernel/storable.ts";
import type { ChatMessageRow, DeliveryState } from "./chat-row.ts";
import { shownStatus } from "./delivery-states.ts";

/** A message to store. */
export type NewMessage = Pick<
  ChatMessageRow,
  | "id"
  | "position"
  | "anchor"
  | "role"
  | "content"
  | "tool_call_id"
  | "client_message_id"
  | "provider_message_id"
  | "needs_answer"
  | "template"
  | "confirms_opt_out"
  | "disclosure"
  | "citations"
  | "delivery_status"
>;

/** Stores messages of a chat whose row is locked. */
export async function insertMessages(
  tx: Executor,
  workspaceId: string,
  sessionId: string,
  messages: NewMessage[],
): Promise<ChatMessageRow[]> {
  return all(
    tx,
    sql`insert into chat_messages (workspace_id, session_id, id, position, anchor, role, content, tool_call_id,
          client_message_id, provider_message_id, needs_answer, template, confirms_opt_out, disclosure, citations, delivery_status)
        select ${workspaceId}::uuid, ${sessionId}::uuid, x.* from json_to_recordset(${toStorableJson(messages)}::json) as x(
          id uuid, position int, anchor int, role text, content text, tool_call_id text, client_message_id text,
          provider_message_id text, needs_answer boolean, template json, confirms_opt_out boolean, disclosure text, citations json, delivery_status text)
        returning *`,
  );
}

/** One message. */
export function findMessage(tx: Executor, workspaceId: string, id: string): Promise<ChatMessageRow | undefined> {
  return first(tx, sql`select * from chat_messages where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Returns the message with the sender's own message id. */
export function findByClientId(
  tx: Executor,
  workspaceId: string,
  sessionId: string,
  clientMessageId: string,
): Promise<ChatMessageRow | undefined> {
  return first(
    tx,
    sql`select * from chat_messages where workspace_id = ${workspaceId} and session_id = ${sessionId}
          and client_message_id = ${clientMessageId}`,
  );
}

/** Returns the person's message with this provider id. */
export function findByProviderId(
  tx: Executor,
  workspaceId: string,
  providerMessageId: string,
): Promise<ChatMessageRow | undefined> {
  return first(
    tx,
    sql`select * from chat_messages where workspace_id = ${workspaceId} and provider_message_id = ${providerMessageId}
          and role = 'USER'`,
  );
}

/** Returns the message of ours that a report names, by our id if the report has it, otherwise by the provider's. */
export async function findReported(
  tx: Executor,
  workspaceId: string,
  { messageId, providerMessageId }: { messageId: string | null; providerMessageId: string },
): Promise<ChatMessageRow | undefined> {
  const own = messageId === null ? undefined : await findMessage(tx, workspaceId, messageId);
  if (own && own.delivery_status !== null) return own;
  return first(
    tx,
    sql`select * from chat_messages where workspace_id = ${workspaceId} and provider_message_id = ${providerMessageId}
          and role <> 'USER' and delivery_status is not null limit 1`,
  );
}

/** Lists the queued messages of a chat. */
export async function listUnsent(tx: Executor, workspaceId: string, sessionId: string): Promise<string[]> {
  const rows = await all<{ id: string }>(
    tx,
    sql`select id from chat_messages where workspace_id = ${workspaceId} and session_id = ${sessionId}
          and delivery_status = 'QUEUED'`,
  );
  return rows.map(({ id }) => id);
}

/** A page of a chat's messages in their order, with one more than asked for. */
export function listMessages(
  tx: Executor,
  workspaceId: string,
  sessionId: string,
  page: PageRequest,
): Promise<ChatMessageRow[]> {
  const after =
    page.after === undefined
      ? sql`true`
      : sql`position > (select a.position from chat_messages a where a.workspace_id = ${workspaceId}
              and a.session_id = ${sessionId} and a.id = ${page.after})`;
  return all(
    tx,
    sql`select * from chat_messages where workspace_id = ${workspaceId} and session_id = ${sessionId} and ${after}
          and disclosure <> 'HIDDEN'
        order by position ${limitTo(page)}`,
  );
}

/** Returns the number of a chat's messages that readers see. */
export function countMessages(tx: Executor, workspaceId: string, sessionId: string): Promise<number> {
  return countOf(
    tx,
    sql`chat_messages
        where workspace_id = ${workspaceId} and session_id = ${sessionId} and disclosure <> 'HIDDEN'`,
  );
}

/** True when the answer to this tool call is already stored. */
export async function hasToolAnswer(
  tx: Executor,
  workspaceId: string,
  sessionId: string,
  toolCallId: string,
): Promise<boolean> {
  const found = await first(
    tx,
    sql`select 1 from chat_messages where workspace_id = ${workspaceId} and session_id = ${sessionId}
          and role = 'TOOL' and tool_call_id = ${toolCallId} limit 1`,
  );
  return found !== undefined;
}

/** Lists the messages up to `lastAnchor` in conversation order, each answer after the message that it answers. */
export function listConversation(
  tx: Executor,
  workspaceId: string,
  sessionId: string,
  lastAnchor: number,
): Promise<ChatMessageRow[]> {
  return all(
    tx,
    sql`select * from chat_messages where workspace_id = ${workspaceId} and session_id = ${sessionId}
          and anchor <= ${lastAnchor} order by anchor, position`,
  );
}

/** Lists a message with the answers to it. */
export function listTurn(
  tx: Executor,
  workspaceId: string,
  sessionId: string,
  anchor: number,
): Promise<ChatMessageRow[]> {
  return all(
    tx,
    sql`select * from chat_messages where workspace_id = ${workspaceId} and session_id = ${sessionId}
          and anchor = ${anchor} and disclosure <> 'HIDDEN' order by position`,
  );
}

/** The first message that waits for the agent. */
export function findUnanswered(
  tx: Executor,
  workspaceId: string,
  sessionId: string,
): Promise<ChatMessageRow | undefined> {
  return first(
    tx,
    sql`select * from chat_messages where workspace_id = ${workspaceId} and session_id = ${sessionId} and needs_answer
        order by position limit 1`,
  );
}

/** Returns the last message that a person, an agent or an operator wrote. */
export function findLastMessage(
  tx: Executor,
  workspaceId: string,
  sessionId: string,
): Promise<ChatMessageRow | undefined> {
  return first(
    tx,
    sql`select * from chat_messages where workspace_id = ${workspaceId} and session_id = ${sessionId} and role <> 'TOOL'
        order by position desc limit 1`,
  );
}

/** Marks whether a message waits for the agent. */
export async function setNeedsAnswer(tx: Executor, workspaceId: string, id: string, needs: boolean): Promise<void> {
  await all(
    tx,
    sql`update chat_messages set needs_answer = ${needs} where workspace_id = ${workspaceId} and id = ${id}`,
  );
}

/** Clears the marks of all messages of this chat that wait for the agent. */
export async function dropUnanswered(tx: Executor, workspaceId: string, sessionId: string): Promise<void> {
  await all(
    tx,
    sql`update chat_messages set needs_answer = false
        where workspace_id = ${workspaceId} and session_id = ${sessionId} and needs_answer`,
  );
}

/** True while a message that was written before this one has not left. */
export async function hasEarlierUnsent(tx: Executor, workspaceId: string, message: ChatMessageRow): Promise<boolean> {
  const found = await first(
    tx,
    sql`select 1 from chat_messages where workspace_id = ${workspaceId} and session_id = ${message.session_id}
          and position < ${message.position} and delivery_status in ('QUEUED', 'SENDING') limit 1`,
  );
  return found !== undefined;
}

/** Changes of a message's delivery. */
export interface DeliveryChange {
  status: DeliveryState;
  providerMessageId?: string;
  error?: { code: string; message: string } | null;
  /** True for a new try to send it. */
  countsAttempt?: boolean;
}

/**
 * Moves a delivery on, only from the state that was read; false when it was moved concurrently. A change of the shown
 * state is an event of the chat, in the same statement.
 */
export async function moveDelivery(
  tx: Executor,
  workspaceId: string,
  seen: ChatMessageRow,
  change: DeliveryChange,
): Promise<boolean> {
  const error = change.error ? toStorableJson(change.error) : null;
  const shows = shownStatus(change.status) !== shownStatus(seen.delivery_status);
  const data = JSON.stringify({ deliveryStatus: shownStatus(change.status), errorCode: change.error?.code ?? null });
  const rows = await all(
    tx,
    sql`with moved as (
          update chat_messages set delivery_status = ${change.status}, error = ${error},
            provider_message_id = coalesce(${change.providerMessageId ?? null}, provider_message_id),
            delivery_attempts = delivery_attempts + ${change.countsAttempt ? 1 : 0},
            sent_at = case when ${change.countsAttempt ?? false}::boolean then now() else sent_at end,
            updated_at = now()
          where workspace_id = ${workspaceId} and id = ${seen.id} and delivery_status = ${seen.delivery_status}
            and delivery_attempts = ${seen.delivery_attempts}
          returning id, session_id),
        chat as (
          update chat_sessions c set event_seq = event_seq + 1 from moved
          where c.workspace_id = ${workspaceId} and c.id = moved.session_id and ${shows}::boolean
          returning c.id, c.event_seq),
        told as (
          insert into chat_events (workspace_id, session_id, seq, type, message_id, data)
          select ${workspaceId}::uuid, chat.id, chat.event_seq, 'message.updated', moved.id, ${data}::json
            from chat, moved)
        select id from moved`,
  );
  return rows.length > 0;
}

/** The newest message of a chat, shortened. */
export interface LastMessage {
  session_id: string;
  role: "ASSISTANT" | "USER" | "AGENT";
  content: string;
  delivery_status: ChatMessageRow["delivery_status"];
  error: ChatMessageRow["error"];
}

/** Returns the newest message of each chat, from a person, an agent or an operator, cut to `characters`. */
export function listLastMessages(
  db: Executor,
  workspaceId: string,
  sessionIds: string[],
  characters: number,
): Promise<LastMessage[]> {
  return all(
    db,
    sql`select s.id as session_id, m.role, m.content, m.delivery_status, m.error
          from unnest(${sessionIds}::uuid[]) as s(id)
         cross join lateral (
           select role, left(content, ${characters}::int) as content, delivery_status, error from chat_messages
            where workspace_id = ${workspaceId} and session_id = s.id and role <> 'TOOL' and disclosure <> 'HIDDEN'
            order by position desc limit 1) m`,
  );
}
