import { BoundedMap } from "#src/platform/kernel/bounded-map.ts";
import { createRtpHeader, parseRtp, readUint32, writeUint32 } from "./rtp.ts";
import { deriveSessionKeys, type SessionKeys, type SrtpSuite } from "./srtp-keys.ts";
import { PacketAuthenticator, PacketCipher, ReplayWindow } from "./srtp-primitives.ts";

const TAG_BYTES: Record<SrtpSuite, number> = { AES_CM_128_HMAC_SHA1_80: 10, AES_CM_128_HMAC_SHA1_32: 4 };
/** Bytes that a protected packet needs after the plain one. */
export const SRTP_TAIL_BYTES = 10;
/** Tag of SRTCP, always the long one (RFC 4568, section 6.2), after four bytes with its own packet number. */
const RTCP_TAG_BYTES = 10;
const RTCP_INDEX_BYTES = 4;
/** Bytes that protected RTCP needs after the plain packet. */
export const SRTCP_TAIL_BYTES = RTCP_TAG_BYTES + RTCP_INDEX_BYTES;
const RTCP_HEAD_BYTES = 8;
const ENCRYPTED_BIT = 0x8000_0000;
/** Longest packet: more than a datagram holds on any usual network. */
const MAX_PACKET_BYTES = 2_048;
/** Sources followed at once. Only the far end can create one, because packets are authenticated first. */
const MAX_SOURCES = 8;

/** Reason that a protected packet was not accepted. */
export type SrtpFault = "MALFORMED" | "FORGED" | "REPLAYED";

interface Source {
  cipher: PacketCipher;
  window: ReplayWindow;
}

/**
 * One direction of a stream protected by SRTP with keys from SDES (RFC 3711, RFC 4568): one context sends with our key,
 * another receives with the far end's.
 */
export class SrtpContext {
  readonly #tagBytes: number;
  readonly #rtpKeys: SessionKeys;
  readonly #rtcpKeys: SessionKeys;
  readonly #rtpAuth: PacketAuthenticator;
  readonly #rtcpAuth: PacketAuthenticator;
  readonly #rtpSources = new BoundedMap<number, Source>(MAX_SOURCES);
  readonly #rtcpSources = new BoundedMap<number, Source>(MAX_SOURCES);
  readonly #header = createRtpHeader();

  constructor(suite: SrtpSuite, master: Uint8Array) {
    this.#tagBytes = TAG_BYTES[suite];
    this.#rtpKeys = deriveSessionKeys(master, "SRTP");
    this.#rtcpKeys = deriveSessionKeys(master, "SRTCP");
    this.#rtpAuth = new PacketAuthenticator(this.#rtpKeys.authKey, MAX_PACKET_BYTES + 4);
    this.#rtcpAuth = new PacketAuthenticator(this.#rtcpKeys.authKey, MAX_PACKET_BYTES + 4);
  }

  /** Encrypts a packet of ours in place and appends the tag; returns the new length. */
  protect(packet: Uint8Array, length: number): number {
    const header = this.#header;
    this.#require(packet, length, this.#tagBytes);
    if (parseRtp(packet, length, header) !== null) throw new RangeError("Only RTP packets can be protected.");
    const source = this.#source(this.#rtpSources, this.#rtpKeys, header.ssrc);
    const index = guessIndex(source.window.highest, header.sequence);
    source.window.add(index);
    source.cipher.apply(packet, header.payloadStart, length - header.payloadStart, index);
    this.#rtpAuth.compute(packet, length, Math.floor(index / 0x1_0000));
    this.#rtpAuth.write(packet, length, this.#tagBytes);
    return length + this.#tagBytes;
  }

