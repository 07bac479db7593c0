import { FRAME_SAMPLES, SAMPLES_PER_MS } from "#src/audio/codec/frame.ts";
import { Concealer } from "./concealer.ts";
import { DelayEstimator } from "./delay-estimator.ts";
import { distance32 } from "./rtp.ts";
import { RING_SAMPLES, SampleRing } from "./sample-ring.ts";
import { findStretch, insertStretch, MAX_INSERTED, MAX_REMOVED, MIN_STRETCH, removeStretch } from "./time-stretch.ts";

/** Distance from the newest packet beyond which a packet belongs to another stream or is invalid. */
const FAR_SAMPLES = 1_000 * SAMPLES_PER_MS;
const MAX_PACKET_SAMPLES = 200 * SAMPLES_PER_MS;
/** Deviation of the delay beyond which a frame is shortened (LONG) or lengthened (SHORT), in a pause and in speech. */
const LONG_IN_PAUSE = 10 * SAMPLES_PER_MS;
const LONG_IN_WORDS = 40 * SAMPLES_PER_MS;
const SHORT_IN_PAUSE = 5 * SAMPLES_PER_MS;
const SHORT_IN_WORDS = 12 * SAMPLES_PER_MS;

/** Outcome of a packet. */
export type PushResult = "KEPT" | "LATE" | "DUPLICATE" | "STRAY" | "RESTARTED" | "MALFORMED";

/** Origin of a frame: VOICE as it came, CONCEALED at least in part, or NOISE because nothing was there. */
export type FrameKind = "VOICE" | "CONCEALED" | "NOISE";

/** Delay that waits for packets: least, most, and at the start. */
export interface JitterBufferOptions {
  minDelayMs: number;
  maxDelayMs: number;
  startDelayMs: number;
}

/** Counters of a buffer since its start. */
export interface JitterCounts {
  kept: number;
  late: number;
  duplicates: number;
  strays: number;
  restarts: number;
  concealedSamples: number;
  noiseSamples: number;
  insertedSamples: number;
  removedSamples: number;
  /** Samples discarded unheard because more than a second waited. */
  discardedSamples: number;
}

/**
 * Turns packets that come late, twice, in disorder or not at all into one frame per 20 ms. Packets are placed by their
 * timestamps, so their length and numbers do not matter; a sender that is silent for a while is not a loss. The caller
 * passes the time, in milliseconds on a clock that does not jump: the same calls give the same sound.
 */
export class JitterBuffer {
  readonly counts: JitterCounts = {
    kept: 0,
    late: 0,
    duplicates: 0,
    strays: 0,
    restarts: 0,
    concealedSamples: 0,
    noiseSamples: 0,
    insertedSamples: 0,
    removedSamples: 0,
    discardedSamples: 0,
  };
  readonly #minDelay: number;
  readonly #maxDelay: number;
  readonly #ring = new SampleRing();
  readonly #row = new Int16Array(FRAME_SAMPLES + MAX_REMOVED);
  readonly #concealer = new Concealer();
  readonly #delays = new DelayEstimator();
  #hasStarted = false;
  /** The newest timestamp, and the same without wraps. */
  #timestamp = 0;
  #unwrapped = 2 ** 32;
  /** The next sample to play, and the one after the newest that came. */
  #head = 0;
  #tail = 0;
  /** Samples played since the buffer ran empty, by which the head stayed behind. */
  #stalled = 0;
  #strayNext = Number.NaN;
  #target: number;
  #delay = 0;

  constructor(options: JitterBufferOptions = { minDelayMs: 20, maxDelayMs: 200, startDelayMs: 40 }) {
    this.#minDelay = options.minDelayMs * SAMPLES_PER_MS;
    this.#maxDelay = options.maxDelayMs * SAMPLES_PER_MS;
    this.#target = options.startDelayMs * SAMPLES_PER_MS;
  }

