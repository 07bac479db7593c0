import { decodeMuLaw, muLawCodec } from "#src/audio/codec/mu-law.ts";

/**
 * The last samples of a stream as mu-law bytes, by their positions since its beginning. A fixed ring: samples not
 * acknowledged in time are overwritten, so a provider that stalls costs words and never memory. Adding and peeking
 * allocate nothing: beside 200 calls, small buffers made V8 search its heap for up to a second (bench/live-calls).
 */
export class AudioBacklog {
  readonly #ring: Uint8Array<ArrayBuffer>;
  #start = 0;
  #end = 0;

  constructor(capacity: number) {
    this.#ring = new Uint8Array(capacity);
  }

  /** Position of the oldest sample that is still held. */
  get start(): number {
    return this.#start;
  }

  /** Position after the newest sample. */
  get end(): number {
    return this.#end;
  }

  /** Adds samples, overwriting the oldest. */
  append(samples: Int16Array): void {
    const kept = samples.subarray(Math.max(0, samples.length - this.#ring.length));
    this.#end += samples.length;
    const at = (this.#end - kept.length) % this.#ring.length;
    const head = Math.min(kept.length, this.#ring.length - at);
    muLawCodec.encodeInto(kept, head, this.#ring, at);
    muLawCodec.encodeInto(kept.subarray(head), kept.length - head, this.#ring, 0);
    this.#start = Math.max(this.#start, this.#end - this.#ring.length);
  }

  /** Releases the samples before `position`. */
  acknowledge(position: number): void {
    this.#start = Math.max(this.#start, Math.min(position, this.#end));
  }

  /** Returns the mu-law bytes between two positions, as far as they are held. The next samples may overwrite them. */
  peek(from: number, to: number): Uint8Array<ArrayBuffer> {
    const first = Math.max(from, this.#start);
    const count = Math.max(0, Math.min(to, this.#end) - first);
    const at = first % this.#ring.length;
    const head = this.#ring.subarray(at, Math.min(at + count, this.#ring.length));
    if (head.length === count) return head;
    const codes = new Uint8Array(count);
    codes.set(head);
    codes.set(this.#ring.subarray(0, count - head.length), head.length);
    return codes;
  }

  /** Returns the samples between two positions, as far as they are held. */
  read(from: number, to: number): Int16Array {
    return decodeMuLaw(this.peek(from, to));
  }
}
