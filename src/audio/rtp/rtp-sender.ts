import { RTP_HEADER_BYTES, writeUint16, writeUint32 } from "./rtp.ts";

/** Start of a stream. Sequence and timestamp should be random (RFC 3550, section 5.1). */
export interface RtpSenderOptions {
  ssrc: number;
  payloadType: number;
  firstSequence: number;
  firstTimestamp: number;
  maxPayloadBytes: number;
  /** Room kept after the payload, for the tag of SRTP. */
  tailBytes: number;
}

/**
 * Numbers the packets of one stream. The caller writes the payload to `packet` from `payloadStart` on, then a `finish…`
 * method puts the header before it and returns the packet's length; the next packet uses the same bytes.
 */
export class RtpSender {
  readonly packet: Uint8Array;
  readonly payloadStart = RTP_HEADER_BYTES;
  readonly ssrc: number;
  readonly #payloadType: number;
  #sequence: number;
  #timestamp: number;
  #isAfterSilence = true;
  #packets = 0;
  #payloadBytes = 0;

  constructor(options: RtpSenderOptions) {
    this.ssrc = options.ssrc >>> 0;
    this.#payloadType = options.payloadType;
    this.#sequence = options.firstSequence & 0xffff;
    this.#timestamp = options.firstTimestamp >>> 0;
    this.packet = new Uint8Array(RTP_HEADER_BYTES + options.maxPayloadBytes + options.tailBytes);
    this.packet[0] = 0x80;
    writeUint32(this.packet, 8, this.ssrc);
  }

  /** The timestamp of the next frame. */
  get timestamp(): number {
    return this.#timestamp;
  }

  /** Totals sent so far, for sender reports; both wrap at 32 bits as there. */
  get sent(): { packets: number; payloadBytes: number } {
    return { packets: this.#packets >>> 0, payloadBytes: this.#payloadBytes >>> 0 };
  }

  /** Finishes a packet of audio that lasts `samples`. The first one after silence carries the marker. */
  finishAudio(payloadBytes: number, samples: number): number {
    const length = this.#finish(this.#payloadType, this.#isAfterSilence, this.#timestamp, payloadBytes);
    this.#isAfterSilence = false;
    this.#timestamp = (this.#timestamp + samples) >>> 0;
    return length;
  }

  /** Lets time pass without a packet. */
  skip(samples: number): void {
    this.#timestamp = (this.#timestamp + samples) >>> 0;
    this.#isAfterSilence = true;
  }

  /** Finishes a packet of another payload type with a timestamp of its own; `skip` accounts for its duration. */
  finishEvent(payloadType: number, marker: boolean, timestamp: number, payloadBytes: number): number {
    return this.#finish(payloadType, marker, timestamp, payloadBytes);
  }

  #finish(payloadType: number, marker: boolean, timestamp: number, payloadBytes: number): number {
    const packet = this.packet;
    packet[1] = (marker ? 0x80 : 0) | payloadType;
    writeUint16(packet, 2, this.#sequence);
    writeUint32(packet, 4, timestamp);
    this.#sequence = (this.#sequence + 1) & 0xffff;
    this.#packets++;
    this.#payloadBytes += payloadBytes;
    return RTP_HEADER_BYTES + payloadBytes;
  }
}
