/** Chunks of audio of which the levels are kept: 0.8 s. */
const KEPT = 8;
/** Milliseconds after the last request for levels at which the meter stops measuring. */
const WANTED_MS = 3_000;
/** Every fourth sample of a chunk is looked at, which finds the peak of speech well enough for a picture. */
const STEP = 4;
/** Steps of a level: 16, as one hexadecimal digit. */
const TOP = 15;
/** Decibels below full scale that are drawn as silence. */
const FLOOR_DB = 48;

/** Measures how loud both sides of a call were, for those who watch it, and only while somebody asks. */
export class LevelMeter {
  #wantedUntilMs = 0;
  #person = "";
  #agent = "";

  /** Takes a chunk of the person's audio and the peak of ours meanwhile. */
  add(heard: Int16Array, saidPeak: number): void {
    if (performance.now() > this.#wantedUntilMs) return;
    this.#person = (this.#person + digitOf(peakOf(heard))).slice(-KEPT);
    this.#agent = (this.#agent + digitOf(saidPeak)).slice(-KEPT);
  }

  /**
   * Returns the levels since the last call, at most 0.8 s: one hexadecimal digit for each 0.1 s, first those of the
   * person and, after a dot, those of our side. The first call starts the measuring.
   */
  take(): string {
    this.#wantedUntilMs = performance.now() + WANTED_MS;
    const levels = `${this.#person}.${this.#agent}`;
    this.#person = "";
    this.#agent = "";
    return levels;
  }
}

/** Returns the loudest of the samples that are looked at. */
export function peakOf(samples: Int16Array): number {
  let peak = 0;
  for (let i = 0; i < samples.length; i += STEP) peak = Math.max(peak, Math.abs(samples[i] as number));
  return peak;
}

function digitOf(peak: number): string {
  if (peak === 0) return "0";
  const db = 20 * Math.log10(peak / 32_768);
  return Math.max(0, Math.min(TOP, Math.round((1 + db / FLOOR_DB) * TOP))).toString(16);
}
