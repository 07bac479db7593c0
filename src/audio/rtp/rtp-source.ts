import { SAMPLES_PER_MS } from "#src/audio/codec/frame.ts";
import type { RtpHeader } from "./rtp.ts";

/** Largest gap in the sequence numbers within one stream (RFC 3550, appendix A.1). */
const MAX_DROPOUT = 3_000;
const MAX_MISORDER = 100;
/** Time since its last packet during which a source is speaking, and no other takes its place. */
const SPEAKING_MS = 100;
const NONE = -1;

/**
 * Relation of a packet to its stream. STRAY packets are not to be heard: their number or source does not fit, and no
 * second packet in a row has confirmed them. RESTARTED and NEW_SOURCE are to be heard as the start of a stream.
 */
export type RtpArrival = "FIRST" | "ACCEPTED" | "REORDERED" | "STRAY" | "RESTARTED" | "NEW_SOURCE";

/** A reception report as RTCP carries it. `fractionLost` counts 256ths since the report before. */
export interface ReceptionReport {
  ssrc: number;
  fractionLost: number;
  packetsLost: number;
  highestSequence: number;
  jitterSamples: number;
}

/**
 * Follows one remote stream: wraps of its numbers, loss, jitter, restarts and changes of source. Another source takes
 * over only with two packets in a row, and only after the current one has stopped, so that forged packets cannot end a
 * stream. The first source of all may come back at any time.
 */
export class RtpSource {
  #ssrc = NONE;
  #firstSsrc = NONE;
  #heardMs = Number.NEGATIVE_INFINITY;
  #highest = 0;
  #cycles = 0;
  #first = 0;
  #received = 0;
  #badNext = NONE;
  #candidateSsrc = NONE;
  #candidateNext = NONE;
  #expectedBefore = 0;
  #receivedBefore = 0;
  #transit = Number.NaN;
  #lastTimestamp = NONE;
  #jitter = 0;
  #strays = 0;

  /** The source that is heard; -1 before the first packet. */
  get ssrc(): number {
    return this.#ssrc;
  }

  /** Packets that were not to be heard. */
  get strays(): number {
    return this.#strays;
  }

  /** The interarrival jitter of RFC 3550, in samples. */
  get jitterSamples(): number {
    return this.#jitter;
  }

  /** Packets of the stream that arrived, and that should have. */
  get packets(): { received: number; expected: number } {
    return { received: this.#received, expected: this.#expected() };
  }

  /** Takes a packet into account. `nowMs` is when it arrived, on any clock that does not jump. */
  accept(header: RtpHeader, nowMs: number): RtpArrival {
    const arrival = header.ssrc === this.#ssrc ? this.#follow(header.sequence) : this.#consider(header, nowMs);
    if (arrival === "STRAY") {
      this.#strays++;
      return arrival;
    }
    this.#received++;
    this.#heardMs = nowMs;
    if (arrival !== "REORDERED") this.#measure(header.timestamp, nowMs);
    return arrival;
  }

  /** Returns the report on the packets since the one before; null before the first packet. */
  report(): ReceptionReport | null {
    if (this.#ssrc === NONE) return null;
    const expected = this.#expected();
    const expectedNow = expected - this.#expectedBefore;
    const lostNow = expectedNow - (this.#received - this.#receivedBefore);
    this.#expectedBefore = expected;
    this.#receivedBefore = this.#received;
    return {
      ssrc: this.#ssrc,
      fractionLost: expectedNow > 0 && lostNow > 0 ? Math.min(255, Math.floor((lostNow * 256) / expectedNow)) : 0,
      packetsLost: Math.max(-0x80_0000, Math.min(0x7f_ffff, expected - this.#received)),
      highestSequence: (this.#cycles + this.#highest) >>> 0,
      jitterSamples: Math.floor(this.#jitter),
    };
  }

  #expected(): number {
    return this.#ssrc === NONE ? 0 : this.#cycles + this.#highest - this.#first + 1;
  }

  #follow(sequence: number): RtpArrival {
    const ahead = (sequence - this.#highest) & 0xffff;
    if (ahead > 0 && ahead < MAX_DROPOUT) {
      if (sequence < this.#highest) this.#cycles += 0x1_0000;
      this.#highest = sequence;
      this.#badNext = NONE;
      return "ACCEPTED";
    }
    if (ahead === 0 || ahead > 0x1_0000 - MAX_MISORDER) return "REORDERED";
    if (sequence === this.#badNext) {
      this.#begin(sequence);
      return "RESTARTED";
    }
    this.#badNext = (sequence + 1) & 0xffff;
    return "STRAY";
  }

  #consider({ ssrc, sequence }: RtpHeader, nowMs: number): RtpArrival {
    const isFirst = this.#ssrc === NONE;
    if (isFirst) this.#firstSsrc = ssrc;
    const isInRow = ssrc === this.#candidateSsrc && sequence === this.#candidateNext;
    const mayTakeOver = ssrc === this.#firstSsrc || nowMs - this.#heardMs >= SPEAKING_MS;
    if (isFirst || (isInRow && mayTakeOver)) {
      this.#ssrc = ssrc;
      this.#begin(sequence);
      return isFirst ? "FIRST" : "NEW_SOURCE";
    }
    this.#candidateSsrc = ssrc;
    this.#candidateNext = (sequence + 1) & 0xffff;
    return "STRAY";
  }

  #begin(sequence: number): void {
    this.#first = sequence;
    this.#highest = sequence;
    this.#cycles = 0;
    this.#received = 0;
    this.#expectedBefore = 0;
    this.#receivedBefore = 0;
    this.#badNext = NONE;
    this.#candidateSsrc = NONE;
    this.#transit = Number.NaN;
    this.#lastTimestamp = NONE;
    this.#jitter = 0;
  }

  /**
   * Updates the jitter (RFC 3550, appendix A.8). Packets of one event share a timestamp and carry no information about
   * the network.
   */
  #measure(timestamp: number, nowMs: number): void {
    if (timestamp === this.#lastTimestamp) return;
    this.#lastTimestamp = timestamp;
    const transit = nowMs * SAMPLES_PER_MS - timestamp;
    if (!Number.isNaN(this.#transit)) {
      // The timestamp wraps once in six days, and a restarted far end jumps: neither is jitter.
      const difference = Math.abs(transit - this.#transit);
      if (difference < SAMPLES_PER_MS * 10_000) this.#jitter += (difference - this.#jitter) / 16;
    }
    this.#transit = transit;
  }
}
