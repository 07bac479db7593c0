/**
 * The last samples of a stream as mu-law bytes, by their positions since its beginning. A fixed ring: samples not
 * acknowledged in time are overwritten, so a provider that stalls costs words and never memory.
 */
export class AudioBacklog {
  readonly #ring: Uint8Array;
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
  append(codes: Uint8Array): void {
    const kept = codes.subarray(Math.max(0, codes.length - this.#ring.length));
    this.#end += codes.length;
    const at = (this.#end - kept.length) % this.#ring.length;
    const head = Math.min(kept.length, this.#ring.length - at);
    this.#ring.set(kept.subarray(0, head), at);
    this.#ring.set(kept.subarray(head), 0);
    this.#start = Math.max(this.#start, this.#end - this.#ring.length);
  }

  /** Releases the samples before `position`. */
  acknowledge(position: number): void {
    this.#start = Math.max(this.#start, Math.min(position, this.#end));
  }

  /** Copies the samples between two positions, as far as they are held. */
  read(from: number, to: number): Uint8Array<ArrayBuffer> {
    const first = Math.max(from, this.#start);
    const last = Math.min(to, this.#end);
    const codes = new Uint8Array(Math.max(0, last - first));
    const at = first % this.#ring.length;
    const head = this.#ring.subarray(at, Math.min(at + codes.length, this.#ring.length));
    codes.set(head);
    codes.set(this.#ring.subarray(0, codes.length - head.length), head.length);
    return codes;
  }
}
