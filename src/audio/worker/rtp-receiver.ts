import type { RemoteInfo } from "node:dgram";
import { codecNamed } from "#src/audio/codec/codecs.ts";
import type { FrameCodec } from "#src/audio/codec/frame-codec.ts";
import { JitterBuffer } from "#src/audio/rtp/jitter-buffer.ts";
import type { RtcpReporter } from "#src/audio/rtp/rtcp-reporter.ts";
import type { RtpSource } from "#src/audio/rtp/rtp-source.ts";
import { createRtpHeader, isRtcp, parseRtp } from "#src/audio/rtp/rtp.ts";
import type { SrtpContext } from "#src/audio/rtp/srtp.ts";
import { KeyReceiver } from "#src/audio/rtp/telephone-event.ts";
import type { RtpPeer, Standing } from "./rtp-peer.ts";

/** Fixed payload types (RFC 3551): far ends switch between the two laws, and send comfort noise, without notice. */
const MU_LAW = 0;
const A_LAW = 8;
const COMFORT_NOISE = 13;
/** Most samples of a packet: 200 ms. */
const MAX_SAMPLES = 1_600;
/**
 * Most datagrams of one call in 20 ms. A thread that was blocked for a second finds 50 to 100 waiting; more is a flood,
 * which must cost the other calls nothing.
 */
const MAX_PER_TICK = 100;
/** Most packets in 20 ms from senders that may yet prove to be the far end: no work is done for more. */
const MAX_UNPROVEN_PER_TICK = 20;
/** Longest flood from a far end, 3 s; after that it counts as broken. */
const MAX_FLOODED_TICKS = 150;

/** Buffers for one packet at a time, shared by all calls of the thread. */
const samples = new Int16Array(MAX_SAMPLES);
const header = createRtpHeader();

/** Dependencies of a receiver. */
export interface RtpReceiverParts {
  peer: RtpPeer;
  reporter: RtcpReporter;
  source: RtpSource;
  codec: "PCMU" | "PCMA";
  payloadType: number;
  eventPayloadType: number | null;
  srtp: SrtpContext | null;
  onDigit: (digit: string) => void;
}

/** Counts of rejected packets by reason. */
export interface RefusedPackets {
  malformed: number;
  /** Not protected as agreed, forged or replayed. */
  unprotected: number;
  /** Packets with a payload type that was not agreed. */
  unknown: number;
  flooded: number;
}

/** The incoming side of one call: turns datagrams into frames and keys. No input makes it throw. */
export class RtpReceiver {
  readonly refused: RefusedPackets = { malformed: 0, unprotected: 0, unknown: 0, flooded: 0 };
  readonly jitter = new JitterBuffer();
  readonly #parts: RtpReceiverParts;
  readonly #keys = new KeyReceiver();
  #left = MAX_PER_TICK;
  #unprovenLeft = MAX_UNPROVEN_PER_TICK;
  #floodedTicks = 0;
  readonly #nowMs: () => number;

  constructor(parts: RtpReceiverParts, nowMs: () => number) {
    this.#parts = parts;
    this.#nowMs = nowMs;
  }

  /** True when the far end has sent more than can be taken for so long that the call must end. */
  get isFlooded(): boolean {
    return this.#floodedTicks > MAX_FLOODED_TICKS;
  }

  /** Fills the next frame. `atMs` is its time on the call's schedule. */
  read(frame: Int16Array, atMs: number): boolean {
    if (this.#left <= 0) this.#floodedTicks++;
    else if (this.#floodedTicks > 0) this.#floodedTicks--;
    this.#left = MAX_PER_TICK;
    this.#unprovenLeft = MAX_UNPROVEN_PER_TICK;
    this.#keys.tick(atMs);
    this.jitter.pop(frame, atMs);
    return true;
  }

  /** Takes a datagram of the RTP port. A stranger's packets do not count towards the far end's limit. */
  hear(bytes: Uint8Array, from: RemoteInfo): void {
    if (isRtcp(bytes, bytes.length)) return this.hearReport(bytes, from);
    const { peer } = this.#parts;
    const standing = peer.judge(from);
    const mayProve = standing === "UNPROVEN" && --this.#unprovenLeft >= 0;
    if (standing !== "KNOWN" && !mayProve) peer.refuse(from);
    else if (mayProve || this.#admits()) this.#take(bytes, from, standing);
  }

  /** Takes a datagram of the RTCP port. */
  hearReport(bytes: Uint8Array, from: RemoteInfo): void {
    const { peer } = this.#parts;
    if (!peer.mayReport(from)) peer.refuse(from);
    else if (this.#admits()) this.#takeReport(bytes);
  }

  #admits(): boolean {
    if (--this.#left >= 0) return true;
    this.refused.flooded++;
    return false;
  }

  #takeReport(bytes: Uint8Array): void {
    const { peer, reporter, srtp } = this.#parts;
    const length = srtp ? srtp.unprotectRtcp(bytes, bytes.length) : bytes.length;
    if (typeof length === "string") this.refused.unprotected++;
    else if (reporter.receive(bytes, length, this.#nowMs(), Date.now())) this.refused.malformed++;
    else peer.hearReport();
  }

  #take(bytes: Uint8Array, from: RemoteInfo, standing: Standing): void {
    const { peer, source, srtp } = this.#parts;
    const length = srtp ? srtp.unprotect(bytes, bytes.length) : bytes.length;
    if (typeof length === "string") {
      this.refused.unprotected++;
      return;
    }
    if (parseRtp(bytes, length, header) !== null) {
      this.refused.malformed++;
      return;
    }
    const codec = this.#codecOf(header.payloadType);
    const isEvent = header.payloadType === this.#parts.eventPayloadType;
    if (!codec && !isEvent && header.payloadType !== COMFORT_NOISE) {
      this.refused.unknown++;
      return;
    }
    if (codec && (header.payloadBytes === 0 || header.payloadBytes > MAX_SAMPLES)) {
      this.refused.malformed++;
      return;
    }
    if (standing === "UNPROVEN" && !peer.prove(from, header)) return;
    const nowMs = this.#nowMs();
    if (source.accept(header, nowMs) === "STRAY") return;
    peer.hear(from, header);
    if (codec) this.#hearSound(codec, bytes, nowMs);
    else if (isEvent) this.#hearKey(bytes, nowMs);
  }

  #codecOf(payloadType: number): FrameCodec | null {
    if (payloadType === this.#parts.payloadType) return codecNamed(this.#parts.codec);
    if (payloadType === MU_LAW) return codecNamed("PCMU");
    return payloadType === A_LAW ? codecNamed("PCMA") : null;
  }

  #hearSound(codec: FrameCodec, bytes: Uint8Array, nowMs: number): void {
    const count = codec.decodeInto(bytes, header.payloadStart, header.payloadBytes, samples);
    this.jitter.push(header.timestamp, samples, count, nowMs);
  }

  #hearKey(bytes: Uint8Array, nowMs: number): void {
    const { payloadStart, payloadBytes, timestamp, marker } = header;
    const digit = this.#keys.push(bytes, payloadStart, payloadBytes, timestamp, marker, nowMs);
    if (digit !== null) this.#parts.onDigit(digit);
  }
}
