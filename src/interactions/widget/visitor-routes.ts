import { readFileSync } from "node:fs";
import { closeChat } from "#src/interactions/chats/control.ts";
import type { ChatStreams } from "#src/interactions/chats/event-streams.ts";
import { showToVisitor } from "#src/interactions/chats/event-view.ts";
import { postMessage } from "#src/interactions/chats/messages.ts";
import { streamChat } from "#src/interactions/chats/stream-chat.ts";
import { readChat } from "#src/interactions/chats/waiting.ts";
import type { Database } from "#src/platform/db/database.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { anyValue, nullable, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { scriptRoute } from "#src/platform/http/script-route.ts";
import type { FindMessenger } from "#src/telephony/messaging/messenger.ts";
import { countMessage, findVisited, isAllowedOrigin, readVisit, startVisit } from "./visits.ts";

/** Limit of a visitor's pages that follow the chat at the same time. */
const STREAMS_OF_CHAT = 8;
/** Script of the page, without indentation and full-line comments. */
const SCRIPT = readFileSync(new URL("./page/widget.js", import.meta.url), "utf8")
  .replaceAll(/^\s+/gm, "")
  .replaceAll(/^(\/\/|\/\*\*).*\n/gm, "");

/** Dependencies of the visitors' routes besides the database. */
export interface VisitorContext {
  findMessenger: FindMessenger;
  chatStreams: ChatStreams;
  /** Wakes the task worker of this process. */
  wake(): void;
}

/** Routes for pages with the widget: the script, and one chat. They are for browsers, so they take no credential. */
export function visitorRoutes(database: Database, context: VisitorContext): Route[] {
  return [
    scriptRoute({ tag: "Widget", path: "/widget.js", summary: "The script of the chat widget", script: SCRIPT }),
    settingsRoute(database),
    startRoute(database, context),
    messageRoute(database, context),
    eventsRoute(database, context),
    closeRoute(database, context),
  ];
}

const WidgetQuery = Type.Object({
  widget: Type.String({ pattern: "^wgt_[0-9A-Za-z]{1,40}$", description: "publicId of the widget." }),
});

function visitor({ db }: Database) {
  return {
    audience: "public",
    access: "PUBLIC",
    tag: "Widget",
    query: WidgetQuery,
    async cors(query: unknown, origin: string) {
      const { widget } = query as { widget?: unknown };
      return typeof widget === "string" && !widget.includes("\u0000") && isAllowedOrigin(db, widget, origin);
    },
  } as const;
}

function settingsRoute(database: Database): Route {
  return route({
    ...visitor(database),
    method: "GET",
    path: "/api/widget/settings",
    summary: "How a widget looks",
    replies: { 200: Type.Object({ name: Type.String(), themeColor: Type.String(), active: Type.Boolean() }) },
    async run({ query, headers }) {
      const { name, theme_color: themeColor, active } = await findVisited(database.db, query.widget, headers);
      return { name, themeColor, active };
    },
  });
}

function startRoute(database: Database, context: VisitorContext): Route {
  return route({
    ...visitor(database),
    method: "POST",
    path: "/api/widget/sessions",
    summary: "Start a visitor's chat",
    replies: { 200: Type.Object({ token: Type.String(), expiresAt: Timestamp }) },
    run: ({ query, headers, address }) =>
      startVisit(database.db, context.findMessenger, query.widget, headers, address),
    afterCommit: () => context.wake(),
  });
}

const VisitorMessage = Type.Object({
  id: Uuid,
  role: Type.String(),
  content: Type.String(),
  clientMessageId: nullable(Type.String()),
  createdAt: Timestamp,
});

function messageRoute(database: Database, context: VisitorContext): Route {
  const { db } = database;
  return route({
    ...visitor(database),
    method: "POST",
    path: "/api/widget/messages",
    summary: "Write into a visitor's chat; answers come as events",
    bodyLimit: 65_536,
    body: Type.Object({
      content: Type.String({ minLength: 1, maxLength: 2_000, pattern: "\\S" }),
      clientMessageId: Type.String({
        minLength: 1,
        maxLength: 100,
        description: "A repeat of it is the same message.",
      }),
    }),
    replies: { 200: Type.Object({ message: VisitorMessage }) },
    async run({ query, headers, body }) {
      const { workspaceId, sessionId } = await readVisit(db, query.widget, headers);
      await countMessage(db, workspaceId, sessionId);
      const { content, clientMessageId } = body;
      const row = await db
        .transaction()
        .execute((tx) => postMessage(tx, workspaceId, sessionId, { content, clientMessageId, role: "USER" }));
      const createdAt = row.created_at.toISOString();
      return { message: { id: row.id, role: row.role, content: row.content, clientMessageId, createdAt } };
    },
    afterCommit: () => context.wake(),
  });
}

function eventsRoute(database: Database, context: VisitorContext): Route {
  const { db } = database;
  return route({
    ...visitor(database),
    method: "GET",
    path: "/api/widget/events",
    summary: "Follow a visitor's chat as server-sent events",
    produces: "text/event-stream",
    replies: { 200: anyValue("Server-sent events."), 204: null },
    async run({ query, headers }) {
      const { workspaceId, sessionId } = await readVisit(db, query.widget, headers);
      return streamChat(context.chatStreams, await readChat(db, workspaceId, sessionId), {
        holder: sessionId,
        maxOfHolder: STREAMS_OF_CHAT,
        lastEventId: headers["last-event-id"],
        follows: true,
        show: showToVisitor,
      });
    },
  });
}

function closeRoute(database: Database, context: VisitorContext): Route {
  const { db } = database;
  return route({
    ...visitor(database),
    method: "POST",
    path: "/api/widget/close",
    summary: "End a visitor's chat",
    replies: { 200: Type.Object({ status: Type.String() }) },
    async run({ query, headers }) {
      const { workspaceId, sessionId } = await readVisit(db, query.widget, headers);
      await db.transaction().execute((tx) => closeChat(tx, workspaceId, sessionId));
      return { status: (await readChat(db, workspaceId, sessionId)).status };
    },
    afterCommit: () => context.wake(),
  });
}
