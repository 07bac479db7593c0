import { PREAMBLE, SYMBOL_SAMPLES } from "./tone-symbols.ts";

/** Most bytes of a block, about five seconds: a frame lost on the way costs the whole block. */
export const MAX_BLOCK_BYTES = 120;
export const MAX_NUMBER = 128;
export const LAST_BLOCK = 0x80;
export const HEAD_BYTES = 2;
export const CRC_BYTES = 2;
/** Largest distance of a block from the end of the one before: a jitter buffer slips whole 20 ms frames. */
export const MAX_SLIP_SAMPLES = 5 * 160;

/** A part of an utterance that was received and checked. */
export interface Block {
  text: Buffer;
  number: number;
  isLast: boolean;
  start: number;
  end: number;
}

/** Returns the block of the bytes after a preamble at `start`; null when the check fails. */
export function checkBlock(bytes: Uint8Array, start: number): Block | null {
  const [head = 0, length = 0] = bytes;
  const checked = HEAD_BYTES + length;
  if (length === 0 || bytes.length !== checked + CRC_BYTES) return null;
  const crc = ((bytes[checked] as number) << 8) | (bytes[checked + 1] as number);
  if (crc !== crc16(bytes.subarray(0, checked))) return null;
  return {
    text: Buffer.from(bytes.subarray(HEAD_BYTES, checked)),
    number: head & (MAX_NUMBER - 1),
    isLast: (head & LAST_BLOCK) !== 0,
    start,
    end: start + (PREAMBLE.length + bytes.length * 4) * SYMBOL_SAMPLES,
  };
}

/** Joins blocks to utterances. An utterance that lost a block comes in two parts, before and after it. */
export class BlockJoiner {
  readonly #onText: (text: string) => void;
  #parts: Block[] = [];

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  /** Blocks of an utterance whose end has not come. */
  get open(): readonly Block[] {
    return this.#parts;
  }

  add(block: Block): void {
    const previous = this.#parts.at(-1);
    if (previous && !follows(block, previous)) this.finish();
    this.#parts.push(block);
    if (block.isLast) this.finish();
  }

  /** Emits the blocks so far as an utterance. */
  finish(): void {
    const parts = this.#parts;
    this.#parts = [];
    if (parts.length > 0) this.#onText(Buffer.concat(parts.map((part) => part.text)).toString());
  }
}

function follows(block: Block, previous: Block): boolean {
  const isNear = Math.abs(block.start - previous.end) <= MAX_SLIP_SAMPLES;
  return isNear && block.number === (previous.number + 1) % MAX_NUMBER;
}

/** CRC-16 with polynomial 0x1021 and start 0xffff. */
export function crc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}
