import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import type { AccountMedia } from "#src/telephony/carriers/media-socket-gateway.ts";
import { createTelnyxSocket } from "./telnyx-socket.ts";

/**
 * Returns the fields of a command that make Telnyx stream a call's audio: 8 kHz mu-law both ways, raw and not as MP3
 * files. Audio is played into the call itself: by default it would go to a second leg, which these calls do not have.
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

/** Starts to expect the audio of an attempt, or of a transfer's second call; returns the URL for Telnyx. */
export function expectAudio(media: AccountMedia, id: string, onStarted: (callId: string) => void): string {
  // PCMU has no byte order, and Telnyx is never asked for another codec.
  return media.expect(
    id,
    () => createTelnyxSocket({ linear16: "L16_LE" }),
    ({ callId }) => onStarted(callId),
  );
}

/**
 * Returns the ANSWERED event for a started stream. Telnyx starts the stream when the call is answered; the stream may
 * come before the carrier's own event, or instead of it.
 */
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
