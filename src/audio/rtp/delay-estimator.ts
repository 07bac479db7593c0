import { SAMPLES_PER_MS } from "#src/audio/codec/frame.ts";

const BIN_SAMPLES = 5 * SAMPLES_PER_MS;
const BINS = 60;
/** Share of packets that are to arrive before they are played. */
const QUANTILE = 0.97;
/** Weight of a new packet: the past counts for some 7 s, 350 packets of 20 ms. */
const FORGETTING = 1 / 350;
/** Window of the search for the quickest packet: the last 3 to 6 s, so that clock drift is followed. */
const WINDOW_SAMPLES = 3_000 * SAMPLES_PER_MS;

/** Learns how late packets come against the quickest of them, in samples. The caller's clock drives it. */
export class DelayEstimator {
  readonly #bins = new Float64Array(BINS);
  #count = 0;
  #lowest = Number.POSITIVE_INFINITY;
  #lowestBefore = Number.POSITIVE_INFINITY;
  #windowEnd = 0;

  /** Transit of the quickest packets: arrival minus timestamp. */
  get base(): number {
    return Math.min(this.#lowest, this.#lowestBefore);
  }

  /** Forgets the transits, because the far end's timestamps jumped; the estimate of the network's jitter stays. */
  rebase(transit: number, now: number): void {
    this.#lowest = transit;
    this.#lowestBefore = Number.POSITIVE_INFINITY;
    this.#windowEnd = now + WINDOW_SAMPLES;
  }

  /** Takes the transit of a packet that arrived `now`. */
  observe(transit: number, now: number): void {
    if (now >= this.#windowEnd) {
      this.#lowestBefore = this.#lowest;
      this.#lowest = transit;
      this.#windowEnd = now + WINDOW_SAMPLES;
    }
    this.#lowest = Math.min(this.#lowest, transit);
    const bin = Math.min(BINS - 1, Math.floor((transit - this.base) / BIN_SAMPLES));
    this.#count++;
    // The first packets weigh the same, so that a few are enough to begin with.
    const share = Math.max(FORGETTING, 1 / this.#count);
    const bins = this.#bins;
    for (let i = 0; i < BINS; i++) bins[i] = (bins[i] as number) * (1 - share);
    bins[bin] = (bins[bin] as number) + share;
  }

  /** Returns the delay within which a share of QUANTILE of the packets arrives. */
  quantile(): number {
    let sum = 0;
    for (let i = 0; i < BINS; i++) {
      sum += this.#bins[i] as number;
      if (sum >= QUANTILE) return (i + 1) * BIN_SAMPLES;
    }
    return BINS * BIN_SAMPLES;
  }
}
