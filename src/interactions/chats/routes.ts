import type { Database, Executor } from "#src/platform/db/database.ts";
import { EXACT_CONTEXT } from "#src/platform/http/json.ts";
import { pageOf, pageQuery, readPage, toPage } from "#src/platform/http/paging.ts";
import { EXTERNAL_API, Reply, type Route, route, UNSETTLED } from "#src/platform/http/route.ts";
import { oneOf, Type, Uuid } from "#src/platform/http/schemas.ts";
import { readSort, sortQuery } from "#src/platform/http/sorting.ts";
import type { FindMessenger } from "#src/telephony/messaging/messenger.ts";
import type { ChatRecord } from "./chat-row.ts";
import { ChatMessage, ChatReply, ChatSession, ListedChat, toMessage, toDelivery, toSession } from "./chat-session.ts";
import { StartChat, startChat } from "./chats.ts";
import { closeChat, handBack, takeOver } from "./control.ts";
import { chatEventsRoute } from "./event-routes.ts";
import type { ChatStreams } from "./event-streams.ts";
import { inboundRoute } from "./inbound-routes.ts";
import { countMessages, listLastMessages, listMessages } from "./message-store.ts";
import { PostMessage, postMessage } from "./messages.ts";
import { CHANNELS, CHAT_STATUSES, HANDOFF_STATES } from "./states.ts";
import { countChats, listChats } from "./store.ts";
import { awaitAnswer, awaitFinish, awaitOpening, readChat } from "./waiting.ts";

const SESSIONS = `${EXTERNAL_API}/chat-sessions`;
const common = { audience: "external", access: ["OUTBOUND_CHATS_TRIGGER"] } as const;
/** Length of a chat's last message in a list. */
const LAST_MESSAGE_CHARACTERS = 200;
const params = Type.Object({ id: Uuid });

/** Dependencies of the chat routes besides the database. */
export interface ChatRouteContext {
  findMessenger: FindMessenger;
  chatStreams: ChatStreams;
  /** Wakes the task worker of this process. */
  wake(): void;
}

/** Routes of outbound chats and chat sessions. */
export function chatRoutes(database: Database, context: ChatRouteContext): Route[] {
  return [
    startRoute(database, context),
    ...readRoutes(database),
    postRoute(database, context),
    closeRoute(database, context),
    ...handoffRoutes(context),
    chatEventsRoute(database, context.chatStreams),
    inboundRoute(database, context),
  ];
}

function startRoute({ db }: Database, context: ChatRouteContext): Route {
  return route({
    ...common,
    method: "POST",
    path: `${EXTERNAL_API}/outbound/chats`,
    tag: "Outbound",
    summary: "Start one outbound chat",
    description:
      "Returns with the opening message; where the model opens, it is waited for up to 20 s. SMS and WHATSAPP deliver it after the reply: deliveryStatus tells how far it got.",
    idempotent: true,
    body: StartChat,
    exactText: EXACT_CONTEXT,
    replies: { 200: ChatReply },
    async run({ tx, caller: { workspaceId }, body, bodyText }) {
      const { chat, messages } = await startChat(tx, context.findMessenger, workspaceId, body, bodyText);
      if (messages.length === 0) return new Reply(UNSETTLED, { sessionId: chat.id });
      return { session: toSession(await readChat(tx, workspaceId, chat.id)), messages: messages.map(toMessage) };
    },
    afterCommit: () => context.wake(),
    settle: (pointer, { caller: { workspaceId } }) =>
      awaitOpening(db, workspaceId, (pointer as { sessionId: string }).sessionId),
  });
}

