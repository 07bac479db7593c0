import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";

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

/** Frames of mu-law that arrive at any time, and leave one every 20 ms. */
export class FrameQueue {
  readonly #bytes = new Uint8Array(MAX_FRAMES * FRAME_SAMPLES);
  #first = 0;
  #count = 0;
  #isFilling = true;
  #prefill = FIRST_PREFILL;
  #calmFrames = 0;

  /** Number of waiting frames. */
  get length(): number {
    return this.#count;
  }

  /** Frames dropped from a full queue, and messages that were no frames. */
  readonly counts = { dropped: 0, malformed: 0 };

  /** Takes a frame of 160 bytes; anything else is counted and ignored. */
  push(frame: unknown): void {
    if (!(frame instanceof Uint8Array) || frame.length !== FRAME_SAMPLES) {
      this.counts.malformed++;
      return;
    }
    if (this.#count === MAX_FRAMES) {
      this.#first = (this.#first + 1) % MAX_FRAMES;
      this.#count--;
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
    muLawCodec.decodeInto(this.#bytes, this.#first * FRAME_SAMPLES, FRAME_SAMPLES, frame);
    this.#first = (this.#first + 1) % MAX_FRAMES;
    this.#count--;
    return true;
  }

  #runDry(): void {
    this.#isFilling = true;
    this.#calmFrames = 0;
    this.#prefill = Math.min(MAX_PREFILL, this.#prefill + PREFILL_STEP);
  }
}
