import type { MessagePort } from "node:worker_threads";
import type { SrtpSuite } from "#src/audio/rtp/srtp-keys.ts";
import type { TransferFailure } from "./line.ts";

/** The keys of one direction of an SRTP stream. */
export interface SrtpMaster {
  suite: SrtpSuite;
  /** Master key and salt, 30 bytes. */
  master: Uint8Array;
}

/** Destination and payload of an RTP stream, once both sides have agreed. */
export interface RtpTarget {
  remote: { host: string; port: number };
  codec: "PCMU" | "PCMA";
  payloadType: number;
  /** Payload type of RFC 4733 telephone events; null: the far end takes none. */
  eventPayloadType: number | null;
  srtp: { ours: SrtpMaster; theirs: SrtpMaster } | null;
  /**
   * CIDR ranges that the far end may send from besides the host it gave, such as that of its SIP or, behind NAT, those
   * of its trunk; none when left out.
   */
  ranges?: readonly string[];
  /** True when RTCP shares the port of RTP; otherwise it uses the next port. False when left out. */
  rtcpMux?: boolean;
}

/**
 * Message over a port that carries a call's audio, both ways: 20 ms as 160 bytes of mu-law, keypad tones, or the notice
 * that the far end hung up or our end was closed. A path that breaks sends nothing more.
 */
export type MediaMessage = Uint8Array | { digits: string } | { closed: true };

/**
 * Form in which a carrier offers the audio of an answered call to the media worker.
 *
 * PORT: a `MediaMessage` each way every 20 ms.
 *
 * RTP: a socket that was opened before the dial, because its port is in our offer.
 */
export type MediaSource = { kind: "PORT"; port: MessagePort } | ({ kind: "RTP"; socketId: number } & RtpTarget);

/** Result of dialling the target of a transfer. `hangUp` ends that call, and never rejects. */
export type DialledLeg = { kind: "ANSWERED"; source: MediaSource; hangUp(): Promise<void> } | TransferFailure;
