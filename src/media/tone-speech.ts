/**
 * Tone speech: text as sound and back, exactly, without a model. Four tones carry two bits each for 10 ms, so
 * it runs at 25 bytes a second, about as fast as a person talks. One utterance is a row of blocks:
 *
 *     preamble (8 tones) | last block? (1 bit), number (7 bits) | length (8) | UTF-8 bytes | CRC-16
 *
 * A block that does not check is not heard at all, so there is lost text but never wrong text.
 */
export const TONE_RATE_HZ = 8_000;
const SYMBOL_SAMPLES = 80;
/** Whole cycles per symbol, so that the four are orthogonal; all inside the telephone's 300 to 3,400 Hz. */
const TONES_HZ = [700, 1100, 1500, 1900];
const AMPLITUDE = 8_000;
const PREAMBLE = [0, 3, 0, 3, 1, 2, 1, 2];
/** A frame lost on the way costs the whole block, so blocks are kept to about five seconds. */
const MAX_BLOCK_BYTES = 120;
const MAX_NUMBER = 128;
const LAST_BLOCK = 0x80;
const HEAD_BYTES = 2;
const CRC_BYTES = 2;

/** Where the decoder looks: a quarter of a symbol apart, so that one of four places is nearly right. */
const STEP = SYMBOL_SAMPLES / 4;
/** Mean square below which nothing is said (rms 100 of 32,767). */
const QUIET = 100 ** 2;
/** Part of a symbol's energy that its tone must hold: 0.5 is a pure tone, 1/80 is white noise. */
const MIN_PURITY = 0.1;
const MIN_PREAMBLE_HITS = PREAMBLE.length - 1;
/** How far the next block may be from the end of the one before: a jitter buffer slips whole 20 ms frames. */
const MAX_SLIP_SAMPLES = 5 * 160;

const COEFFICIENTS = TONES_HZ.map((hz) => 2 * Math.cos((2 * Math.PI * hz) / TONE_RATE_HZ));

interface Block {
  text: Buffer;
  number: number;
  isLast: boolean;
  start: number;
  end: number;
}

/** How many samples `encodeToneSpeech` makes of a text, without making them. */
export function countToneSpeechSamples(text: string): number {
  const symbols = splitText(text).map((block) => PREAMBLE.length + 4 * (HEAD_BYTES + block.length + CRC_BYTES));
  return symbols.reduce((sum, count) => sum + count, 0) * SYMBOL_SAMPLES;
}

/**
 * Says a text of any length in tones: 8 kHz samples. An empty text gives no samples; half a surrogate pair is
 * said as U+FFFD.
 */
export function encodeToneSpeech(text: string): Int16Array {
  const blocks = splitText(text);
  const samples = new Int16Array(countToneSpeechSamples(text));
  let phase = 0;
  let at = 0;
  for (const [i, bytes] of blocks.entries()) {
    for (const symbol of blockSymbols(bytes, i, i === blocks.length - 1)) {
      const turn = (2 * Math.PI * (TONES_HZ[symbol] as number)) / TONE_RATE_HZ;
      for (const end = at + SYMBOL_SAMPLES; at < end; at++) {
        phase += turn;
        samples[at] = Math.round(AMPLITUDE * Math.sin(phase));
      }
      phase %= 2 * Math.PI;
    }
  }
  return samples;
}

/**
 * The texts heard in 8 kHz samples, in order, wherever they start. An utterance that lost a block comes as what
 * is left before and after it.
 */
export function decodeToneSpeech(samples: Int16Array): string[] {
  const texts: string[] = [];
  let parts: Block[] = [];
  const finish = () => {
    if (parts.length > 0) texts.push(Buffer.concat(parts.map((part) => part.text)).toString());
    parts = [];
  };
  for (const block of findBlocks(samples)) {
    const previous = parts.at(-1);
    if (previous && !follows(block, previous)) finish();
    parts.push(block);
    if (block.isLast) finish();
  }
  finish();
  return texts;
}