function readRoutes({ db }: Database): Route[] {
  return [
    route({
      ...common,
      method: "GET",
      path: SESSIONS,
      tag: "Chat sessions",
      summary: "List chat sessions, newest first (extension)",
      query: Type.Object({
        ...pageQuery,
        status: Type.Optional(
          Type.Array(oneOf(CHAT_STATUSES), { description: "Any of these; repeat it for several." }),
        ),
        channel: Type.Optional(Type.Array(oneOf(CHANNELS), { description: "Any of these; repeat it for several." })),
        contactPhone: Type.Optional(Type.String({ pattern: "^\\+\\d{1,15}$", description: "E.164 number." })),
        handoff: Type.Optional(
          oneOf(
            HANDOFF_STATES,
            "WAITING: the person asked for a human whom nobody has stood in for; REQUESTED: outside the hours.",
          ),
        ),
        sort: sortQuery(["createdAt"], "Default: -createdAt."),
      }),
      replies: { 200: pageOf(ListedChat, "ChatSessionPage") },
      async run({ caller: { workspaceId }, query }) {
        const page = readPage(query);
        const found = await listChats(db, workspaceId, query, readSort(query.sort, "-createdAt"), page);
        const listed = await withLastMessages(db, workspaceId, found);
        return toPage(page, listed, () => countChats(db, workspaceId, query));
      },
    }),
    route({
      ...common,
      method: "GET",
      path: `${SESSIONS}/{id}`,
      tag: "Chat sessions",
      summary: "Read one chat session",
      params,
      replies: { 200: ChatSession },
      run: async ({ caller, params: { id } }) => toSession(await readChat(db, caller.workspaceId, id)),
    }),
    route({
      ...common,
      method: "GET",
      path: `${SESSIONS}/{id}/messages`,
      tag: "Chat sessions",
      summary: "List a chat's messages in the order they came",
      params,
      query: Type.Object(pageQuery),
      replies: { 200: pageOf(ChatMessage, "ChatMessagePage") },
      async run({ caller: { workspaceId }, params: { id }, query }) {
        const page = readPage(query);
        await readChat(db, workspaceId, id);
        const rows = await listMessages(db, workspaceId, id, page);
        return toPage(page, rows.map(toMessage), () => countMessages(db, workspaceId, id));
      },
    }),
  ];
}

async function withLastMessages(db: Executor, workspaceId: string, chats: ChatRecord[]) {
  const ids = chats.map(({ id }) => id);
  const messages = await listLastMessages(db, workspaceId, ids, LAST_MESSAGE_CHARACTERS);
  const byChat = new Map(
    messages.map(({ session_id: id, role, content, ...sent }) => [id, { role, content, ...toDelivery(sent) }]),
  );
  return chats.map((chat) => ({ ...toSession(chat), lastMessage: byChat.get(chat.id) ?? null }));
}

function postRoute({ db }: Database, context: ChatRouteContext): Route {
  return route({
    ...common,
    method: "POST",
    path: `${SESSIONS}/{id}/messages`,
    tag: "Chat sessions",
    summary: "Write into a chat: what the person wrote, or a human operator (extension)",
    description:
      "Returns the message and what the agent answered to it, waiting up to 20 s for the answer; a later one is in the list of messages. 409 once the chat is over.",
    idempotent: true,
    params,
    body: PostMessage,
    replies: { 200: ChatReply },
    async run({ tx, caller, params: { id }, body }) {
      const { id: messageId } = await postMessage(tx, caller.workspaceId, id, body);
      return new Reply(UNSETTLED, { messageId });
    },
    afterCommit: () => context.wake(),
    settle: (pointer, { caller }) => awaitAnswer(db, caller.workspaceId, (pointer as { messageId: string }).messageId),
  });
}

function closeRoute({ db }: Database, context: ChatRouteContext): Route {
  return route({
    ...common,
    method: "POST",
    path: `${SESSIONS}/{id}/close`,
    tag: "Chat sessions",
    summary: "End a chat and fill its structured outputs (extension)",
    idempotent: true,
    params,
    replies: { 200: ChatSession },
    async run({ tx, caller, params: { id } }) {
      await closeChat(tx, caller.workspaceId, id);
      return new Reply(UNSETTLED, { sessionId: id });
    },
    afterCommit: () => context.wake(),
    settle: (pointer, { caller }) => awaitFinish(db, caller.workspaceId, (pointer as { sessionId: string }).sessionId),
  });
}

function handoffRoutes(context: ChatRouteContext): Route[] {
  return [
    route({
      ...common,
      method: "POST",
      path: `${SESSIONS}/{id}/take-over`,
      tag: "Chat sessions",
      summary: "Let a human operator answer instead of the agent (extension)",
      idempotent: true,
      params,
      query: Type.Object({
        assignee: Type.Optional(
          Type.String({ pattern: "^[^\\u0000]{1,200}$", description: "Who takes over, in at most 200 characters." }),
        ),
      }),
      replies: { 200: ChatSession },
      async run({ tx, caller: { workspaceId }, params: { id }, query }) {
        await takeOver(tx, workspaceId, id, query.assignee);
        return toSession(await readChat(tx, workspaceId, id));
      },
      afterCommit: () => context.wake(),
    }),
    route({
      ...common,
      method: "POST",
      path: `${SESSIONS}/{id}/hand-back`,
      tag: "Chat sessions",
      summary: "Let the agent go on (extension)",
      description: "It answers the person's last message unless the operator did.",
      idempotent: true,
      params,
      replies: { 200: ChatSession },
      async run({ tx, caller: { workspaceId }, params: { id } }) {
        await handBack(tx, workspaceId, id);
        return toSession(await readChat(tx, workspaceId, id));
      },
      afterCommit: () => context.wake(),
    }),
  ];
}
