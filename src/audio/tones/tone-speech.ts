/**
 * Tone speech: text as sound and back, exactly, without a model. Four tones carry two bits each for 10 ms, so
 * it runs at 25 bytes a second, about as fast as a person talks. One utterance is a row of blocks:
 *
 *     preamble (8 tones) | last block? (1 bit), number (7 bits) | length (8) | UTF-8 bytes | CRC-16
 *
 * A block that fails its check is dropped, so text may be lost but is never wrong.
 */
import {
  type Block,
  BlockJoiner,
  checkBlock,
  crc16,
  CRC_BYTES,
  HEAD_BYTES,
  LAST_BLOCK,
  MAX_BLOCK_BYTES,
  MAX_NUMBER,
} from "./tone-blocks.ts";
import {
  hearByte,
  hearTone,
  MIN_PREAMBLE_HITS,
  PREAMBLE,
  STEP,
  SYMBOL_SAMPLES,
  TONE_RATE_HZ,
  TONES_HZ,
} from "./tone-symbols.ts";

export { TONE_RATE_HZ } from "./tone-symbols.ts";

const AMPLITUDE = 8_000;

/** Returns the number of samples that `encodeToneSpeech` makes of a text, without making them. */
export function countToneSpeechSamples(text: string): number {
  const symbols = splitText(text).map((block) => PREAMBLE.length + 4 * (HEAD_BYTES + block.length + CRC_BYTES));
  return symbols.reduce((sum, count) => sum + count, 0) * SYMBOL_SAMPLES;
}

/**
 * Encodes a text of any length as tones: 8 kHz samples. An empty text gives no samples; an unpaired surrogate is
 * encoded as U+FFFD.
 */
export function encodeToneSpeech(text: string): Int16Array {
  const samples = new Int16Array(countToneSpeechSamples(text));
  let at = 0;
  for (const block of encodeToneBlocks(text)) {
    samples.set(block, at);
    at += block.length;
  }
  return samples;
}

/** Encodes as `encodeToneSpeech` does, a block of at most five seconds at a time. */
export function* encodeToneBlocks(text: string): Generator<Int16Array, void> {
  const blocks = splitText(text);
  let phase = 0;
  for (const [i, bytes] of blocks.entries()) {
    const symbols = blockSymbols(bytes, i, i === blocks.length - 1);
    const samples = new Int16Array(symbols.length * SYMBOL_SAMPLES);
    for (const [place, symbol] of symbols.entries()) {
      const turn = (2 * Math.PI * (TONES_HZ[symbol] as number)) / TONE_RATE_HZ;
      const end = (place + 1) * SYMBOL_SAMPLES;
      for (let at = place * SYMBOL_SAMPLES; at < end; at++) {
        phase += turn;
        samples[at] = Math.round(AMPLITUDE * Math.sin(phase));
      }
      phase %= 2 * Math.PI;
    }
    yield samples;
  }
}

/**
 * Returns the texts in 8 kHz samples, in order, at any offset. An utterance that lost a block comes in two parts,
 * before and after it.
 */
export function decodeToneSpeech(samples: Int16Array): string[] {
  const texts: string[] = [];
  const joiner = new BlockJoiner((text) => void texts.push(text));
  for (const block of findBlocks(samples)) joiner.add(block);
  joiner.finish();
  return texts;
}

/** Cuts the UTF-8 bytes of a text before bytes that start a character (RFC 3629: others are 10xxxxxx). */
function splitText(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const blocks: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    let end = Math.min(start + MAX_BLOCK_BYTES, bytes.length);
    while (end < bytes.length && ((bytes[end] as number) & 0xc0) === 0x80) end--;
    blocks.push(bytes.subarray(start, end));
    start = end;
  }
  return blocks;
}

function blockSymbols(bytes: Buffer, index: number, isLast: boolean): number[] {
  const head = Buffer.from([(index % MAX_NUMBER) | (isLast ? LAST_BLOCK : 0), bytes.length]);
  const body = Buffer.concat([head, bytes]);
  const check = crc16(body);
  const symbols = [...PREAMBLE];
  for (const byte of [...body, check >> 8, check & 0xff]) {
    symbols.push(byte >> 6, (byte >> 4) & 3, (byte >> 2) & 3, byte & 3);
  }
  return symbols;
}

/**
 * Tries every position where the preamble stands out. The best one is at most an eighth of a symbol off, where the
 * right tone still holds three quarters of its power; a block read from a worse one fails its check.
 */
function* findBlocks(samples: Int16Array): Generator<Block> {
  const coarse = hearCoarsely(samples);
  const perSymbol = SYMBOL_SAMPLES / STEP;
  for (let place = 0; place + PREAMBLE.length * perSymbol <= coarse.length; place++) {
    const hits = PREAMBLE.filter((symbol, i) => coarse[place + i * perSymbol] === symbol).length;
    if (hits < MIN_PREAMBLE_HITS) continue;
    const block = readBlock(samples, place * STEP);
    if (!block) continue;
    yield block;
    // A block read from a slightly late position ends late by as much; the loop adds one.
    place = Math.floor(block.end / STEP) - 3;
  }
}

function hearCoarsely(samples: Int16Array): Int8Array {
  const places = Math.max(0, Math.floor((samples.length - SYMBOL_SAMPLES) / STEP) + 1);
  return Int8Array.from({ length: places }, (_, place) => hearTone(samples, place * STEP));
}

function readBlock(samples: Int16Array, start: number): Block | null {
  const body = start + PREAMBLE.length * SYMBOL_SAMPLES;
  const head = readBytes(samples, body, HEAD_BYTES);
  const bytes = head && readBytes(samples, body, HEAD_BYTES + (head[1] as number) + CRC_BYTES);
  return bytes && checkBlock(bytes, start);
}

/** Reads bytes; null when the samples end first, allowing for the error of the position. */
function readBytes(samples: Int16Array, start: number, count: number): Uint8Array | null {
  const size = 4 * SYMBOL_SAMPLES;
  if (start + count * size > samples.length + STEP) return null;
  return Uint8Array.from({ length: count }, (_, i) => hearByte(samples, start + i * size));
}
