/** Zero crossings of the filter on each side: with the window below, 3.1 kHz passes and 4.1 kHz is 70 dB down. */
const HALF_WIDTH = 24;
/** Shape of the Kaiser window: 8 puts the side lobes some 80 dB below. */
const KAISER_BETA = 8;
/** The filter's middle, as a part of the lower of the two rates. */
const CUTOFF = 0.45;

/** Filters between two rates: output `n` is centred on input `n * down / phases`. */
export interface ResampleDesign {
  down: number;
  phases: number;
  /** How many inputs before and after its centre an output depends on. */
  reach: number;
  /** One for each place that an output can have between two inputs. */
  filters: Float64Array[];
}

/**
 * Turns samples of one rate into samples of another (Hz, both whole numbers) through a low-pass filter, so that
 * what the lower rate cannot carry does not come back as a false tone. The result has
 * `round(length * toHz / fromHz)` samples.
 */
export function resample(samples: Int16Array, fromHz: number, toHz: number): Int16Array {
  if (fromHz === toHz) return samples;
  const design = designResampling(fromHz, toHz);
  const result = new Int16Array(Math.round((samples.length * toHz) / fromHz));
  for (let n = 0; n < result.length; n++) result[n] = resampleOne(design, n, samples, 0);
  return result;
}

/** What resampling from one rate to another takes, apart from the samples. */
export function designResampling(fromHz: number, toHz: number): ResampleDesign {
  const divisor = greatestCommonDivisor(fromHz, toHz);
  const phases = toHz / divisor;
  const reach = Math.ceil((HALF_WIDTH * fromHz) / Math.min(fromHz, toHz));
  const filters = Array.from({ length: phases }, (_, phase) => designFilter(phase / phases, fromHz, toHz, reach));
  return { down: fromHz / divisor, phases, reach, filters };
}

/** Output `n`, from samples of which the first is input `first`; what they do not reach counts as silence. */
export function resampleOne(
  { down, phases, reach, filters }: ResampleDesign,
  n: number,
  samples: Int16Array,
  first: number,
): number {
  const position = n * down;
  const filter = filters[position % phases] as Float64Array;
  const sum = weigh(samples, Math.floor(position / phases) - reach + 1 - first, filter);
  return Math.max(-32_768, Math.min(32_767, Math.round(sum)));
}

function weigh(samples: Int16Array, start: number, filter: Float64Array): number {
  const last = Math.min(filter.length, samples.length - start);
  let sum = 0;
  for (let k = Math.max(0, -start); k < last; k++) sum += (samples[start + k] as number) * (filter[k] as number);
  return sum;
}

/** Weights for the samples around an output that lies `fraction` of a sample after the middle one. */
function designFilter(fraction: number, fromHz: number, toHz: number, reach: number): Float64Array {
  const cutoff = (CUTOFF * Math.min(fromHz, toHz)) / fromHz;
  const filter = new Float64Array(reach * 2);
  let total = 0;
  for (let k = 0; k < filter.length; k++) {
    const distance = k - reach + 1 - fraction;
    const weight = 2 * cutoff * sinc(2 * cutoff * distance) * kaiser(distance / reach);
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

/** The modified Bessel function of order zero, by its series; the terms fall below 1e-12 well before the 40th. */
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
