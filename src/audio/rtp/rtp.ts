/** Bytes of a header without contributing sources or extension. */
export const RTP_HEADER_BYTES = 12;
const VERSION = 2;

/** Fields of an RTP header (RFC 3550, section 5.1), and the position of the payload. One object serves all packets. */
export interface RtpHeader {
  payloadType: number;
  marker: boolean;
  sequence: number;
  timestamp: number;
  ssrc: number;
  csrcCount: number;
  /** The first 16 bits of the extension; -1 without one. */
  extensionProfile: number;
  extensionStart: number;
  extensionBytes: number;
  payloadStart: number;
  payloadBytes: number;
}

/** Reason that bytes are not an RTP packet. */
export type RtpFault = "TOO_SHORT" | "WRONG_VERSION" | "BAD_EXTENSION" | "BAD_PADDING";

/** Creates an empty header to parse into. */
export function createRtpHeader(): RtpHeader {
  return {
    payloadType: 0,
    marker: false,
    sequence: 0,
    timestamp: 0,
    ssrc: 0,
    csrcCount: 0,
    extensionProfile: -1,
    extensionStart: 0,
    extensionBytes: 0,
    payloadStart: 0,
    payloadBytes: 0,
  };
}

/** Reads the first `length` bytes as a packet into `header`; returns the fault, or null. */
export function parseRtp(bytes: Uint8Array, length: number, header: RtpHeader): RtpFault | null {
  if (length < RTP_HEADER_BYTES || length > bytes.length) return "TOO_SHORT";
  const first = bytes[0] as number;
  if (first >> 6 !== VERSION) return "WRONG_VERSION";
  const second = bytes[1] as number;
  header.marker = (second & 0x80) !== 0;
  header.payloadType = second & 0x7f;
  header.sequence = readUint16(bytes, 2);
  header.timestamp = readUint32(bytes, 4);
  header.ssrc = readUint32(bytes, 8);
  header.csrcCount = first & 15;
  let at = RTP_HEADER_BYTES + header.csrcCount * 4;
  header.extensionProfile = -1;
  header.extensionBytes = 0;
  if (first & 0x10) {
    if (at + 4 > length) return "BAD_EXTENSION";
    header.extensionProfile = readUint16(bytes, at);
    header.extensionStart = at + 4;
    header.extensionBytes = readUint16(bytes, at + 2) * 4;
    at += 4 + header.extensionBytes;
  }
  if (at > length) return first & 0x10 ? "BAD_EXTENSION" : "TOO_SHORT";
  const padding = first & 0x20 ? (bytes[length - 1] as number) : 0;
  if ((first & 0x20 && padding === 0) || at + padding > length) return "BAD_PADDING";
  header.payloadStart = at;
  header.payloadBytes = length - at - padding;
  return null;
}

/** True when a datagram that shares a port with RTP is RTCP (RFC 5761, section 4: packet types 192 to 223). */
export function isRtcp(bytes: Uint8Array, length: number): boolean {
  const type = bytes[1] as number;
  return length >= 8 && type >= 192 && type <= 223;
}

/** Reads 16 bits, high byte first. */
export function readUint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] as number) << 8) | (bytes[at + 1] as number);
}

/** Reads 32 bits, high byte first. */
export function readUint32(bytes: Uint8Array, at: number): number {
  return ((readUint16(bytes, at) << 16) | readUint16(bytes, at + 2)) >>> 0;
}

/** Writes 16 bits, high byte first. */
export function writeUint16(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 8;
  bytes[at + 1] = value;
}

/** Writes 32 bits, high byte first. */
export function writeUint32(bytes: Uint8Array, at: number, value: number): void {
  bytes[at] = value >>> 24;
  bytes[at + 1] = value >>> 16;
  bytes[at + 2] = value >>> 8;
  bytes[at + 3] = value;
}

/** Returns the distance from `from` to `to` on a counter of 32 bits that wraps; negative when `to` lies before. */
export function distance32(from: number, to: number): number {
  return (to - from) | 0;
}
