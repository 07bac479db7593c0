import type { ReceptionReport } from "./rtp-source.ts";
import { readUint16, readUint32, writeUint16, writeUint32 } from "./rtp.ts";

const SENDER_REPORT = 200;
const RECEIVER_REPORT = 201;
const SOURCE_DESCRIPTION = 202;
const GOODBYE = 203;
const CNAME = 1;
const BLOCK_BYTES = 24;
/** Seconds from 1900, where NTP begins, to 1970. */
const NTP_EPOCH_S = 2_208_988_800;
/** Most bytes of one report of ours: a sender's report, one block, the longest name, a goodbye. */
export const MAX_RTCP_BYTES = 28 + BLOCK_BYTES + 8 + 2 + 255 + 4 + 8;

/** Our sending, as a sender report states it. `wallMs` and `rtpTimestamp` are the same moment on two clocks. */
export interface SenderInfo {
  wallMs: number;
  rtpTimestamp: number;
  packets: number;
  payloadBytes: number;
}

/** One reception report with the far end's input for the round trip: its last sender report, and the time since. */
export interface ReportBlock extends ReceptionReport {
  lastSenderReport: number;
  /** In 65,536ths of a second. */
  delaySinceLast: number;
}

/** Contents of one compound packet of ours. */
export interface RtcpReport {
  ssrc: number;
  cname: string;
  sender: SenderInfo | null;
  reception: ReportBlock | null;
  isGoodbye: boolean;
}

/** Contents of a compound packet from the far end. */
export interface ReceivedRtcp {
  ssrc: number;
  /** The middle 32 bits of the sender report's NTP time, which reports of ours repeat; null in a receiver report. */
  senderReport: number | null;
  sender: { rtpTimestamp: number; packets: number; payloadBytes: number } | null;
  blocks: ReportBlock[];
  cname: string | null;
  isGoodbye: boolean;
}

/** Reason that bytes are not a compound RTCP packet. */
export type RtcpFault = "TOO_SHORT" | "WRONG_VERSION" | "BAD_LENGTH" | "NOT_COMPOUND";

/**
 * Writes a compound packet (RFC 3550, section 6.1): report, name and, when we leave, the goodbye. Returns its length.
 */
export function writeRtcp(out: Uint8Array, report: RtcpReport): number {
  let at = writeReport(out, report);
  at = writeName(out, at, report.ssrc, report.cname);
  if (report.isGoodbye) {
    writeHead(out, at, 1, GOODBYE, 8);
    writeUint32(out, at + 4, report.ssrc);
    at += 8;
  }
  return at;
}

function writeHead(out: Uint8Array, at: number, count: number, type: number, bytes: number): void {
  out[at] = 0x80 | count;
  out[at + 1] = type;
  writeUint16(out, at + 2, bytes / 4 - 1);
}

function writeReport(out: Uint8Array, { ssrc, sender, reception }: RtcpReport): number {
  const headBytes = sender ? 28 : 8;
  const bytes = headBytes + (reception ? BLOCK_BYTES : 0);
  writeHead(out, 0, reception ? 1 : 0, sender ? SENDER_REPORT : RECEIVER_REPORT, bytes);
  writeUint32(out, 4, ssrc);
  if (sender) {
    const { seconds, fraction } = toNtp(sender.wallMs);
    for (const [i, word] of [seconds, fraction, sender.rtpTimestamp, sender.packets, sender.payloadBytes].entries()) {
      writeUint32(out, 8 + i * 4, word);
    }
  }
  if (reception) writeBlock(out, headBytes, reception);
  return bytes;
}

function writeBlock(out: Uint8Array, at: number, block: ReportBlock): void {
  writeUint32(out, at, block.ssrc);
  writeUint32(out, at + 4, (block.fractionLost << 24) | (block.packetsLost & 0xff_ffff));
  writeUint32(out, at + 8, block.highestSequence);
  writeUint32(out, at + 12, block.jitterSamples);
  writeUint32(out, at + 16, block.lastSenderReport);
  writeUint32(out, at + 20, block.delaySinceLast);
}

function writeName(out: Uint8Array, at: number, ssrc: number, cname: string): number {
  const { written } = new TextEncoder().encodeInto(cname, out.subarray(at + 10, at + 10 + 255));
  // At least one zero byte ends the list of items, and the packet is filled up to whole words.
  const bytes = Math.ceil((8 + 2 + written + 1) / 4) * 4;
  out.fill(0, at + 10 + written, at + bytes);
  writeHead(out, at, 1, SOURCE_DESCRIPTION, bytes);
  writeUint32(out, at + 4, ssrc);
  out[at + 8] = CNAME;
  out[at + 9] = written;
  return at + bytes;
}

