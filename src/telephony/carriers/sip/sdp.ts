import type { RtpTarget, SrtpMaster } from "#src/audio/line/media-source.ts";
import { type CryptoLine, formatCryptoLine, parseCryptoLine } from "#src/audio/rtp/srtp-keys.ts";
import { findCodec, findEventType, type SdpCodec } from "./sdp-codecs.ts";
import { isUnspecified, parseSdp, type SdpDirection, type SdpMedia } from "./sdp-session.ts";

/** Values of ours that both an offer and an answer state. */
interface OurSide {
  /** Address digits. */
  address: string;
  port: number;
  /** Digits; the same for the whole dialog. */
  sessionId: string;
  /** Grows by one with each description that differs from the one before. */
  version: number;
  /** Best first; at least one. */
  codecs: readonly SdpCodec[];
  /** The direction that we want in an offer, or support in an answer. */
  direction: SdpDirection;
  rtcpMux: boolean;
}

/** Our side of an offer. */
export interface SdpOffer extends OurSide {
  /** Required: RTP/SAVP, and an answer without encryption is refused. Otherwise keys are offered beside RTP/AVP. */
  srtp: { keys: readonly CryptoLine[]; required: boolean } | null;
  /** Payload type of keypad tones; 101 when left out. */
  eventType?: number | null;
}

/** Our side of an answer. */
export interface SdpAnswerer extends OurSide {
  /** Our master key, 30 bytes, the same for the whole dialog. Required: an offer without encryption is refused. */
  srtp: { master: Buffer; required: boolean } | null;
}

/** Agreement of both sides. Audio may be sent only if `sends`; received audio may be played only if `hears`. */
export interface AgreedMedia {
  kind: "AGREED";
  target: RtpTarget;
  /** From our point of view. */
  direction: SdpDirection;
  sends: boolean;
  hears: boolean;
}

/** No stream is possible; `reason` says why, in words for people. */
export interface RefusedMedia {
  kind: "REFUSED";
  reason: string;
}

const STATIC_TYPES = { PCMU: 0, PCMA: 8 };
const OUR_EVENT_TYPE = 101;
const EVENT_CODES = "0-15";

/** Writes our offer: one audio line. */
export function writeOffer(offer: SdpOffer): string {
  const types = offer.codecs.map((codec): [number, SdpCodec] => [STATIC_TYPES[codec], codec]);
  const profile = offer.srtp?.required ? "RTP/SAVP" : "RTP/AVP";
  return [
    ...writeSession(offer, "0 0"),
    ...writeAudio(offer, profile, types, offer.eventType ?? OUR_EVENT_TYPE, offer.srtp?.keys ?? []),
    "",
  ].join("\r\n");
}

function writeSession(ours: OurSide, time: string): string[] {
  const place = `IN IP${ours.address.includes(":") ? 6 : 4} ${ours.address}`;
  return ["v=0", `o=- ${ours.sessionId} ${ours.version} ${place}`, "s=-", `c=${place}`, `t=${time}`];
}

function writeAudio(
  ours: OurSide,
  profile: string,
  types: [type: number, codec: SdpCodec][],
  eventType: number | null,
  keys: readonly CryptoLine[],
): string[] {
  const numbers = [...types.map(([type]) => type), ...(eventType === null ? [] : [eventType])];
  return [
    `m=audio ${ours.port} ${profile} ${numbers.join(" ")}`,
    ...types.map(([type, codec]) => `a=rtpmap:${type} ${codec}/8000`),
    ...(eventType === null ? [] : [`a=rtpmap:${eventType} telephone-event/8000`, `a=fmtp:${eventType} ${EVENT_CODES}`]),
    "a=ptime:20",
    `a=${ours.direction}`,
    ...(ours.rtcpMux ? ["a=rtcp-mux"] : []),
    ...keys.map((line) => `a=crypto:${formatCryptoLine(line)}`),
  ];
}

/** Reads the answer to our offer, from a 200 or from early media. */
export function readAnswer(text: string, ours: SdpOffer): AgreedMedia | RefusedMedia {
  const session = parseSdp(text);
  if (typeof session === "string") return refuse(`The answer's session description ${session}`);
  const audio = session.media[0];
  if (audio?.media !== "audio" || audio.port === 0) return refuse("The far end refused the audio.");
  const codec = findCodec(audio, ours.codecs, "THEIRS");
  if (!codec) return refuse("The answer has none of the codecs that were offered.");
  if (audio.address === null) return refuse("The answer has no address that audio can be sent to.");
  const srtp = readAnsweredKeys(audio, ours.srtp);
  if (typeof srtp === "string") return refuse(srtp);
  return agree(audio, codec, srtp, ours);
}

function readAnsweredKeys(audio: SdpMedia, ours: SdpOffer["srtp"]): RtpTarget["srtp"] | string {
  const isSecure = audio.protocol === "RTP/SAVP";
  if (!isSecure && audio.protocol !== "RTP/AVP") return `The answer's protocol ${audio.protocol} was not offered.`;
  if (ours === null) return isSecure ? "The answer is encrypted, which was not offered." : null;
  for (const theirs of readCrypto(audio)) {
    const key = ours.keys.find(({ tag, suite }) => tag === theirs.tag && suite === theirs.suite);
    if (key) return { ours: toMaster(key), theirs: toMaster(theirs) };
  }
  const mustBeSecure = isSecure || ours.required || audio.attributes.some(([name]) => name === "crypto");
  return mustBeSecure ? "The answer has no key for what was offered." : null;
}

