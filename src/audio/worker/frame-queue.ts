import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";

/** Frames that may wait, half a second: more is thrown away, the oldest first. */
const MAX_FRAMES = 25;
/**
 * So many frames are awaited at first, and after each time the queue ran dry two more: whoever sends in bursts, because
 * its thread is busy, would tear the sound again and again. One less after every ten seconds without that.
 */
const FIRST_PREFILL = 5;
const LEAST_PREFILL = 2;
const MAX_PREFILL = 12;
const PREFILL_STEP = 2;
const CALM_FRAMES = 500;

/** Frames of mu-law that come when they come, and leave one every 20 ms. */
export class FrameQueue {
  readonly #bytes = new Uint8Array(MAX_FRAMES * FRAME_SAMPLES);
  #first = 0;
  #count = 0;
  #isFilling = true;
  #prefill = FIRST_PREFILL;
  #calmFrames = 0;

  /** How many frames wait. */
  get length(): number {
    return this.#count;
  }

  /** Frames that came when the queue was full, and frames that were no frames. */
  readonly counts = { dropped: 0, malformed: 0 };

  /** Takes a frame of 160 bytes; anything else is counted and left out. */
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