/** Reads a compound packet; skips unknown parts. */
export function parseRtcp(bytes: Uint8Array, length: number): ReceivedRtcp | RtcpFault {
  if (length < 8 || length > bytes.length) return "TOO_SHORT";
  const received: ReceivedRtcp = {
    ssrc: readUint32(bytes, 4),
    senderReport: null,
    sender: null,
    blocks: [],
    cname: null,
    isGoodbye: false,
  };
  for (let at = 0; at < length;) {
    if (at + 4 > length) return "BAD_LENGTH";
    if ((bytes[at] as number) >> 6 !== 2) return "WRONG_VERSION";
    const type = bytes[at + 1] as number;
    const end = at + 4 + readUint16(bytes, at + 2) * 4;
    if (end > length) return "BAD_LENGTH";
    if (at === 0 && type !== SENDER_REPORT && type !== RECEIVER_REPORT) return "NOT_COMPOUND";
    if (!readPart(bytes, { at, end, type, count: (bytes[at] as number) & 31 }, received)) return "BAD_LENGTH";
    at = end;
  }
  return received;
}

interface Part {
  at: number;
  end: number;
  type: number;
  count: number;
}

function readPart(bytes: Uint8Array, part: Part, received: ReceivedRtcp): boolean {
  const { at, end, type, count } = part;
  if (type === GOODBYE) {
    received.isGoodbye = true;
    return at + 4 + count * 4 <= end;
  }
  if (type === SOURCE_DESCRIPTION) {
    if (count > 0 && end - at >= 8) received.cname ??= readName(bytes, at + 8, end);
    return true;
  }
  if (type !== SENDER_REPORT && type !== RECEIVER_REPORT) return true;
  const headBytes = type === SENDER_REPORT ? 28 : 8;
  if (at + headBytes + count * BLOCK_BYTES > end) return false;
  if (type === SENDER_REPORT) {
    received.senderReport = readUint32(bytes, at + 10);
    received.sender = {
      rtpTimestamp: readUint32(bytes, at + 16),
      packets: readUint32(bytes, at + 20),
      payloadBytes: readUint32(bytes, at + 24),
    };
  }
  for (let i = 0; i < count; i++) received.blocks.push(readBlock(bytes, at + headBytes + i * BLOCK_BYTES));
  return true;
}

function readBlock(bytes: Uint8Array, at: number): ReportBlock {
  return {
    ssrc: readUint32(bytes, at),
    fractionLost: bytes[at + 4] as number,
    packetsLost: (readUint32(bytes, at + 4) << 8) >> 8,
    highestSequence: readUint32(bytes, at + 8),
    jitterSamples: readUint32(bytes, at + 12),
    lastSenderReport: readUint32(bytes, at + 16),
    delaySinceLast: readUint32(bytes, at + 20),
  };
}

function readName(bytes: Uint8Array, from: number, end: number): string | null {
  for (let at = from; at + 2 <= end && bytes[at] !== 0;) {
    const size = bytes[at + 1] as number;
    if (at + 2 + size > end) return null;
    if (bytes[at] === CNAME) return new TextDecoder().decode(bytes.subarray(at + 2, at + 2 + size));
    at += 2 + size;
  }
  return null;
}

function toNtp(wallMs: number): { seconds: number; fraction: number } {
  const seconds = Math.floor(wallMs / 1_000);
  return {
    seconds: (seconds + NTP_EPOCH_S) >>> 0,
    fraction: Math.floor(((wallMs - seconds * 1_000) / 1_000) * 2 ** 32),
  };
}

/** Returns the middle 32 bits of the NTP time: 65,536ths of a second, the unit of round trips. */
export function toShortNtp(wallMs: number): number {
  const { seconds, fraction } = toNtp(wallMs);
  return ((seconds << 16) | (fraction >>> 16)) >>> 0;
}

/** Returns the round trip of a block in milliseconds; null when it answers no report of ours or is negative. */
export function measureRoundTrip(block: ReportBlock, wallMs: number): number | null {
  if (block.lastSenderReport === 0) return null;
  const units = (toShortNtp(wallMs) - block.lastSenderReport - block.delaySinceLast) | 0;
  return units < 0 ? null : (units * 1_000) / 65_536;
}
