import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import { asObject } from "#src/platform/kernel/json-object.ts";
import { JsonMediaSocket, type JsonDialect } from "#src/telephony/carriers/json-socket.ts";
import type { MediaSocketCodec } from "#src/telephony/carriers/media-socket.ts";
import { asParameters, asText } from "#src/telephony/carriers/socket-json.ts";

const DIALECT: JsonDialect = {
  streamIdField: "streamSid",
  readStart(message) {
    const start = asObject(message["start"]);
    const format = asObject(start?.["mediaFormat"]);
    const streamId = asText(start?.["streamSid"]) ?? asText(message["streamSid"]);
    const callId = asText(start?.["callSid"]);
    if (!start || !format || !streamId || !callId) return "MALFORMED";
    const isMuLaw = format["encoding"] === "audio/x-mulaw" && Number(format["sampleRate"]) === 8_000;
    if (!isMuLaw || Number(format["channels"] ?? 1) !== 1) return "BAD_FORMAT";
    return {
      kind: "STARTED",
      streamId,
      callId,
      format: { codec: muLawCodec, rateHz: 8_000 },
      parameters: asParameters(start["customParameters"]),
    };
  },
  audioPrefix: (streamId) => `{"event":"media","streamSid":${JSON.stringify(streamId)},"media":{"payload":"`,
  mark: (streamSid, name) => JSON.stringify({ event: "mark", streamSid, mark: { name } }),
  clear: (streamSid) => JSON.stringify({ event: "clear", streamSid }),
};

/** Creates the codec for Twilio Media Streams, both ways: mu-law at 8 kHz. A clear returns all pending marks. */
export function createTwilioSocket(): MediaSocketCodec {
  return new JsonMediaSocket(DIALECT);
}
