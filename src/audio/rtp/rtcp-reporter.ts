import { measureRoundTrip, MAX_RTCP_BYTES, parseRtcp, writeRtcp, type RtcpFault } from "./rtcp.ts";
import type { RtpSender } from "./rtp-sender.ts";
import type { RtpSource } from "./rtp-source.ts";

/** Mean interval of reports: 5 s, varied between half and one and a half of it (RFC 3550, section 6.2). */
const INTERVAL_MS = 5_000;

/** The far end's report on our stream. */
export interface FarReport {
  fractionLost: number;
  packetsLost: number;
  jitterSamples: number;
  roundTripMs: number | null;
}

/** Dependencies of a reporter. `random` (0 to 1) spreads the reports, so that calls do not report at once. */
export interface RtcpReporterOptions {
  cname: string;
  sender: RtpSender;
  source: RtpSource;
  random: () => number;
}

/** RTCP side of one call: determines when a report is due, writes it, and reads the far end's. */
export class RtcpReporter {
  readonly packet = new Uint8Array(MAX_RTCP_BYTES);
  readonly #options: RtcpReporterOptions;
  #dueMs: number;
  #sentBefore = 0;
  #senderReport = 0;
  #senderReportAtMs = 0;
  #far: FarReport | null = null;
  #hasLeft = false;
  #faults = 0;

  constructor(options: RtcpReporterOptions, nowMs: number) {
    this.#options = options;
    // The first report comes sooner, as the standard asks.
    this.#dueMs = nowMs + (INTERVAL_MS / 2) * (0.5 + options.random());
  }

  /** The latest report on our stream; null before one came. */
  get far(): FarReport | null {
    return this.#far;
  }

  /** True once the far end said goodbye. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Number of datagrams that were no RTCP. */
  get faults(): number {
    return this.#faults;
  }

  /** Writes the report to `packet` when it is due, and returns its length; otherwise 0. */
  tick(nowMs: number, wallMs: number): number {
    if (nowMs < this.#dueMs) return 0;
    this.#dueMs = nowMs + INTERVAL_MS * (0.5 + this.#options.random());
    return this.#write(nowMs, wallMs, false);
  }

  /** Writes the last report, with the goodbye, to `packet`; returns its length. */
  leave(nowMs: number, wallMs: number): number {
    return this.#write(nowMs, wallMs, true);
  }

  /** Takes a datagram; returns its fault, or null. */
  receive(bytes: Uint8Array, length: number, nowMs: number, wallMs: number): RtcpFault | null {
    const received = parseRtcp(bytes, length);
    if (typeof received === "string") {
      this.#faults++;
      return received;
    }
    if (received.isGoodbye) this.#hasLeft = true;
    if (received.senderReport !== null) {
      this.#senderReport = received.senderReport;
      this.#senderReportAtMs = nowMs;
    }
    const block = received.blocks.find(({ ssrc }) => ssrc === this.#options.sender.ssrc);
    if (block) {
      const { fractionLost, packetsLost, jitterSamples } = block;
      this.#far = { fractionLost, packetsLost, jitterSamples, roundTripMs: measureRoundTrip(block, wallMs) };
    }
    return null;
  }

  #write(nowMs: number, wallMs: number, isGoodbye: boolean): number {
    const { sender, source, cname } = this.#options;
    const { packets, payloadBytes } = sender.sent;
    const hasSent = packets !== this.#sentBefore;
    this.#sentBefore = packets;
    const report = source.report();
    const sinceMs = this.#senderReport === 0 ? 0 : nowMs - this.#senderReportAtMs;
    return writeRtcp(this.packet, {
      ssrc: sender.ssrc,
      cname,
      sender: hasSent ? { wallMs, rtpTimestamp: sender.timestamp, packets, payloadBytes } : null,
      reception: report && {
        ...report,
        lastSenderReport: this.#senderReport,
        delaySinceLast: Math.min(0xffff_ffff, Math.round((sinceMs * 65_536) / 1_000)),
      },
      isGoodbye,
    });
  }
}
