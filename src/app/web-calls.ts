import type { Dispatcher } from "#src/interactions/dispatch/dispatcher.ts";
import type { SupervisionDesk } from "#src/interactions/supervision/supervision-desk.ts";
import { SUPERVISION_PATH } from "#src/interactions/supervision/supervision.ts";
import { SOCKET_PATH } from "#src/interactions/web-calls/web-calls.ts";
import type { WebCarrier } from "#src/interactions/web-calls/web-carrier.ts";
import { WebDesk } from "#src/interactions/web-calls/web-desk.ts";
import type { TakeSocket } from "#src/platform/http/server.ts";
import type { NodeIdentity } from "#src/platform/kernel/node-identity.ts";
import { MEDIA_PATH, type MediaDesk } from "#src/telephony/carriers/media-desk.ts";
import type { Context } from "./context.ts";

/** What the desk of pages is opened from. */
export interface DeskContext extends Pick<Context, "database" | "log" | "publicUrl" | "voice"> {
  node: NodeIdentity;
  carrier: WebCarrier;
  dispatcher: Dispatcher;
}

/** Opens the desk to which pages connect. */
export function openWebDesk({ voice, ...parts }: DeskContext): WebDesk {
  return new WebDesk({ ...parts, whyNoAudio: (workspaceId) => voice.missingFor(workspaceId) });
}

/** The WebSockets of a process, by path; a path that ends in a slash stands for all below it. */
export function createSockets(
  desk: WebDesk,
  { supervision, carrierMedia }: { supervision: SupervisionDesk; carrierMedia: MediaDesk },
): ReadonlyMap<string, TakeSocket> {
  return new Map<string, TakeSocket>([
    [`${MEDIA_PATH}/`, (...handshake) => carrierMedia.takeSocket(...handshake)],
    [SOCKET_PATH, (...handshake) => desk.takeSocket(...handshake)],
    [SUPERVISION_PATH, (...handshake) => supervision.takeSocket(...handshake)],
  ]);
}
