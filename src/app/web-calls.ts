import type { VoiceCalls } from "#src/audio/voice/voice-calls.ts";
import type { SupervisionHub } from "#src/interactions/supervision/supervision-hub.ts";
import { SUPERVISION_PATH } from "#src/interactions/supervision/supervision.ts";
import { WebCallGateway, type WebCallGatewayParts } from "#src/interactions/web-calls/web-call-gateway.ts";
import { SOCKET_PATH } from "#src/interactions/web-calls/web-calls.ts";
import type { TakeSocket } from "#src/platform/http/server.ts";
import { MEDIA_PATH, type MediaSocketGateway } from "#src/telephony/carriers/media-socket-gateway.ts";

/** Dependencies of the web-call gateway. */
export interface WebCallContext extends Omit<WebCallGatewayParts, "whyNoAudio"> {
  voice: Pick<VoiceCalls, "missingFor">;
}

/** Creates the gateway to which the pages of web calls connect. */
export function openWebCallGateway({ voice, ...parts }: WebCallContext): WebCallGateway {
  return new WebCallGateway({ ...parts, whyNoAudio: (workspaceId) => voice.missingFor(workspaceId) });
}

/** Returns the WebSockets of a process, by path; a path that ends in a slash covers all paths below it. */
export function createSockets(
  gateway: WebCallGateway,
  { supervision, carrierMedia }: { supervision: SupervisionHub; carrierMedia: MediaSocketGateway },
): ReadonlyMap<string, TakeSocket> {
  return new Map<string, TakeSocket>([
    [`${MEDIA_PATH}/`, (...handshake) => carrierMedia.takeSocket(...handshake)],
    [SOCKET_PATH, (...handshake) => gateway.takeSocket(...handshake)],
    [SUPERVISION_PATH, (...handshake) => supervision.takeSocket(...handshake)],
  ]);
}
