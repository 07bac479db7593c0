import {
  type Block,
  BlockJoiner,
  checkBlock,
  CRC_BYTES,
  HEAD_BYTES,
  MAX_BLOCK_BYTES,
  MAX_SLIP_SAMPLES,
} from "./tone-blocks.ts";
import { hearByte, hearTone, MIN_PREAMBLE_HITS, PREAMBLE, STEP, SYMBOL_SAMPLES } from "./tone-symbols.ts";

const PLACES_PER_SYMBOL = SYMBOL_SAMPLES / STEP;
/** Steps from the first symbol of a preamble to its last. */
const PREAMBLE_PLACES = (PREAMBLE.length - 1) * PLACES_PER_SYMBOL;
const RING_PLACES = 32;
const BYTE_SAMPLES = 4 * SYMBOL_SAMPLES;
const PREAMBLE_SAMPLES = PREAMBLE.length * SYMBOL_SAMPLES;
const BLOCK_SAMPLES = PREAMBLE_SAMPLES + (HEAD_BYTES + MAX_BLOCK_BYTES + CRC_BYTES) * BYTE_SAMPLES;
/** Samples taken at a time; the buffer holds the longest block and this. */
const SLICE_SAMPLES = 4_000;
/** Most positions where a block may have begun; text that resembles a preamble takes some of them. */
const MAX_CANDIDATES = 32;
/** Bytes between two reports of the text so far: 160 ms. */
const REPORT_BYTES = 4;

/** Receiver of decoded text. Texts so far are unchecked; an utterance is checked block by block. */
export interface ToneListener {
  /** `share` (0 to 1) is the part of the current block that has arrived; most utterances are one block. */
  onSoFar(text: string, share: number): void;
  onUtterance(text: string): void;
}

interface Candidate {
  /** Position of its preamble's first sample. */
  start: number;
  bytes: number[];
}

/** Decoder of tone speech in audio that arrives in pieces: the same texts as `decodeToneSpeech`, as they end. */
export class ToneStream {
  readonly #listener: ToneListener;
  readonly #joiner: BlockJoiner;
  /** The samples from position `#first` to `#end`. */
  readonly #held = new Int16Array(BLOCK_SAMPLES + 4 * SLICE_SAMPLES);
  #first = 0;
  #end = 0;
  /** The next position to analyse, in steps, and the symbols heard at the last ones. */
  #place = 0;
  readonly #heard = new Int8Array(RING_PLACES).fill(-1);
  #candidates: Candidate[] = [];
  #reportedBytes = 0;

  constructor(listener: ToneListener) {
    this.#listener = listener;
    this.#joiner = new BlockJoiner((text) => {
      this.#reportedBytes = 0;
      listener.onUtterance(text);
    });
  }

  push(samples: Int16Array): void {
    for (let at = 0; at < samples.length; at += SLICE_SAMPLES) {
      this.#hold(samples.subarray(at, at + SLICE_SAMPLES));
      this.#listen();
      this.#read(0);
      this.#missBlocks();
      this.#notify();
    }
  }

  /** Emits the rest of an utterance whose end did not come. */
  flush(): void {
    // A block read from a slightly late position seems to end a little after its last sample.
    this.#read(STEP);
    this.#joiner.finish();
  }

  #hold(samples: Int16Array): void {
    if (this.#end - this.#first + samples.length > this.#held.length) {
      const oldest = Math.min(this.#place * STEP, ...this.#candidates.map(({ start }) => start));
      this.#held.copyWithin(0, oldest - this.#first, this.#end - this.#first);
      this.#first = oldest;
    }
    this.#held.set(samples, this.#end - this.#first);
    this.#end += samples.length;
  }

  /** Looks for preambles. */
  #listen(): void {
    for (; this.#place * STEP + SYMBOL_SAMPLES <= this.#end; this.#place++) {
      this.#heard[this.#place % RING_PLACES] = hearTone(this.#held, this.#place * STEP - this.#first);
      const first = this.#place - PREAMBLE_PLACES;
      if (first < 0 || this.#candidates.length >= MAX_CANDIDATES) continue;
      let hits = 0;
      for (let i = 0; i < PREAMBLE.length; i++) {
        if (this.#heard[(first + i * PLACES_PER_SYMBOL) % RING_PLACES] === PREAMBLE[i]) hits++;
      }
      if (hits >= MIN_PREAMBLE_HITS) this.#candidates.push({ start: first * STEP, bytes: [] });
    }
  }

  #read(slack: number): void {
    const waiting = this.#candidates.slice();
    for (const candidate of waiting) {
      if (!this.#candidates.includes(candidate)) continue;
      const block = this.#readOn(candidate, slack);
      if (block === undefined) continue;
      this.#candidates.splice(this.#candidates.indexOf(candidate), 1);
      if (block) this.#accept(block);
    }
  }

  /** Returns the block when it is whole and checks, null when it is none, undefined while it is arriving. */
  #readOn({ start, bytes }: Candidate, slack: number): Block | null | undefined {
    for (;;) {
      const length = bytes[1];
      if (length === 0 || (length !== undefined && length > MAX_BLOCK_BYTES)) return null;
      if (length !== undefined && bytes.length === HEAD_BYTES + length + CRC_BYTES) {
        return checkBlock(Uint8Array.from(bytes), start);
      }
      const at = start + PREAMBLE_SAMPLES + bytes.length * BYTE_SAMPLES;
      if (at + BYTE_SAMPLES > this.#end + slack) return undefined;
      bytes.push(hearByte(this.#held.subarray(0, this.#end - this.#first), at - this.#first));
    }
  }

  #accept(block: Block): void {
    // A block read from a slightly late position ends late by as much.
    const next = Math.floor(block.end / STEP) - 2;
    this.#candidates = this.#candidates.filter(({ start }) => start >= next * STEP);
    if (next > this.#place) this.#place = next;
    this.#joiner.add(block);
  }

  /** Ends an utterance without its last block when the next block does not begin where it should. */
  #missBlocks(): void {
    const end = this.#joiner.open.at(-1)?.end;
    if (end === undefined || this.#end <= end + MAX_SLIP_SAMPLES + PREAMBLE_SAMPLES + SYMBOL_SAMPLES) return;
    if (this.#candidates.some(({ start }) => Math.abs(start - end) <= MAX_SLIP_SAMPLES)) return;
    this.#joiner.finish();
  }

  #notify(): void {
    const [candidate] = this.#candidates;
    if (!candidate) return;
    const checked = this.#joiner.open.map(({ text }) => text);
    const length = candidate.bytes[1] ?? 0;
    const coming = candidate.bytes.slice(HEAD_BYTES, HEAD_BYTES + length);
    const bytes = Buffer.concat([...checked, Buffer.from(coming)]);
    if (Math.abs(bytes.length - this.#reportedBytes) < REPORT_BYTES) return;
    this.#reportedBytes = bytes.length;
    const text = readPrefix(bytes);
    if (text) this.#listener.onSoFar(text, coming.length / Math.max(1, length));
  }
}

/** Decodes bytes that may end in the middle of a character; null when they are no text. */
function readPrefix(bytes: Buffer): string | null {
  const text = bytes.toString().replace(/\uFFFD$/, "");
  // oxlint-disable-next-line no-control-regex -- control characters show that no text was heard
  return /[\uFFFD\u0000-\u0008\u000E-\u001F]/.test(text) ? null : text;
}
