import { powerOf } from "#src/audio/codec/power.ts";

/** Frames of a block: levels are compared in blocks of 100 ms; an echo comes back within 300 ms. */
const BLOCK_FRAMES = 5;
const NEAR_BLOCKS = 5;
const FAR_BLOCKS = 6;
/** Ages of the sent blocks whose echo has certainly come back: it lies within the near side's window. */
const SETTLED_FROM = 3;
const SETTLED_TO = 5;
const HISTORY = 8;
/** Power below which the agent is silent, and incoming sound is no echo. */
const FAR_LEAST_POWER = 100 ** 2;
/**
 * Coupling assumed until the line's echo is known: with the margin, only sound less than 6 dB below the agent's can be
 * the person.
 */
const UNKNOWN_COUPLING = 0.0625;
const KNOWN_FROM = 4;
/** Power ratio by which speech over an echo is louder than the echo: 6 dB. */
const MARGIN = 4;

/**
 * Distinguishes the agent's own echo from the person by level. Learns how much weaker the echo comes back than it was
 * sent, as the least ratio of the last second: an echo is always there, a person is not.
 */
export class EchoGate {
  readonly #near = new Float64Array(NEAR_BLOCKS);
  readonly #far = new Float64Array(FAR_BLOCKS);
  readonly #ratios = new Float64Array(HISTORY).fill(1);
  #ratioCount = 0;
  #farPeak = 0;
  #frames = 0;
  #coupling = UNKNOWN_COUPLING;

  /** Takes a frame that was sent to the person. */
  hearFar(samples: Int16Array): void {
    const power = powerOf(samples);
    this.#far[0] = Math.max(this.#far[0] as number, power);
    this.#farPeak = Math.max(this.#farPeak, power);
  }

  /**
   * Takes the power of a frame from the person; true when it may be no more than echo. Must be called for every frame.
   * `learn` is false while the person is known to speak.
   */
  hearNear(power: number, learn: boolean): boolean {
    this.#near[0] = Math.max(this.#near[0] as number, power);
    const isEcho = this.#farPeak > FAR_LEAST_POWER && power < this.#farPeak * this.#coupling * MARGIN;
    if (++this.#frames % BLOCK_FRAMES === 0) this.#turnBlock(learn);
    return isEcho;
  }

  #turnBlock(learn: boolean): void {
    const settled = largest(this.#far, SETTLED_FROM, SETTLED_TO);
    if (learn && settled > FAR_LEAST_POWER) this.#learn(largest(this.#near, 0, NEAR_BLOCKS) / settled);
    this.#near.copyWithin(1, 0);
    this.#near[0] = 0;
    this.#far.copyWithin(1, 0);
    this.#far[0] = 0;
    this.#farPeak = largest(this.#far, 0, FAR_BLOCKS);
  }

  #learn(ratio: number): void {
    this.#ratios[this.#ratioCount++ % HISTORY] = ratio;
    if (this.#ratioCount < KNOWN_FROM) return;
    let least = 1;
    for (let i = 0; i < HISTORY; i++) least = Math.min(least, this.#ratios[i] as number);
    this.#coupling = least;
  }
}

function largest(values: Float64Array, from: number, to: number): number {
  let most = 0;
  for (let i = from; i < to; i++) most = Math.max(most, values[i] as number);
  return most;
}