function readCrypto(audio: SdpMedia): CryptoLine[] {
  return audio.attributes.flatMap(([name, value]) => (name === "crypto" ? (parseCryptoLine(value) ?? []) : []));
}

function toMaster({ suite, master }: CryptoLine): SrtpMaster {
  return { suite, master };
}

/** Result of an offer of the far end: our answer and the agreement, or the status to refuse it with. */
export type AnsweredOffer = (AgreedMedia & { answer: string }) | (RefusedMedia & { status: 400 | 488 });

/**
 * Answers the offer of an INVITE or a re-INVITE. The first audio line that we can serve is accepted, by our own
 * preference of codecs; all other lines are refused. An offer that puts us on hold is answered accordingly.
 */
export function answerOffer(text: string, ours: SdpAnswerer): AnsweredOffer {
  const session = parseSdp(text);
  if (typeof session === "string") return { ...refuse(`The offer's session description ${session}`), status: 400 };
  const attempts = session.media.map((media) => serve(media, ours));
  const taken = attempts.findIndex((attempt) => attempt.kind === "AGREED");
  const served = attempts[taken];
  if (served?.kind !== "AGREED") {
    const audio = attempts[session.media.findIndex(({ media, port }) => media === "audio" && port > 0)];
    const reason = audio?.kind === "REFUSED" ? audio.reason : "The offer has no audio.";
    return { ...refuse(reason), status: 488 };
  }
  const lines = session.media.flatMap((media, index) =>
    index === taken ? served.lines : [`m=${media.media} 0 ${media.protocol} ${media.formats.join(" ")}`],
  );
  return { ...served.agreed, answer: [...writeSession(ours, session.time), ...lines, ""].join("\r\n") };
}

function serve(
  audio: SdpMedia,
  ours: SdpAnswerer,
): { kind: "AGREED"; agreed: AgreedMedia; lines: string[] } | RefusedMedia {
  const isSecure = audio.protocol === "RTP/SAVP";
  if (audio.media !== "audio" || audio.port === 0) return refuse("It is no audio line.");
  if (!isSecure && audio.protocol !== "RTP/AVP") return refuse(`The protocol ${audio.protocol} is not served.`);
  const codec = findCodec(audio, ours.codecs, "OURS");
  if (!codec) return refuse("The offer has neither PCMU nor PCMA.");
  if (audio.address === null) return refuse("The offer has no address that audio can be sent to.");
  const theirs = ours.srtp === null ? undefined : readCrypto(audio)[0];
  if (!theirs && isSecure) return refuse("The offer is encrypted in a way that is not served.");
  if (!theirs && ours.srtp?.required) return refuse("The offer is not encrypted, which this trunk requires.");
  const key: CryptoLine | null = theirs && ours.srtp ? { ...theirs, master: ours.srtp.master } : null;
  const srtp = key && theirs ? { ours: toMaster(key), theirs: toMaster(theirs) } : null;
  const agreed = agree(audio, codec, srtp, ours);
  const { target, direction } = agreed;
  const answerer = { ...ours, direction, rtcpMux: target.rtcpMux ?? false };
  const types: [number, SdpCodec][] = [[target.payloadType, target.codec]];
  return {
    kind: "AGREED",
    agreed,
    lines: writeAudio(answerer, audio.protocol, types, target.eventPayloadType, key ? [key] : []),
  };
}

function agree(
  audio: SdpMedia,
  { codec, payloadType }: { codec: SdpCodec; payloadType: number },
  srtp: RtpTarget["srtp"],
  ours: Pick<OurSide, "direction" | "rtcpMux">,
): AgreedMedia {
  const host = audio.address as string;
  // A far end without an address to send to hears nothing, whatever else the line says.
  const theyHear = !isUnspecified(host) && mayReceive(audio.direction);
  const sends = theyHear && maySend(ours.direction);
  const hears = maySend(audio.direction) && mayReceive(ours.direction);
  const target: RtpTarget = {
    remote: { host, port: audio.port },
    codec,
    payloadType,
    eventPayloadType: findEventType(audio, payloadType),
    srtp,
    rtcpMux: ours.rtcpMux && audio.attributes.some(([name]) => name === "rtcp-mux"),
  };
  return { kind: "AGREED", target, direction: toDirection(sends, hears), sends, hears };
}

function maySend(direction: SdpDirection): boolean {
  return direction === "sendrecv" || direction === "sendonly";
}

function mayReceive(direction: SdpDirection): boolean {
  return direction === "sendrecv" || direction === "recvonly";
}

function toDirection(sends: boolean, receives: boolean): SdpDirection {
  if (sends) return receives ? "sendrecv" : "sendonly";
  return receives ? "recvonly" : "inactive";
}

function refuse(reason: string): RefusedMedia {
  return { kind: "REFUSED", reason };
}
