import type { Database } from "#src/platform/db/database.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { anyValue, Type, Uuid } from "#src/platform/http/schemas.ts";
import type { ChatStreams } from "./event-streams.ts";
import { showEvent } from "./event-view.ts";
import { streamChat } from "./stream-chat.ts";
import { readChat } from "./waiting.ts";

/** Route of a chat's live events (extension). */
export function chatEventsRoute({ db }: Database, streams: ChatStreams): Route {
  return route({
    audience: "external",
    access: ["OUTBOUND_CHATS_TRIGGER"],
    tag: "Chat sessions",
    method: "GET",
    path: "/api/external/v1/chat-sessions/{id}/events",
    summary: "Follow a chat as server-sent events (extension)",
    description:
      "message.created, message.updated (its delivery), session.updated, and typing while the agent answers. Starts with the first event of the chat, or after Last-Event-ID. 204 when the chat is over and there is nothing more to tell.",
    params: Type.Object({ id: Uuid }),
    query: Type.Object({
      follow: Type.Optional(Type.Boolean({ description: "False: ends after the events so far. Default true." })),
    }),
    headers: Type.Object({
      "Last-Event-ID": Type.Optional(Type.String({ description: "id of the last event that was received." })),
    }),
    produces: "text/event-stream",
    replies: { 200: anyValue("Server-sent events."), 204: null },
    async run({ caller, params: { id }, query, headers }) {
      const chat = await readChat(db, caller.workspaceId, id);
      return streamChat(streams, chat, {
        holder: caller.credentialId,
        lastEventId: headers["last-event-id"],
        follows: query.follow ?? true,
        show: (event) => showEvent(chat.id, event),
      });
    },
  });
}
