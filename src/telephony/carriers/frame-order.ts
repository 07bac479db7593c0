import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";

/** Early messages held while an earlier one is missing; when more arrive, the gap is skipped. */
const MOST_HELD = 3;

/**
 * Orders audio by its position and cuts it into frames of 20 ms mu-law. A carrier's socket loses nothing, so a gap is a
 * message still on its way; audio that comes after its position has passed is dropped.
 */
export class FrameOrder {
  readonly #onFrame: (frame: Uint8Array) => void;
  readonly #held: { position: number; samples: Int16Array }[] = [];
  readonly #part = new Int16Array(FRAME_SAMPLES);
  #filled = 0;
  /** Position of the next sample; null before the first. */
  #next: number | null = null;

  /** `onFrame` receives 160 bytes in an array of its own. */
  constructor(onFrame: (frame: Uint8Array) => void) {
    this.#onFrame = onFrame;
  }

  /** Takes `count` samples whose first has the number `position`. The caller may reuse the array afterwards. */
  add(position: number, samples: Int16Array, count: number): void {
    this.#next ??= position;
    if (position < this.#next) return;
    if (position === this.#next && this.#held.length === 0) return this.#take(samples.subarray(0, count));
    this.#held.push({ position, samples: samples.slice(0, count) });
    this.#held.sort((a, b) => a.position - b.position);
    this.#release();
  }

  #release(): void {
    for (;;) {
      const [first] = this.#held;
      if (!first || (first.position > (this.#next as number) && this.#held.length <= MOST_HELD)) return;
      this.#held.shift();
      if (first.position < (this.#next as number)) continue;
      this.#next = first.position;
      this.#take(first.samples);
    }
  }

  #take(samples: Int16Array): void {
    this.#next = (this.#next as number) + samples.length;
    for (let from = 0; from < samples.length;) {
      const count = Math.min(samples.length - from, FRAME_SAMPLES - this.#filled);
      this.#part.set(samples.subarray(from, from + count), this.#filled);
      from += count;
      this.#filled += count;
      if (this.#filled === FRAME_SAMPLES) this.#emit();
    }
  }

  #emit(): void {
    const frame = new Uint8Array(FRAME_SAMPLES);
    muLawCodec.encodeInto(this.#part, FRAME_SAMPLES, frame, 0);
    this.#filled = 0;
    this.#onFrame(frame);
  }
}
