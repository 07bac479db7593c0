import { measureRoundTrip, MAX_RTCP_BYTES, parseRtcp, writeRtcp, type RtcpFault } from "./rtcp.ts";
import type { RtpSender } from "./rtp-sender.ts";
import type { RtpSource } from "./rtp-source.ts";

/** RFC 3550, section 6.2: reports come every 5 s, between half and one and a half of it. */
const INTERVAL_MS = 5_000;

/** What the far end told about the way from us to it. */
export interface FarReport {
  fractionLost: number;
  packetsLost: number;
  jitterSamples: number;
  roundTripMs: number | null;
}

/** The clocks and chance of a reporter: `wallMs` for reports, `random` (0 to 1) so that calls do not report at once. */
export interface RtcpReporterOptions {
  cname: string;
  sender: RtpSender;
  source: RtpSource;
  random: () => number;
}

/** The RTCP side of one call: says when a report is due, writes it, and reads the far end's. */
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

  /** Whether the far end said goodbye. */
  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  /** Datagrams that were no RTCP. */
  get faults(): number {
    return this.#faults;
  }

  /** Writes the report to `packet` when it is due, and gives its length; otherwise 0. */
  tick(nowMs: number, wallMs: number): number {
    if (nowMs < this.#dueMs) return 0;
    this.#dueMs = nowMs + INTERVAL_MS * (0.5 + this.#options.random());
    return this.#write(nowMs, wallMs, false);
  }

  /** Writes the last report, with the goodbye, to `packet`; gives its length. */
  leave(nowMs: number, wallMs: number): number {
    return this.#write(nowMs, wallMs, true);
  }

  /** Takes a datagram; gives what is wrong with it, or null. */
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
