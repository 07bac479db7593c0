import { SAMPLES_PER_MS } from "#src/audio/codec/frame.ts";
import type { RtpSender } from "./rtp-sender.ts";
import { distance32, readUint16, writeUint16 } from "./rtp.ts";

/** The keys in the order of their event codes (RFC 4733, table 3). */
const KEYS = "0123456789*#ABCD";
const PAYLOAD_BYTES = 4;
const END_BIT = 0x80;
/** Loudness below 0 dBm0: the value in the standard's examples. */
const VOLUME = 10;
/** Copies of the last packet, because one lost packet must not leave a key pressed. */
const END_PACKETS = 3;
/** Time without a packet after which a key whose end was lost counts as released. */
const RELEASE_AFTER_MS = 120;
/** Longest press: a held key counts its samples in 16 bits. */
const MAX_PRESS_MS = 8_000;
const MAX_QUEUED = 128;
/** Age beyond which an earlier timestamp is not a late packet but a restarted stream. */
const MAX_LATE_SAMPLES = 2_000 * SAMPLES_PER_MS;

/** Duration of a key press, and of the gap before the next. */
export interface KeyTiming {
  pressMs: number;
  gapMs: number;
}

/** Sends keys as events through a stream's sender, one packet per frame in place of the audio. */
export class KeySender {
  readonly #sender: RtpSender;
  readonly #payloadType: number;
  readonly #frameSamples: number;
  readonly #pressSamples: number;
  readonly #gapSamples: number;
  readonly #queue: number[] = [];
  #event = -1;
  #startedAt = 0;
  #duration = 0;
  #endsLeft = 0;
  #gapLeft = 0;

  constructor(sender: RtpSender, payloadType: number, frameSamples: number, timing: KeyTiming) {
    this.#sender = sender;
    this.#payloadType = payloadType;
    this.#frameSamples = frameSamples;
    this.#pressSamples = Math.min(timing.pressMs, MAX_PRESS_MS) * SAMPLES_PER_MS;
    this.#gapSamples = timing.gapMs * SAMPLES_PER_MS;
  }

  /** True while a key is pressed or waits. */
  get isBusy(): boolean {
    return this.#event >= 0 || this.#queue.length > 0;
  }

  /** Queues keys (0-9 * # A-D). Throws a RangeError, and queues none, for another character or a full queue. */
  press(keys: string): void {
    const codes = Array.from(keys.toUpperCase(), (key) => KEYS.indexOf(key));
    if (codes.includes(-1)) throw new RangeError("Only the keys 0-9, *, # and A-D can be pressed.");
    if (this.#queue.length + codes.length > MAX_QUEUED)
      throw new RangeError(`No more than ${MAX_QUEUED} keys can wait.`);
    this.#queue.push(...codes);
  }

  /** Drops the waiting keys; the pressed one is released properly. */
  cancel(): void {
    this.#queue.length = 0;
  }

  /**
   * Called once per frame: writes the packet of a pressed key to the sender's `packet` and returns its length. Returns
   * 0 when no key is pressed; only then may the frame's audio be sent.
   */
  tick(): number {
    if (this.#event < 0 && !this.#begin()) return 0;
    const isFirst = this.#duration === 0;
    if (this.#endsLeft === 0) {
      this.#duration = Math.min(this.#duration + this.#frameSamples, 0xffff);
      if (this.#duration >= this.#pressSamples) this.#endsLeft = END_PACKETS;
    }
    const { packet, payloadStart } = this.#sender;
    packet[payloadStart] = this.#event;
    packet[payloadStart + 1] = (this.#endsLeft > 0 ? END_BIT : 0) | VOLUME;
    writeUint16(packet, payloadStart + 2, this.#duration);
    const length = this.#sender.finishEvent(this.#payloadType, isFirst, this.#startedAt, PAYLOAD_BYTES);
    this.#sender.skip(this.#frameSamples);
    if (this.#endsLeft > 0 && --this.#endsLeft === 0) this.#release();
    return length;
  }

  #begin(): boolean {
    if (this.#gapLeft > 0) {
      this.#gapLeft -= this.#frameSamples;
      return false;
    }
    const event = this.#queue.shift();
    if (event === undefined) return false;
    this.#event = event;
    this.#startedAt = this.#sender.timestamp;
    this.#duration = 0;
    return true;
  }

  #release(): void {
    this.#event = -1;
    this.#gapLeft = this.#gapSamples;
  }
}

/**
 * Receives keys from events. A key is reported once, with the first of its packets that arrives, even if later ones are
 * repeated, reordered or lost.
 */
export class KeyReceiver {
  #event = -1;
  #hasEnded = true;
  #timestamp = 0;
  #duration = 0;
  #heardAtMs = 0;
  #hasHeard = false;
  #ignored = 0;

  /** The key that is held now, or null. */
  get held(): string | null {
    return this.#hasEnded ? null : (KEYS[this.#event] as string);
  }

  /** Milliseconds that the latest key was held, as far as packets show. */
  get heldMs(): number {
    return this.#duration / SAMPLES_PER_MS;
  }

  /** Packets that were no key: too short, or another event such as a fax tone. */
  get ignored(): number {
    return this.#ignored;
  }

  /** Takes the payload of one event packet; returns the key when it is newly pressed, otherwise null. */
  push(
    packet: Uint8Array,
    at: number,
    payloadBytes: number,
    timestamp: number,
    marker: boolean,
    nowMs: number,
  ): string | null {
    const event = packet[at] as number;
    if (payloadBytes < PAYLOAD_BYTES || event >= KEYS.length) {
      this.#ignored++;
      return null;
    }
    const isEnd = ((packet[at + 1] as number) & END_BIT) !== 0;
    const duration = readUint16(packet, at + 2);
    const ahead = distance32(this.#timestamp, timestamp);
    if (this.#hasHeard && ahead < 0 && ahead > -MAX_LATE_SAMPLES) return null;
    if (this.#hasHeard && (ahead === 0 || this.#isContinued(event, ahead, marker))) {
      this.#update(ahead + duration, isEnd, nowMs);
      return null;
    }
    this.#hasHeard = true;
    this.#event = event;
    this.#timestamp = timestamp;
    this.#duration = duration;
    this.#hasEnded = isEnd;
    this.#heardAtMs = nowMs;
    return KEYS[event] as string;
  }

  /** Releases a key whose end was lost. Must be called at least ten times a second. */
  tick(nowMs: number): void {
    if (!this.#hasEnded && nowMs - this.#heardAtMs > RELEASE_AFTER_MS) this.#hasEnded = true;
  }

  /**
   * True for the next segment of a held key. A key held for more than 8 s goes on as another segment that starts where
   * the one before ended, without a marker; some gateways number every packet like that.
   */
  #isContinued(event: number, ahead: number, marker: boolean): boolean {
    return !marker && !this.#hasEnded && event === this.#event && ahead <= this.#duration + 20 * SAMPLES_PER_MS;
  }

  #update(duration: number, isEnd: boolean, nowMs: number): void {
    this.#duration = Math.max(this.#duration, duration);
    this.#heardAtMs = nowMs;
    if (isEnd) this.#hasEnded = true;
  }
}
