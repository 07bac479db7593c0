import { Reply } from "#src/platform/http/route.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import type { ChatRecord } from "./chat-row.ts";
import type { StoredChatEvent } from "./event-store.ts";
import type { ChatStreams } from "./event-streams.ts";

/** Headers of an event stream, which must be neither cached nor buffered by a proxy. */
const STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

/** A follower of a chat: its holder, its start, and its view of the events. */
export interface Follower {
  holder: string;
  maxOfHolder?: number;
  lastEventId: string | string[] | undefined;
  follows: boolean;
  show(event: StoredChatEvent): object | null;
}

/** Returns the reply that streams a chat; 204, which stops an EventSource's reconnects, when every event was sent. */
export function streamChat(streams: ChatStreams, chat: ChatRecord, follower: Follower): Reply {
  const { lastEventId, ...rest } = follower;
  const seen = Math.min(readEventId(lastEventId), chat.event_seq);
  if (chat.finished_at !== null && lastEventId !== undefined && seen === chat.event_seq && isQuiet(chat)) {
    return new Reply(204, undefined);
  }
  const { workspace_id: workspaceId, id: sessionId } = chat;
  return new Reply(200, streams.open({ ...rest, workspaceId, sessionId, seen }), STREAM_HEADERS);
}

/** True when no more delivery reports can follow. */
function isQuiet({ channel, finished_at: finishedAt }: ChatRecord): boolean {
  return channel === "CHAT" || (finishedAt?.getTime() ?? 0) < nowMs() - 30_000;
}

function readEventId(header: string | string[] | undefined): number {
  if (header === undefined || header === "") return 0;
  if (typeof header === "string" && /^\d{1,9}$/.test(header)) return Number(header);
  throw new AppError("INVALID_HEADER", "Last-Event-ID is not the id of an event of this stream.");
}
