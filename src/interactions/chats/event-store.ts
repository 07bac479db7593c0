import { all, type Executor, sql } from "#src/platform/db/database.ts";
import type { ChatMessageRow, DeliveryState } from "./chat-row.ts";

/** Stored events of a chat's stream. Typing is also streamed, but not stored. */
export type ChatEventType = "message.created" | "message.updated" | "session.updated";

/** Shown state of a delivery. */
export interface ShownDelivery {
  deliveryStatus: Exclude<DeliveryState, "SENDING"> | null;
  errorCode: string | null;
}

/** A newly stored message, for the stream. */
export type NewMessageEvent = ShownDelivery & { messageId: string };

/** Appends message.created for messages of one chat, in their order. This locks the chat's row if it was not locked. */
export async function appendCreated(
  tx: Executor,
  workspaceId: string,
  sessionId: string,
  messages: NewMessageEvent[],
): Promise<void> {
  if (messages.length === 0) return;
  const data = messages.map(({ deliveryStatus, errorCode }) => JSON.stringify({ deliveryStatus, errorCode }));
  await all(
    tx,
    sql`with chat as (
          update chat_sessions set event_seq = event_seq + ${messages.length}
          where workspace_id = ${workspaceId} and id = ${sessionId} returning event_seq)
        insert into chat_events (workspace_id, session_id, seq, type, message_id, data)
        select ${workspaceId}, ${sessionId}, chat.event_seq - ${messages.length} + x.n, 'message.created', x.id, x.data::json
          from chat, unnest(${messages.map((message) => message.messageId)}::uuid[], ${data}::text[])
                       with ordinality as x(id, data, n)`,
  );
}

/** Appends session.updated with the current state of the chat's row. */
export async function appendSessionUpdate(tx: Executor, workspaceId: string, sessionId: string): Promise<void> {
  await all(
    tx,
    sql`with chat as (
          update chat_sessions set event_seq = event_seq + 1
          where workspace_id = ${workspaceId} and id = ${sessionId} returning *)
        insert into chat_events (workspace_id, session_id, seq, type, data)
        select workspace_id, id, event_seq, 'session.updated', json_build_object(
                 'status', status, 'mode', mode, 'aiMode', ai_mode, 'assignee', assignee, 'requestedAt', human_requested_at, 'endReason', end_reason,
                 'windowExpiresAt', ${isoSql("window_expires_at")}, 'endedAt', ${isoSql("ended_at")},
                 'outputsReady', finished_at is not null)
          from chat`,
  );
}

function isoSql(column: string) {
  return sql.raw(`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
}

/** A stream's position in its chat: the last event that it sent, and the flags that its client knows. */
export interface StreamPlace {
  workspaceId: string;
  sessionId: string;
  seen: number;
  isTyping: boolean;
  isOver: boolean;
}

/** A stored event with its message. */
export interface StoredChatEvent {
  seq: number;
  type: ChatEventType;
  data: Record<string, unknown>;
  message: Pick<
    ChatMessageRow,
    "id" | "role" | "content" | "tool_call_id" | "client_message_id" | "created_at" | "disclosure" | "citations"
  > | null;
}

/** New events for the stream at one place. */
export interface ChatStreamEvent {
  /** Index into the places of the request. */
  index: number;
  /** The last event number assigned in the chat. */
  lastSeq: number;
  /** The agent is answering. */
  isTyping: boolean;
  /** No more events will follow. */
  isOver: boolean;
  events: StoredChatEvent[];
}

/** Maximum number of events that one read returns for a stream. */
export const EVENTS_PER_READ = 100;
/** Time after the end of a chat during which reports of deliveries may follow. */
const AFTERMATH_SECONDS = 30;

interface ChatStreamRow {
  index: number;
  lastSeq: number;
  isTyping: boolean;
  isOver: boolean;
  seq: number | null;
  type: ChatEventType;
  data: Record<string, unknown>;
  id: string | null;
  role: ChatMessageRow["role"];
  content: string;
  tool_call_id: string | null;
  client_message_id: string | null;
  disclosure: ChatMessageRow["disclosure"];
  citations: ChatMessageRow["citations"];
  created_at: Date;
}

/**
 * Reads the new events of many places in one statement, so that all see the same snapshot. Places without changes are
 * left out.
 */
export async function readEvents(db: Executor, places: StreamPlace[]): Promise<ChatStreamEvent[]> {
  const rows = await all<ChatStreamRow>(
    db,
    sql`select (u.n - 1)::int as index, s.event_seq as "lastSeq", s.is_typing as "isTyping", s.is_over as "isOver",
               e.seq, e.type, e.data, m.id, m.role, m.content, m.tool_call_id, m.client_message_id, m.disclosure,
               m.citations, m.created_at
          from unnest(${places.map((place) => place.workspaceId)}::uuid[], ${places.map((place) => place.sessionId)}::uuid[],
                      ${places.map((place) => place.seen)}::int[], ${places.map((place) => place.isTyping)}::boolean[],
                      ${places.map((place) => place.isOver)}::boolean[])
                 with ordinality as u(workspace_id, session_id, seen, is_typing, is_over, n)
          cross join lateral (
            select event_seq, turn_task_id is not null as is_typing,
                   finished_at is not null and (channel = 'CHAT'
                     or finished_at < now() - make_interval(secs => ${AFTERMATH_SECONDS})) as is_over
              from chat_sessions c where c.workspace_id = u.workspace_id and c.id = u.session_id) s
          left join lateral (
            select * from chat_events v where v.workspace_id = u.workspace_id and v.session_id = u.session_id
               and v.seq > u.seen and s.event_seq > u.seen order by v.seq limit ${EVENTS_PER_READ}) e on true
          left join chat_messages m on m.workspace_id = u.workspace_id and m.id = e.message_id
         where s.event_seq > u.seen or s.is_typing <> u.is_typing or s.is_over <> u.is_over
         order by u.n, e.seq`,
  );
  return gather(rows);
}

function gather(rows: ChatStreamRow[]): ChatStreamEvent[] {
  const updates = new Map<number, ChatStreamEvent>();
  for (const row of rows) {
    const { index, lastSeq, isTyping, isOver, seq, type, data, id } = row;
    const one = updates.get(index) ?? { index, lastSeq, isTyping, isOver, events: [] };
    updates.set(index, one);
    if (seq !== null) one.events.push({ seq, type, data, message: id === null ? null : { ...row, id } });
  }
  return [...updates.values()];
}