  /** Milliseconds that a sound waits now, counted from the quickest packets, and milliseconds that it should. */
  get delayMs(): { actual: number; target: number } {
    return { actual: this.#delay / SAMPLES_PER_MS, target: this.#target / SAMPLES_PER_MS };
  }

  /** Milliseconds since the end of the last frame arrived. */
  get heldMs(): number {
    return Math.max(0, this.#delay / SAMPLES_PER_MS);
  }

  /** Loudness of the line when nobody speaks (rms). */
  get noiseLevel(): number {
    return this.#concealer.noiseLevel;
  }

  /** Takes the samples of a packet, which are copied. `timestamp` counts samples of 8 kHz in 32 bits. */
  push(timestamp: number, samples: Int16Array, count: number, nowMs: number): PushResult {
    if (count <= 0 || count > MAX_PACKET_SAMPLES || count > samples.length) return "MALFORMED";
    const now = nowMs * SAMPLES_PER_MS;
    if (!this.#hasStarted) this.#start(timestamp, now);
    const start = this.#unwrapped + distance32(this.#timestamp, timestamp);
    const transit = now - start;
    if (this.#isFar(start)) {
      const isConfirmed = Math.abs(start - this.#strayNext) <= MAX_PACKET_SAMPLES;
      this.#strayNext = start + count;
      if (!isConfirmed) {
        this.counts.strays++;
        return "STRAY";
      }
      return this.#restart(timestamp, samples, count, now);
    }
    this.#strayNext = Number.NaN;
    if (Math.abs(transit - this.#delays.base) > FAR_SAMPLES) return this.#restart(timestamp, samples, count, now);
    if (start < this.#tail && this.#ring.has(start)) {
      this.counts.duplicates++;
      return "DUPLICATE";
    }
    this.#delays.observe(transit, now);
    // A frame may need two packets, the second of which is later by up to a frame.
    const needed = this.#delays.quantile() + FRAME_SAMPLES;
    this.#target = Math.min(this.#maxDelay, Math.max(this.#minDelay, needed));
    return this.#place(start, timestamp, samples, count);
  }

  /** Fills the next frame; called once per 20 ms. */
  pop(out: Int16Array, nowMs: number): FrameKind {
    if (!this.#hasStarted) return this.#makeUp(out, 0, FRAME_SAMPLES);
    this.#delay = nowMs * SAMPLES_PER_MS - this.#head - this.#delays.base;
    const waiting = this.#tail - this.#head;
    if (waiting <= 0) {
      this.#stalled += FRAME_SAMPLES;
      return this.#makeUp(out, 0, FRAME_SAMPLES);
    }
    if (this.#adjust(out, waiting)) {
      this.#concealer.accept(out, 0, FRAME_SAMPLES);
      return "VOICE";
    }
    const count = Math.min(FRAME_SAMPLES, waiting);
    const kind = this.#read(out, count);
    if (count === FRAME_SAMPLES) return kind;
    this.#stalled = FRAME_SAMPLES - count;
    this.#makeUp(out, count, this.#stalled);
    return "CONCEALED";
  }

  #start(timestamp: number, now: number): void {
    this.#hasStarted = true;
    this.#timestamp = timestamp;
    this.#tail = this.#unwrapped;
    this.#delays.rebase(now - this.#unwrapped, now);
    this.#head = this.#unwrapped - this.#target;
    this.#stalled = 0;
  }

  /** Starts again with a packet whose timestamp or time of arrival does not fit: the waiting samples are of no use. */
  #restart(timestamp: number, samples: Int16Array, count: number, now: number): PushResult {
    this.counts.restarts++;
    this.counts.discardedSamples += Math.max(0, this.#tail - this.#head);
    this.#ring.clear();
    this.#start(timestamp, now);
    this.#place(this.#unwrapped, timestamp, samples, count);
    return "RESTARTED";
  }

  #isFar(start: number): boolean {
    // While the buffer is empty the newest position moves on with the clock: the sender is silent.
    const ahead = start - Math.max(this.#tail, this.#head + this.#stalled);
    return ahead > FAR_SAMPLES || start - this.#tail < -FAR_SAMPLES;
  }

  #place(start: number, timestamp: number, samples: Int16Array, count: number): PushResult {
    const end = start + count;
    if (this.#stalled > 0 && end > this.#head) this.#resume(start);
    if (end <= this.#head) {
      this.counts.late++;
      return "LATE";
    }
    if (end > this.#tail) {
      this.#timestamp = timestamp;
      this.#unwrapped = start;
      this.#extend(start, end);
    }
    this.#ring.put(start, samples, Math.max(0, this.#head - start), count);
    this.counts.kept++;
    return "KEPT";
  }

  /**
   * Resumes after the buffer ran empty. Audio made up meanwhile fills a gap before the packet; without such a gap the
   * packet came late and is heard late.
   */
  #resume(start: number): void {
    this.#head += Math.min(this.#stalled, Math.max(0, start - this.#head));
    this.#stalled = 0;
  }

  #extend(start: number, end: number): void {
    this.#ring.markMissing(this.#tail, start);
    this.#tail = end;
    const excess = end - RING_SAMPLES - this.#head;
    if (excess <= 0) return;
    this.#head += excess;
    this.counts.discardedSamples += excess;
  }

  /** Shortens or lengthens one frame when the delay is wrong, sooner in a pause than in speech; false if it did not. */
  #adjust(out: Int16Array, waiting: number): boolean {
    const excess = this.#delay - this.#target;
    if (excess < LONG_IN_PAUSE && excess > -SHORT_IN_PAUSE) return false;
    const isLong = excess > 0;
    const needed = isLong ? FRAME_SAMPLES + MAX_REMOVED : FRAME_SAMPLES;
    if (waiting < needed || !this.#ring.copy(this.#head, needed, this.#row)) return false;
    const isPause = this.#isQuiet();
    if (!isPause && excess < LONG_IN_WORDS && excess > -SHORT_IN_WORDS) return false;
    const most = Math.min(isLong ? MAX_REMOVED : MAX_INSERTED, Math.max(MIN_STRETCH, Math.floor(Math.abs(excess))));
    const lag = isPause ? most : findStretch(this.#row, isLong ? MAX_REMOVED : MAX_INSERTED);
    if (isLong) removeStretch(this.#row, lag, out);
    else insertStretch(this.#row, lag, out);
    const played = isLong ? FRAME_SAMPLES + lag : FRAME_SAMPLES - lag;
    this.#ring.drop(this.#head, played);
    this.#head += played;
    if (isLong) this.counts.removedSamples += lag;
    else this.counts.insertedSamples += lag;
    return true;
  }

  #isQuiet(): boolean {
    const limit = Math.max(40, this.#concealer.noiseLevel * 2);
    let energy = 0;
    for (let i = 0; i < FRAME_SAMPLES; i++) energy += (this.#row[i] as number) ** 2;
    return energy < limit * limit * FRAME_SAMPLES;
  }

  /** Reads the next samples, making up the parts that are missing. */
  #read(out: Int16Array, count: number): FrameKind {
    let kind: FrameKind = "VOICE";
    for (let from = 0; from < count;) {
      const taken = this.#ring.take(this.#head + from, count - from, out, from);
      if (taken > 0) this.#concealer.accept(out, from, taken);
      from += taken;
      const missing = this.#ring.countMissing(this.#head + from, count - from);
      if (missing === 0) continue;
      const made = this.#makeUp(out, from, missing);
      kind = made === "NOISE" && missing === FRAME_SAMPLES ? "NOISE" : "CONCEALED";
      from += missing;
    }
    this.#head += count;
    return kind;
  }

  #makeUp(out: Int16Array, from: number, count: number): FrameKind {
    const kind = this.#concealer.conceal(out, from, count);
    if (kind === "NOISE") this.counts.noiseSamples += count;
    else this.counts.concealedSamples += count;
    return kind;
  }
}
