import { randomBytes } from "node:crypto";
import { codecNamed } from "#src/audio/codec/codecs.ts";
import type { FrameCodec } from "#src/audio/codec/frame-codec.ts";
import { FRAME_SAMPLES, FRAME_MS } from "#src/audio/codec/frame.ts";
import type { RtpTarget } from "#src/audio/line/media-source.ts";
import { RtcpReporter, type FarReport } from "#src/audio/rtp/rtcp-reporter.ts";
import { MAX_RTCP_BYTES } from "#src/audio/rtp/rtcp.ts";
import { RtpSender } from "#src/audio/rtp/rtp-sender.ts";
import { RtpSource } from "#src/audio/rtp/rtp-source.ts";
import { SRTCP_TAIL_BYTES, SRTP_TAIL_BYTES, SrtpContext } from "#src/audio/rtp/srtp.ts";
import { KeySender } from "#src/audio/rtp/telephone-event.ts";
import { KeypadTones } from "#src/audio/tones/keypad-tones.ts";
import type { FrameTransport, TransportEvents } from "./media-call.ts";
import { RtpPeer } from "./rtp-peer.ts";
import { RtpReceiver, type RefusedPackets } from "./rtp-receiver.ts";
import type { RtpSocket } from "./rtp-socket.ts";

const KEY_TIMING = { pressMs: 100, gapMs: 80 };
const LOST_AFTER_MS = 20_000;
const NO_KEYS = /[^0-9*#A-D]/gi;

/** The agreed target of an RTP stream, and our settings of it. */
export interface RtpConnection extends RtpTarget {
  /** Time without a packet after which the far end is lost; 20 s when left out. */
  lostAfterMs?: number;
}

/** Packet statistics of a call, for its record. */
export interface RtpStats {
  received: number;
  expected: number;
  jitterMs: number;
  /** Rejected packets by reason. `foreign`: of other addresses; `strays`: of other sources, or out of sequence. */
  refused: RefusedPackets & { foreign: number; strays: number };
  late: number;
  concealedMs: number;
  sent: number;
  faults: number;
  /** The far end's report on our packets; null before the first. */
  far: FarReport | null;
}

/**
 * Audio of one call over RTP. `read` and `write` are called once per 20 ms and allocate nothing. Hang-ups come by
 * signalling, never by RTCP: gateways say goodbye also when they only change a stream.
 */
export class RtpTransport implements FrameTransport {
  readonly #socket: RtpSocket;
  readonly #events: TransportEvents;
  readonly #peer: RtpPeer;
  readonly #receiver: RtpReceiver;
  readonly #sender: RtpSender;
  readonly #source = new RtpSource();
  readonly #reporter: RtcpReporter;
  readonly #codec: FrameCodec;
  readonly #keys: KeySender | null;
  readonly #tones = new KeypadTones();
  readonly #toneFrame = new Int16Array(FRAME_SAMPLES);
  readonly #srtp: SrtpContext | null;
  readonly #report = new Uint8Array(MAX_RTCP_BYTES + SRTCP_TAIL_BYTES);
  readonly #now: () => number;
  readonly #lostAfterMs: number;
  readonly #rtcpMux: boolean;
  #packet: Uint8Array;
  #startedAtMs = Number.NaN;
  #ticks = 0;
  #isHeld = false;
  #isClosed = false;

  /** Throws a RangeError for an invalid address, or one of another family than the socket's. */
  constructor(socket: RtpSocket, connection: RtpConnection, events: TransportEvents, now = () => performance.now()) {
    const { remote, codec, payloadType, eventPayloadType, srtp } = connection;
    this.#socket = socket;
    this.#events = events;
    this.#now = now;
    this.#lostAfterMs = connection.lostAfterMs ?? LOST_AFTER_MS;
    this.#rtcpMux = connection.rtcpMux ?? false;
    this.#codec = codecNamed(codec);
    this.#peer = new RtpPeer(socket, this.#addressOf(remote), {
      ranges: connection.ranges ?? [],
      isAuthenticated: srtp !== null,
      onStranger: (host) => events.onStranger?.(host, remote.host),
    });
    this.#sender = createSender(payloadType);
    this.#packet = this.#sender.packet;
    this.#keys =
      eventPayloadType === null ? null : new KeySender(this.#sender, eventPayloadType, FRAME_SAMPLES, KEY_TIMING);
    this.#srtp = srtp ? new SrtpContext(srtp.ours.suite, srtp.ours.master) : null;
    this.#reporter = new RtcpReporter(
      { cname: randomBytes(12).toString("base64url"), sender: this.#sender, source: this.#source, random: Math.random },
      now(),
    );
    const parts = { peer: this.#peer, reporter: this.#reporter, source: this.#source, codec, payloadType };
    const theirs = srtp ? new SrtpContext(srtp.theirs.suite, srtp.theirs.master) : null;
    const onDigit = (digit: string) => events.onDigit(digit);
    this.#receiver = new RtpReceiver({ ...parts, eventPayloadType, srtp: theirs, onDigit }, now);
    socket.listen(
      (bytes, from) => this.#receiver.hear(bytes, from),
      (bytes, from) => this.#receiver.hearReport(bytes, from),
    );
  }

  /** Packet statistics so far. */
  get stats(): RtpStats {
    const { counts } = this.#receiver.jitter;
    return {
      ...this.#source.packets,
      jitterMs: (this.#source.jitterSamples * FRAME_MS) / FRAME_SAMPLES,
      refused: { ...this.#receiver.refused, foreign: this.#peer.foreign, strays: this.#source.strays },
      late: counts.late,
      concealedMs: (counts.concealedSamples * FRAME_MS) / FRAME_SAMPLES,
      sent: this.#sender.sent.packets,
      faults: this.#socket.faults,
      far: this.#reporter.far,
    };
  }

  /** Packets that were rejected because of their source address. */
  get foreignPackets(): number {
    return this.#peer.foreign;
  }

  get heldMs(): number {
    return this.#receiver.jitter.heldMs;
  }

  read(frame: Int16Array): boolean {
    if (this.#isClosed) return false;
    if (this.#ticks === 0) this.#startedAtMs = this.#now();
    this.#peer.tick();
    // The schedule's time, not the clock's: ticks that are made up for in a row are still 20 ms apart.
    return this.#receiver.read(frame, this.#startedAtMs + this.#ticks++ * FRAME_MS);
  }

  write(frame: Int16Array): void {
    if (this.#isClosed) return;
    const keyBytes = this.#keys?.tick() ?? 0;
    if (keyBytes > 0) this.#send(keyBytes);
    else this.#sendSound(this.#tones.fill(this.#toneFrame) ? this.#toneFrame : frame);
    const reportBytes = this.#reporter.tick(this.#startedAtMs + this.#ticks * FRAME_MS, Date.now());
    if (reportBytes > 0) this.#sendReport(reportBytes);
    const isSilent = this.#peer.silentMs >= this.#lostAfterMs && !this.#isHeld;
    const isLost = isSilent || this.#receiver.isFlooded;
    if (isLost) this.#lose();
  }

  /**
   * Sends keys. Other characters, and keys beyond the queue's capacity, are dropped: one call's mistake must not stop
   * the thread.
   */
  sendDigits(digits: string): void {
    try {
      (this.#keys ?? this.#tones).press(digits.replaceAll(NO_KEYS, ""));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }

  /** Redirects to another address, which the signalling gave. `isHeld`: the far end's silence is then as agreed. */
  redirect(remote: { host: string; port: number }, isHeld = false): void {
    this.#peer.redirect(this.#addressOf(remote));
    this.#isHeld = isHeld;
  }

  /** Ends the call when the far end hung up, according to its signalling. */
  end(): void {
    if (this.#isClosed) return;
    this.close();
    this.#events.onClosed("REMOTE");
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#sendReport(this.#reporter.leave(this.#now(), Date.now()));
    this.#socket.close();
  }

  #addressOf({ host, port }: { host: string; port: number }): { host: string; port: number; rtcpPort: number | null } {
    if (!this.#socket.canReach(host)) throw new RangeError("The far end's address is none of the socket's family.");
    if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new RangeError("The far end's port is no port.");
    return { host, port, rtcpPort: this.#rtcpMux ? null : nextPort(port) };
  }

  #sendSound(frame: Int16Array): void {
    const { packet, payloadStart } = this.#sender;
    const bytes = this.#codec.encodeInto(frame, FRAME_SAMPLES, packet, payloadStart);
    this.#send(this.#sender.finishAudio(bytes, FRAME_SAMPLES));
  }

  #send(plainBytes: number): void {
    const { packet } = this.#sender;
    const length = this.#srtp ? this.#srtp.protect(packet, plainBytes) : plainBytes;
    // Audio packets all have one length, so the view is made once.
    if (this.#packet.length !== length) this.#packet = packet.subarray(0, length);
    this.#socket.send(this.#packet);
  }

  #sendReport(plainBytes: number): void {
    this.#report.set(this.#reporter.packet.subarray(0, plainBytes));
    const length = this.#srtp ? this.#srtp.protectRtcp(this.#report, plainBytes) : plainBytes;
    this.#socket.sendRtcp(this.#report.subarray(0, length));
  }

  #lose(): void {
    this.close();
    this.#events.onClosed("LOST");
  }
}

/** Returns the next port; 0 for port 0, which is nowhere. */
function nextPort(port: number): number {
  return port === 0 ? 0 : Math.min(port + 1, 65_535);
}

function createSender(payloadType: number): RtpSender {
  const random = randomBytes(10);
  return new RtpSender({
    ssrc: random.readUInt32BE(0),
    payloadType,
    // Far below the wrap: SRTP counts the wraps from the first packet that the far end receives.
    firstSequence: random.readUInt16BE(4) >> 1,
    firstTimestamp: random.readUInt32BE(6),
    maxPayloadBytes: FRAME_SAMPLES,
    tailBytes: SRTP_TAIL_BYTES,
  });
}
