import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import type { AccountMedia } from "#src/telephony/carriers/media-socket-gateway.ts";
import { createTelnyxSocket } from "./telnyx-socket.ts";

/**
 * How Telnyx is to bring the audio of a call: 8 kHz mu-law both ways, raw and not as MP3 files, said into the call itself:
 * by default it would go to a second leg, which these calls do not have.
 */
export function streamTo(url: string) {
  return {
    stream_url: url,
    stream_track: "inbound_track",
    stream_codec: "PCMU",
    stream_bidirectional_mode: "rtp",
    stream_bidirectional_codec: "PCMU",
    stream_bidirectional_target_legs: "self",
  } as const;
}

/** Begins to wait for the audio of an attempt, or of a transfer's second call; gives the URL for Telnyx. */
export function expectAudio(media: AccountMedia, id: string, onStarted: (callId: string) => void): string {
  // PCMU has no byte order; Telnyx is never asked for anything else.
  return media.expect(
    id,
    () => createTelnyxSocket({ linear16: "L16_LE" }),
    ({ callId }) => onStarted(callId),
  );
}

/** Telnyx begins the stream when the call is established, so when somebody has answered; it may come before the event that says so, or instead of it. */
export function answeredByAudio(attemptId: string, providerCallId: string, nowMs: number): CarrierEvent {
  return {
    type: "ANSWERED",
    eventKey: `media:${attemptId}`,
    attemptId,
    providerCallId,
    at: new Date(nowMs).toISOString(),
    answeredBy: "UNCERTAIN",
  };
}
