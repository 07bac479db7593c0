import { MessageChannel, type MessagePort } from "node:worker_threads";
import { FRAME_SAMPLES, VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import type { MediaSource } from "#src/audio/line/media-source.ts";
import { KeypadTones } from "#src/audio/tones/keypad-tones.ts";
import type { WebSocketPeer } from "#src/platform/http/web-socket.ts";
import { FrameOrder } from "./frame-order.ts";
import type { MediaSocketCodec, SocketAudio, SocketEvent, SocketStarted } from "./media-socket.ts";

/** A stream with more faulty messages than this is not a carrier's. */
const MAX_FAULTS = 100;
const BYE = 1000;
/** One message may hold half a second of audio. */
const MAX_SAMPLES = 24_000;

/**
 * Carries the audio of one call between a carrier's socket and the port of its media. Incoming audio is put in order,
 * cut into frames of 20 ms mu-law and handed over; outgoing audio is sent as it comes, which is every 20 ms.
 */
export class MediaSocketBridge {
  readonly #codec: MediaSocketCodec;
  readonly #onStarted: (started: SocketStarted) => void;
  readonly #ours: MessagePort;
  readonly #theirs: MessagePort;
  readonly #order: FrameOrder;
  readonly #tones = new KeypadTones();
  readonly #samples = new Int16Array(MAX_SAMPLES);
  readonly #frame = new Int16Array(FRAME_SAMPLES);
  readonly #payload = new Uint8Array(FRAME_SAMPLES * 2);
  #peer: WebSocketPeer | null = null;
  #waiting: NodeJS.Timeout | undefined;
  #isGiven = false;
  #hasHungUp = false;
  #isClosed = false;

  constructor(codec: MediaSocketCodec, onStarted: (started: SocketStarted) => void) {
    this.#codec = codec;
    this.#onStarted = onStarted;
    const { port1, port2 } = new MessageChannel();
    this.#ours = port1;
    this.#theirs = port2;
    this.#order = new FrameOrder((frame) => this.#ours.postMessage(frame));
    port1.on("message", (message: unknown) => this.#say(message));
    port1.on("close", () => this.close());
    port1.unref();
  }

  /** True once a socket has been opened. */
  get isTaken(): boolean {
    return this.#peer !== null;
  }

  /** True once the far end has hung up; a lost connection does not count. */
  get hasHungUp(): boolean {
    return this.#hasHungUp;
  }

  /** Returns the audio, once. If no socket opens within `waitMs`, the bridge closes and the far end counts as lost. */
  take(waitMs: number): MediaSource | null {
    if (this.#isGiven || this.#isClosed) return null;
    this.#isGiven = true;
    if (!this.#peer) this.#waiting = setTimeout(() => this.close(), waitMs).unref();
    return { kind: "PORT", port: this.#theirs };
  }

  /** Takes over the carrier's socket. */
  open(peer: WebSocketPeer): void {
    clearTimeout(this.#waiting);
    this.#peer = peer;
    if (this.#isClosed) return peer.close(BYE);
    peer.open({
      onText: (text) => this.#hear(this.#codec.read(Buffer.from(text), false)),
      onBinary: (bytes) => this.#hear(this.#codec.read(bytes, true)),
      // Vonage ends a call only by closing its socket; a lost connection has no close code.
      onEnd: (code) => (code === null ? this.close() : this.end()),
    });
  }

  /** The far end has hung up. Idempotent. */
  end(): void {
    if (this.#isClosed) return;
    this.#hasHungUp = true;
    this.#ours.postMessage({ closed: true });
    this.close();
  }

  /** Closes both sides; our media treats the far end as lost. Idempotent. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearTimeout(this.#waiting);
    this.#ours.close();
    this.#peer?.close(BYE);
  }

  #hear(event: SocketEvent): void {
    if (this.#isClosed) return;
    if (event.kind === "AUDIO") this.#hearAudio(event);
    else if (event.kind === "KEY") this.#ours.postMessage({ digits: event.key });
    else if (event.kind === "STARTED") this.#start(event);
    else if (event.kind === "STOPPED") this.end();
    else if (event.kind === "FAULT" && this.#countFaults() > MAX_FAULTS) this.close();
  }

  /** Closes on any other rate, because none was requested. */
  #start(started: SocketStarted): void {
    if (started.format.rateHz === VOICE_RATE_HZ) this.#onStarted(started);
    else this.close();
  }

  #countFaults(): number {
    return Object.values(this.#codec.faults).reduce((sum, count) => sum + count, 0);
  }

  #hearAudio({ payload, payloadBytes, position }: SocketAudio): void {
    const { format } = this.#codec;
    if (!format || payloadBytes / format.codec.bytesPerSample > MAX_SAMPLES) return;
    const count = format.codec.decodeInto(payload, 0, payloadBytes, this.#samples);
    this.#order.add(position, this.#samples, count);
  }

  #say(message: unknown): void {
    if (message instanceof Uint8Array) return this.#sayFrame(message);
    const { digits, closed } = (message ?? {}) as { digits?: unknown; closed?: unknown };
    // None of the three carriers accepts keys over its socket, so they are sent as tones.
    if (typeof digits === "string") this.#press(digits);
    if (closed === true) this.close();
  }

  #press(digits: string): void {
    try {
      this.#tones.press(digits);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }

  #sayFrame(bytes: Uint8Array): void {
    const { format } = this.#codec;
    if (!format || !this.#peer || bytes.length !== FRAME_SAMPLES) return;
    muLawCodec.decodeInto(bytes, 0, FRAME_SAMPLES, this.#frame);
    const hasTone = this.#tones.fill(this.#frame);
    const isOurs = format.codec.name === muLawCodec.name && !hasTone;
    const size = isOurs ? FRAME_SAMPLES : format.codec.encodeInto(this.#frame, FRAME_SAMPLES, this.#payload, 0);
    const payload = isOurs ? bytes : this.#payload;
    // A new buffer each time: the socket keeps it until it is sent.
    const message = Buffer.allocUnsafe(this.#codec.countAudio(size));
    this.#codec.writeAudio(payload, size, message);
    this.#peer.send(this.#codec.isAudioBinary ? message : message.toString("latin1"));
  }
}
