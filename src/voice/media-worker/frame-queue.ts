import { muLawCodec } from "#src/media/mu-law.ts";
import { FRAME_SAMPLES } from "#src/voice/speech-ports.ts";

/** Frames that may wait, half a second: more is thrown away, the oldest first. */
const MAX_FRAMES = 25;
/** After a pause so many frames are awaited, so that frames that come in bursts do not tear. */
const PREFILL_FRAMES = 2;

/** Frames of mu-law that come when they come, and leave one every 20 ms. */
export class FrameQueue {
  readonly #bytes = new Uint8Array(MAX_FRAMES * FRAME_SAMPLES);
  #first = 0;
  #count = 0;
  #isFilling = true;

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
    if (this.#isFilling && this.#count < PREFILL_FRAMES) return false;
    this.#isFilling = this.#count === 0;
    if (this.#count === 0) return false;
    muLawCodec.decodeInto(this.#bytes, this.#first * FRAME_SAMPLES, FRAME_SAMPLES, frame);
    this.#first = (this.#first + 1) % MAX_FRAMES;
    this.#count--;
    return true;
  }
}
