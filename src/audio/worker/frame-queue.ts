import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import { powerOf } from "#src/audio/codec/power.ts";

/** Most waiting frames, half a second: beyond that the oldest are dropped. */
const MAX_FRAMES = 25;
/**
 * Frames awaited at the start. Two more after each time the queue ran dry: a sender that sends in bursts, because its
 * thread is busy, would interrupt the audio again and again. One less after every ten seconds without that.
 */
const FIRST_PREFILL = 5;
const LEAST_PREFILL = 2;
const MAX_PREFILL = 12;
const PREFILL_STEP = 2;
const CALM_FRAMES = 500;
/**
 * A sender that stood still sends what it kept back at once, which would delay the rest of the call. After each second in
 * which the queue was always longer than the prefill, a quiet frame is left out, or a loud one when none was quiet for
 * five seconds.
 */
const SECOND_FRAMES = 50;
const PATIENCE_FRAMES = 5 * SECOND_FRAMES;
/** Mean square below which a frame is quiet (rms 150 of 32,767). */
const QUIET = 150 ** 2;

/** Frames of mu-law that arrive at any time, and leave one every 20 ms. */
export class FrameQueue {
  readonly #bytes = new Uint8Array(MAX_FRAMES * FRAME_SAMPLES);
  #first = 0;
  #count = 0;
  #isFilling = true;
  #prefill = FIRST_PREFILL;
  #calmFrames = 0;
  /** The shortest queue of this second. */
  #least = Number.POSITIVE_INFINITY;
  /** True while a frame is to be left out, and the frames since then. */
  #isLong = false;
  #loudFrames = 0;

  /** Number of waiting frames. */
  get length(): number {
    return this.#count;
  }

  /** Frames dropped from a queue that was full or too long, and messages that were no frames. */
  readonly counts = { dropped: 0, malformed: 0 };

  /** Takes a frame of 160 bytes; anything else is counted and ignored. */
  push(frame: unknown): void {
    if (!(frame instanceof Uint8Array) || frame.length !== FRAME_SAMPLES) {
      this.counts.malformed++;
      return;
    }
    if (this.#count === MAX_FRAMES) {
      this.#release();
      this.counts.dropped++;
    }
    this.#bytes.set(frame, ((this.#first + this.#count) % MAX_FRAMES) * FRAME_SAMPLES);
    this.#count++;
  }

  /** Fills the next frame; false while there is none. */
  shift(frame: Int16Array): boolean {
    if (this.#isFilling && this.#count < this.#prefill) return false;
    if (this.#count === 0) {
      this.#runDry();
      return false;
    }
    this.#isFilling = false;
    if (++this.#calmFrames % CALM_FRAMES === 0) this.#prefill = Math.max(LEAST_PREFILL, this.#prefill - 1);
    this.#take(frame);
    this.#shorten(frame);
    return true;
  }

  /** Leaves a frame out, and fills it with the next one, when the queue was too long for a second. */
  #shorten(frame: Int16Array): void {
    const isLong = this.#isLong && this.#count > this.#prefill;
    if (isLong && (powerOf(frame) < QUIET || ++this.#loudFrames >= PATIENCE_FRAMES)) {
      this.#take(frame);
      this.counts.dropped++;
      this.#isLong = false;
      this.#loudFrames = 0;
    }
    this.#least = Math.min(this.#least, this.#count);
    if (this.#calmFrames % SECOND_FRAMES === 0) {
      this.#isLong = this.#least > this.#prefill;
      this.#least = Number.POSITIVE_INFINITY;
    }
  }

  #take(frame: Int16Array): void {
    muLawCodec.decodeInto(this.#bytes, this.#first * FRAME_SAMPLES, FRAME_SAMPLES, frame);
    this.#release();
  }

  #release(): void {
    this.#first = (this.#first + 1) % MAX_FRAMES;
    this.#count--;
  }

  #runDry(): void {
    this.#isFilling = true;
    this.#calmFrames = 0;
    this.#least = Number.POSITIVE_INFINITY;
    this.#isLong = false;
    this.#prefill = Math.min(MAX_PREFILL, this.#prefill + PREFILL_STEP);
  }
}
