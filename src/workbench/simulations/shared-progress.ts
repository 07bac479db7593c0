import type { Turn } from "#src/engine/conversation/plan.ts";

const HEADER_BYTES = 12;
const MAX_QUOTE_BYTES = 600;
const [BEATS, LINE, LENGTH] = [0, 1, 2] as const;

/**
 * Progress of a worker's conversation, in shared memory: the calling thread can read it even while the worker hangs in
 * an endless loop and answers no message.
 */
export class SharedProgress {
  readonly buffer: SharedArrayBuffer;
  readonly #header: Int32Array;
  readonly #quote: Uint8Array;

  constructor(buffer = new SharedArrayBuffer(HEADER_BYTES + MAX_QUOTE_BYTES)) {
    this.buffer = buffer;
    this.#header = new Int32Array(buffer, 0, HEADER_BYTES / Int32Array.BYTES_PER_ELEMENT);
    this.#quote = new Uint8Array(buffer, HEADER_BYTES);
  }

  /** Resets at the beginning of a conversation. */
  reset(): void {
    Atomics.store(this.#header, LINE, 0);
    Atomics.store(this.#header, LENGTH, 0);
    Atomics.add(this.#header, BEATS, 1);
  }

  /** Records a change of the transcript. */
  note(turns: Turn[]): void {
    // Encoders write only to memory of their own thread.
    const bytes = new TextEncoder().encode(turns.at(-1)?.content.slice(0, MAX_QUOTE_BYTES / 4) ?? "");
    this.#quote.set(bytes);
    Atomics.store(this.#header, LENGTH, bytes.length);
    Atomics.store(this.#header, LINE, turns.length);
    Atomics.add(this.#header, BEATS, 1);
  }

  /** Counter that grows with every event. */
  get beats(): number {
    return Atomics.load(this.#header, BEATS);
  }

  /** The last line of the transcript, 1-based; null before there is one. */
  get last(): { turn: number; quote: string } | null {
    const turn = Atomics.load(this.#header, LINE);
    if (turn === 0) return null;
    const length = Atomics.load(this.#header, LENGTH);
    return { turn, quote: new TextDecoder().decode(this.#quote.slice(0, length)) };
  }
}
