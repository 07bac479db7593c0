/** Sample rate of tone speech, whose symbols this module defines and detects. */
export const TONE_RATE_HZ = 8_000;
/** 10 ms. */
export const SYMBOL_SAMPLES = 80;
/** Whole cycles per symbol, so that the four are orthogonal; all inside the telephone's 300 to 3,400 Hz. */
export const TONES_HZ = [700, 1100, 1500, 1900];
/** The symbols before each block. */
export const PREAMBLE = [0, 3, 0, 3, 1, 2, 1, 2];
/** Step between the decoder's positions: a quarter of a symbol, so that one of four is nearly right. */
export const STEP = SYMBOL_SAMPLES / 4;
/** Symbols of a preamble that must match before a block is read after it. */
export const MIN_PREAMBLE_HITS = PREAMBLE.length - 1;
/** Mean square below which nothing is said (rms 100 of 32,767). */
const QUIET = 100 ** 2;
/** Part of a symbol's energy that its tone must hold: 0.5 is a pure tone, 1/80 is white noise. */
const MIN_PURITY = 0.1;

const COEFFICIENTS = TONES_HZ.map((hz) => 2 * Math.cos((2 * Math.PI * hz) / TONE_RATE_HZ));

/** Returns the likeliest symbol at a position, or -1 where no tone stands out. */
export function hearTone(samples: Int16Array, at: number): number {
  const energy = energyOf(samples, at);
  if (energy < QUIET * SYMBOL_SAMPLES) return -1;
  const symbol = hearSymbol(samples, at);
  const purity = tonePower(samples, at, symbol) / (energy * SYMBOL_SAMPLES);
  return purity >= MIN_PURITY ? symbol : -1;
}

/** Returns the byte that begins at a position, from its four likeliest symbols. */
export function hearByte(samples: Int16Array, at: number): number {
  let byte = 0;
  for (let i = 0; i < 4; i++) byte = (byte << 2) | hearSymbol(samples, at + i * SYMBOL_SAMPLES);
  return byte;
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

/** Returns the power of one tone in one symbol, by Goertzel's recurrence: one multiplication per sample. */
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