  /** Checks and decrypts a packet of the far end in place; returns the plain packet's length, or the fault. */
  unprotect(packet: Uint8Array, length: number): number | SrtpFault {
    const header = this.#header;
    const plainBytes = length - this.#tagBytes;
    // Padding is inside the encrypted part, so the header is read without it.
    if (length > MAX_PACKET_BYTES || plainBytes < 12 || !parseHead(packet, plainBytes, header)) return "MALFORMED";
    const known = this.#rtpSources.get(header.ssrc);
    const index = guessIndex(known?.window.highest ?? -1, header.sequence);
    if (known && !known.window.isNew(index)) return "REPLAYED";
    this.#rtpAuth.compute(packet, plainBytes, Math.floor(index / 0x1_0000));
    if (!this.#rtpAuth.matches(packet, plainBytes, this.#tagBytes)) return "FORGED";
    const source = known ?? this.#source(this.#rtpSources, this.#rtpKeys, header.ssrc);
    source.window.add(index);
    source.cipher.apply(packet, header.payloadStart, plainBytes - header.payloadStart, index);
    return plainBytes;
  }

  /** Encrypts a compound RTCP packet of ours in place and appends its number and tag; returns the new length. */
  protectRtcp(packet: Uint8Array, length: number): number {
    this.#require(packet, length, SRTCP_TAIL_BYTES);
    if (length < RTCP_HEAD_BYTES) throw new RangeError("Only RTCP packets can be protected.");
    const source = this.#source(this.#rtcpSources, this.#rtcpKeys, readUint32(packet, 4));
    const index = source.window.highest + 1;
    source.window.add(index);
    source.cipher.apply(packet, RTCP_HEAD_BYTES, length - RTCP_HEAD_BYTES, index);
    writeUint32(packet, length, (ENCRYPTED_BIT | index) >>> 0);
    this.#rtcpAuth.compute(packet, length + RTCP_INDEX_BYTES, null);
    this.#rtcpAuth.write(packet, length + RTCP_INDEX_BYTES, RTCP_TAG_BYTES);
    return length + SRTCP_TAIL_BYTES;
  }

  /** Checks and decrypts a compound RTCP packet in place; returns the plain packet's length, or the fault. */
  unprotectRtcp(packet: Uint8Array, length: number): number | SrtpFault {
    const plainBytes = length - SRTCP_TAIL_BYTES;
    if (length > MAX_PACKET_BYTES || length > packet.length || plainBytes < RTCP_HEAD_BYTES) return "MALFORMED";
    const word = readUint32(packet, plainBytes);
    const index = word & ~ENCRYPTED_BIT;
    const ssrc = readUint32(packet, 4);
    const known = this.#rtcpSources.get(ssrc);
    if (known && !known.window.isNew(index)) return "REPLAYED";
    this.#rtcpAuth.compute(packet, plainBytes + RTCP_INDEX_BYTES, null);
    if (!this.#rtcpAuth.matches(packet, plainBytes + RTCP_INDEX_BYTES, RTCP_TAG_BYTES)) return "FORGED";
    const source = known ?? this.#source(this.#rtcpSources, this.#rtcpKeys, ssrc);
    source.window.add(index);
    if (word !== index) source.cipher.apply(packet, RTCP_HEAD_BYTES, plainBytes - RTCP_HEAD_BYTES, index);
    return plainBytes;
  }

  #require(packet: Uint8Array, length: number, tailBytes: number): void {
    if (length + tailBytes > Math.min(packet.length, MAX_PACKET_BYTES)) {
      throw new RangeError("The packet leaves no room for its tag.");
    }
  }

  #source(sources: BoundedMap<number, Source>, keys: SessionKeys, ssrc: number): Source {
    return sources.getOrMake(ssrc, () => ({
      cipher: new PacketCipher(keys.cipherKey, keys.salt, ssrc),
      window: new ReplayWindow(),
    }));
  }
}

/** Returns the number with rollovers that lies nearest to the highest one so far (RFC 3711, section 3.3.1). */
function guessIndex(highest: number, sequence: number): number {
  if (highest < 0) return sequence;
  const rollovers = Math.floor(highest / 0x1_0000);
  const ahead = ((sequence - (highest % 0x1_0000) + 0x8000) & 0xffff) - 0x8000;
  const index = highest + ahead;
  return index < 0 ? rollovers * 0x1_0000 + sequence : index;
}

const PADDING_BIT = 0x20;

function parseHead(packet: Uint8Array, length: number, header: ReturnType<typeof createRtpHeader>): boolean {
  const first = packet[0] as number;
  packet[0] = first & ~PADDING_BIT;
  const fault = parseRtp(packet, length, header);
  packet[0] = first;
  return fault === null;
}
