import { codecNamed } from "#src/audio/codec/codecs.ts";
import { asObject } from "#src/platform/kernel/json-object.ts";
import { JsonMediaSocket, type JsonDialect } from "#src/telephony/carriers/json-socket.ts";
import type { MediaSocketCodec, SocketFormat } from "#src/telephony/carriers/media-socket.ts";
import { asCount, asParameters, asText } from "#src/telephony/carriers/socket-json.ts";

const LINEAR_RATES_HZ = [8_000, 16_000, 24_000];

/** The byte order of L16, which Telnyx does not document and its users disagree about. */
export interface TelnyxSocketOptions {
  linear16: "L16_BE" | "L16_LE";
}

/**
 * Creates the codec for Telnyx media streaming in RTP mode, both ways: PCMU or PCMA at 8 kHz, or L16 at 8, 16 or 24
 * kHz. Messages may come out of order; their position gives their place.
 */
export function createTelnyxSocket(options: TelnyxSocketOptions): MediaSocketCodec {
  const dialect: JsonDialect = {
    streamIdField: "stream_id",
    readStart(message) {
      const start = asObject(message["start"]);
      const streamId = asText(message["stream_id"]);
      const callId = asText(start?.["call_control_id"]);
      const media = asObject(start?.["media_format"]);
      if (!start || !streamId || !callId || !media) return "MALFORMED";
      const format = readFormat(media, options);
      if (!format) return "BAD_FORMAT";
      return { kind: "STARTED", streamId, callId, format, parameters: asParameters(start["custom_parameters"]) };
    },
    audioPrefix: () => '{"event":"media","media":{"payload":"',
    mark: (_streamId, name) => JSON.stringify({ event: "mark", mark: { name } }),
    clear: () => JSON.stringify({ event: "clear" }),
  };
  return new JsonMediaSocket(dialect);
}

function readFormat(media: Record<string, unknown>, { linear16 }: TelnyxSocketOptions): SocketFormat | null {
  const encoding = media["encoding"];
  const rateHz = asCount(media["sample_rate"]);
  if (rateHz === null || (asCount(media["channels"]) ?? 1) !== 1) return null;
  if (encoding === "PCMU" || encoding === "PCMA") {
    return rateHz === 8_000 ? { codec: codecNamed(encoding), rateHz } : null;
  }
  return encoding === "L16" && LINEAR_RATES_HZ.includes(rateHz) ? { codec: codecNamed(linear16), rateHz } : null;
}
