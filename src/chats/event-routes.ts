import type { Database } from "#src/db/database.ts";
import { Reply, type Route, route } from "#src/http/route.ts";
import { anyValue, Type, Uuid } from "#src/http/schemas.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { ChatRecord } from "./chat-row.ts";
import type { StoredChatEvent } from "./event-store.ts";
import type { ChatStreams } from "./event-streams.ts";
import { showEvent } from "./event-view.ts";
import { readChat } from "./waiting.ts";

/** Headers of an event stream: nobody keeps it, and no proxy gathers it up. */
const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** The live events of one chat (extension). */
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

/** Who follows a chat, from where on, and what of it is shown. */
export interface Follower {
  holder: string;
  maxOfHolder?: number;
  lastEventId: string | string[] | undefined;
  follows: boolean;
  show(event: StoredChatEvent): object | null;
}

/** The reply that streams a chat; 204, which ends an EventSource's tries, when all of it was told. */
export function streamChat(streams: ChatStreams, chat: ChatRecord, follower: Follower): Reply {
  const { lastEventId, ...rest } = follower;
  const seen = Math.min(readEventId(lastEventId), chat.event_seq);
  if (chat.finished_at !== null && lastEventId !== undefined && seen === chat.event_seq && isQuiet(chat)) {
    return new Reply(204, undefined);
  }
  const { workspace_id: workspaceId, id: sessionId } = chat;
  return new Reply(200, streams.open({ ...rest, workspaceId, sessionId, seen }), STREAM_HEADERS);
}

/** Reports of deliveries may still follow where messages are delivered. */
function isQuiet({ channel, finished_at: finishedAt }: ChatRecord): boolean {
  return channel === "CHAT" || (finishedAt?.getTime() ?? 0) < Date.now() - 30_000;
}

function readEventId(header: string | string[] | undefined): number {
  if (header === undefined || header === "") return 0;
  if (typeof header === "string" && /^\d{1,9}$/.test(header)) return Number(header);
  throw new AppError("INVALID_HEADER", "Last-Event-ID is not the id of an event of this stream.");
}