function follows(block: Block, previous: Block): boolean {
  const isNear = Math.abs(block.start - previous.end) <= MAX_SLIP_SAMPLES;
  return isNear && block.number === (previous.number + 1) % MAX_NUMBER;
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
 * Tries every place where the preamble stands out. The best place is at most an eighth of a symbol off, where the
 * right tone still holds three quarters of its power, and a block read from a worse one does not check.
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
    // A block heard from a place a little late ends late by as much; the loop adds one.
    place = Math.floor(block.end / STEP) - 3;
  }
}

/** The likeliest symbol at every place, or -1 where no tone stands out. */
function hearCoarsely(samples: Int16Array): Int8Array {
  const places = Math.max(0, Math.floor((samples.length - SYMBOL_SAMPLES) / STEP) + 1);
  const heard = new Int8Array(places).fill(-1);
  for (let place = 0; place < places; place++) {
    const at = place * STEP;
    const energy = energyOf(samples, at);
    if (energy < QUIET * SYMBOL_SAMPLES) continue;
    const symbol = hearSymbol(samples, at);
    const purity = tonePower(samples, at, symbol) / (energy * SYMBOL_SAMPLES);
    if (purity >= MIN_PURITY) heard[place] = symbol;
  }
  return heard;
}

function readBlock(samples: Int16Array, start: number): Block | null {
  const body = start + PREAMBLE.length * SYMBOL_SAMPLES;
  const head = readBytes(samples, body, HEAD_BYTES);
  if (!head) return null;
  const length = head[1] as number;
  const bytes = readBytes(samples, body, HEAD_BYTES + length + CRC_BYTES);
  if (!bytes || length === 0) return null;
  if (bytes.readUInt16BE(HEAD_BYTES + length) !== crc16(bytes.subarray(0, HEAD_BYTES + length))) return null;
  return {
    text: bytes.subarray(HEAD_BYTES, HEAD_BYTES + length),
    number: (head[0] as number) & (MAX_NUMBER - 1),
    isLast: ((head[0] as number) & LAST_BLOCK) !== 0,
    start,
    end: body + bytes.length * 4 * SYMBOL_SAMPLES,
  };
}

/** Null when the samples end first, give or take how far the place may be off. */
function readBytes(samples: Int16Array, start: number, count: number): Buffer | null {
  if (start + count * 4 * SYMBOL_SAMPLES > samples.length + STEP) return null;
  const bytes = Buffer.alloc(count);
  for (let i = 0; i < count * 4; i++) {
    const symbol = hearSymbol(samples, start + i * SYMBOL_SAMPLES);
    bytes[i >> 2] = ((bytes[i >> 2] as number) << 2) | symbol;
  }
  return bytes;
}

function hearSymbol(samples: Int16Array, at: number): number {
  let best = 0;
  let bestPower = -1;
  for (let symbol = 0; symbol < TONES_HZ.length; symbol++) {
    const power = tonePower(samples, at, symbol);
    if (power <= bestPower) continue;
    best = symbol;
    bestPower = power;
  }
  return best;
}

/** The power of one tone in one symbol, by Goertzel's recurrence: one multiplication per sample. */
function tonePower(samples: Int16Array, at: number, symbol: number): number {
  const coefficient = COEFFICIENTS[symbol] as number;
  const end = Math.min(at + SYMBOL_SAMPLES, samples.length);
  let last = 0;
  let before = 0;
  for (let i = at; i < end; i++) {
    const next = (samples[i] as number) + coefficient * last - before;
    before = last;
    last = next;
  }
  return last * last + before * before - coefficient * last * before;
}

function energyOf(samples: Int16Array, at: number): number {
  let sum = 0;
  for (let i = at; i < at + SYMBOL_SAMPLES; i++) sum += (samples[i] as number) ** 2;
  return sum;
}

/** CRC-16 with polynomial 0x1021 and start 0xffff. */
function crc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : (crc << 1) & 0xffff;
  }
  return crc;
}
