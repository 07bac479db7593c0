import { WORKSPACE_PATH, WORKSPACE_READ } from "#src/platform/http/console-access.ts";
import { Reply, type Route, route } from "#src/platform/http/route.ts";
import { anyValue, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { personOf } from "#src/tenancy/audit/actor.ts";
import type { Feeds } from "./feeds.ts";

const MAX_WATCHED = 20;

/** Returns the route that streams a workspace's events, one stream per tab. */
export function eventsRoute(feeds: Feeds): Route {
  return route({
    audience: "console",
    access: [WORKSPACE_READ],
    tag: "Live",
    method: "GET",
    path: `${WORKSPACE_PATH}/events`,
    operationId: "followWorkspace",
    summary: "Follow a workspace as server-sent events",
    description:
      "hello, reset, calls.live, calls.changed, jobs.progress, chats.changed, webhooks.changed, counters, news, alive, bye; for the calls in watch also row and transcript; with room also room.tiles and room.levels.",
    params: Type.Object({ workspaceId: Uuid }),
    query: Type.Object({
      watch: Type.Optional(
        Type.Array(Uuid, { maxItems: MAX_WATCHED, description: "Call rows whose transcripts are sent line by line." }),
      ),
      room: Type.Optional(Type.Boolean({ description: "True for a page that shows the tiles of all live calls." })),
      lastEventId: Type.Optional(
        Type.String({ maxLength: 20, description: "For a stream that a page opens anew; browsers send the header." }),
      ),
    }),
    headers: Type.Object({
      "Last-Event-ID": Type.Optional(Type.String({ description: "id of the last frame that was received." })),
    }),
    produces: "text/event-stream",
    replies: { 200: anyValue("Server-sent events.") },
    async run({ caller, query, headers }) {
      const { userId, sessionId } = personOf(caller);
      const stream = feeds.open({
        workspaceId: caller.workspaceId,
        userId,
        sessionId,
        watch: [...new Set((query.watch ?? []).map((id) => id.toLowerCase()))],
        room: query.room ?? false,
        sinceMs: readMoment(headers["last-event-id"] ?? query.lastEventId),
      });
      return new Reply(200, stream, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
    },
  });
}

function readMoment(id: string | string[] | undefined): number | null {
  if (id === undefined || id === "") return null;
  if (typeof id === "string" && /^\d{1,15}$/.test(id)) return Number(id);
  throw new AppError("INVALID_HEADER", "Last-Event-ID is not one that this stream gave out.");
}
