/** Zero crossings of the filter on each side: with the window below, 3.1 kHz passes and 4.1 kHz is 70 dB down. */
const HALF_WIDTH = 24;
/** Shape of the Kaiser window: 8 puts the side lobes some 80 dB below. */
const KAISER_BETA = 8;
/** Cutoff of the low-pass filter, as a fraction of the lower of the two rates. */
const CUTOFF = 0.45;

/**
 * Converts samples of one rate to another (Hz, both whole numbers) through a low-pass filter, so that frequencies above
 * the lower rate's range do not alias. The result has `round(length * toHz / fromHz)` samples.
 */
export function resample(samples: Int16Array, fromHz: number, toHz: number): Int16Array {
  if (fromHz === toHz) return samples;
  const design = designResampler(fromHz, toHz);
  const result = new Int16Array(Math.round((samples.length * toHz) / fromHz));
  for (let n = 0; n < result.length; n++) result[n] = resampleOne(design, n, samples, 0);
  return result;
}

/** Computes output sample `n`. `samples` begins with input number `first`; inputs outside it count as silence. */
export function resampleOne(
  { down, phases, halfWidth, filters }: ResamplerDesign,
  n: number,
  samples: Int16Array,
  first: number,
): number {
  const position = n * down;
  const filter = filters[position % phases] as Float64Array;
  const sum = weigh(samples, Math.floor(position / phases) - halfWidth + 1 - first, filter);
  return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
}

/**
 * Polyphase filter that converts one rate to another: one output every `down` steps of 1/`phases` of an input sample.
 */
export interface ResamplerDesign {
  down: number;
  phases: number;
  /** Input samples that a filter spans on each side. */
  halfWidth: number;
  /** Weights of `2 * halfWidth` samples, per phase. */
  filters: readonly Float64Array[];
}

/** Most designs that are cached. Files may have any rate, but a service uses a handful of pairs. */
const MAX_KEPT_DESIGNS = 32;
const designs = new Map<string, ResamplerDesign>();

/** Returns the filters for a pair of rates, designed once because every call needs them. */
export function designResampler(fromHz: number, toHz: number): ResamplerDesign {
  const key = `${fromHz}/${toHz}`;
  const known = designs.get(key);
  if (known) return known;
  const divisor = greatestCommonDivisor(fromHz, toHz);
  const phases = toHz / divisor;
  const halfWidth = Math.ceil((HALF_WIDTH * fromHz) / Math.min(fromHz, toHz));
  const filters = Array.from({ length: phases }, (_, phase) => designFilter(phase / phases, fromHz, toHz, halfWidth));
  const design = { down: fromHz / divisor, phases, halfWidth, filters };
  if (designs.size < MAX_KEPT_DESIGNS) designs.set(key, design);
  return design;
}

function weigh(samples: Int16Array, start: number, filter: Float64Array): number {
  const last = Math.min(filter.length, samples.length - start);
  let sum = 0;
  for (let k = Math.max(0, -start); k < last; k++) sum += (samples[start + k] as number) * (filter[k] as number);
  return sum;
}

/** Computes the weights for an output that lies `fraction` of a sample after the middle input. */
function designFilter(fraction: number, fromHz: number, toHz: number, halfWidth: number): Float64Array {
  const cutoff = (CUTOFF * Math.min(fromHz, toHz)) / fromHz;
  const filter = new Float64Array(halfWidth * 2);
  let total = 0;
  for (let k = 0; k < filter.length; k++) {
    const distance = k - halfWidth + 1 - fraction;
    const weight = 2 * cutoff * sinc(2 * cutoff * distance) * kaiser(distance / halfWidth);
    filter[k] = weight;
    total += weight;
  }
  return filter.map((weight) => weight / total);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : bessel(KAISER_BETA * Math.sqrt(1 - x * x)) / bessel(KAISER_BETA);
}

/**
 * Returns the modified Bessel function of order zero by its series; the terms fall below 1e-12 well before the 40th.
 */
function bessel(x: number): number {
  let term = 1;
  let sum = 1;
  for (let k = 1; k < 40; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}
