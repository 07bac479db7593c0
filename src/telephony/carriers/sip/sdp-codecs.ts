import type { RtpTarget } from "#src/audio/line/media-source.ts";
import type { SdpMedia } from "./sdp-session.ts";
import { parseWhole } from "./sip-grammar.ts";

/** The supported codecs. */
export type SdpCodec = RtpTarget["codec"];

/** Returns the codecs of a line with their payload types, in the order of the line. */
function readCodecs(audio: SdpMedia): { codec: SdpCodec; payloadType: number }[] {
  const named = readMaps(audio);
  return audio.formats.flatMap((format) => {
    const payloadType = readType(format);
    if (payloadType === null) return [];
    const standard = payloadType === 0 ? "PCMU/8000" : payloadType === 8 ? "PCMA/8000" : "";
    const name = named.get(payloadType) ?? standard;
    const codec = /^(PCM[UA])\/8000(?:\/1)?$/.exec(name)?.[1] as SdpCodec | undefined;
    return codec ? [{ codec, payloadType }] : [];
  });
}

function readMaps(audio: SdpMedia): Map<number, string> {
  const named = new Map<number, string>();
  for (const [attribute, value] of audio.attributes) {
    const match = attribute === "rtpmap" ? /^(\d{1,3})\s+(\S+)$/.exec(value) : null;
    if (!match) continue;
    const [, typeText, name] = match as unknown as [string, string, string];
    const type = readType(typeText);
    if (type !== null) named.set(type, name.toUpperCase());
  }
  return named;
}

/** Reads a payload type. Types from 64 to 95 are refused: they look like RTCP on a shared port (RFC 5761, 4). */
function readType(text: string): number | null {
  const type = parseWhole(text, 127);
  return type !== null && (type < 64 || type > 95) ? type : null;
}

/** Returns the codec to use: the first of an answer; of an offer, our most preferred. */
export function findCodec(
  audio: SdpMedia,
  codecs: readonly SdpCodec[],
  by: "OURS" | "THEIRS",
): { codec: SdpCodec; payloadType: number } | undefined {
  const listed = readCodecs(audio);
  if (by === "THEIRS") return listed.find(({ codec }) => codecs.includes(codec));
  return codecs.flatMap((wanted) => listed.find(({ codec }) => codec === wanted) ?? [])[0];
}

/** Returns the payload type of keypad tones; they can share the audio's timestamps only at its own clock rate. */
export function findEventType(audio: SdpMedia, soundType: number): number | null {
  for (const [type, name] of readMaps(audio)) {
    const isListed = audio.formats.includes(String(type));
    if (isListed && type !== soundType && /^TELEPHONE-EVENT\/8000(?:\/1)?$/.test(name)) return type;
  }
  return null;
}
