import { FRAME_SAMPLES } from "#src/voice/speech-ports.ts";

/** Levels are compared in blocks of 100 ms: an echo of up to 300 ms of delay lies within their windows. */
const BLOCK_FRAMES = 5;
const NEAR_BLOCKS = 4;
const FAR_BLOCKS = 6;
const HISTORY = 8;
/** Below this the agent is silent, and what comes in is no echo. */
const FAR_LEAST_POWER = 100 ** 2;
/** Until the line's echo is known, only what is hardly weaker than the agent itself can be the person: with the margin -6 dB. */
const UNKNOWN_COUPLING = 0.0625;
const KNOWN_FROM = 4;
/** Speech over an echo is louder than the echo by this: 6 dB. */
const MARGIN = 4;

/**
 * Tells the agent's own echo from the person by level. It learns how much weaker the echo comes back than it went
 * out, as the least ratio of the last second: an echo is always there, a person is not.
 */
export class EchoGate {
  readonly #near = new Float64Array(NEAR_BLOCKS);
  readonly #far = new Float64Array(FAR_BLOCKS);
  readonly #ratios = new Float64Array(HISTORY).fill(1);
  #ratioCount = 0;
  #farPeak = 0;
  #frames = 0;
  #coupling = UNKNOWN_COUPLING;

  /** A frame that was sent to the person. */
  hearFar(samples: Int16Array): void {
    let sum = 0;
    for (let i = 0; i < FRAME_SAMPLES; i++) {
      const sample = samples[i] as number;
      sum += sample * sample;
    }
    const block = this.#block(FAR_BLOCKS);
    this.#far[block] = Math.max(this.#far[block] as number, sum / FRAME_SAMPLES);
    this.#farPeak = Math.max(this.#farPeak, sum / FRAME_SAMPLES);
  }

  /**
   * A frame from the person, by its power; true when it may be no more than echo. Call it for every frame.
   * `learn` is false while the person is known to speak.
   */
  hearNear(power: number, learn: boolean): boolean {
    const block = this.#block(NEAR_BLOCKS);
    this.#near[block] = Math.max(this.#near[block] as number, power);
    const isEcho = this.#farPeak > FAR_LEAST_POWER && power < this.#farPeak * this.#coupling * MARGIN;
    if (++this.#frames % BLOCK_FRAMES === 0) this.#turnBlock(learn);
    return isEcho;
  }

  #block(count: number): number {
    return Math.floor(this.#frames / BLOCK_FRAMES) % count;
  }

  #turnBlock(learn: boolean): void {
    if (learn && this.#farPeak > FAR_LEAST_POWER) this.#learn();
    this.#near[this.#block(NEAR_BLOCKS)] = 0;
    this.#far[this.#block(FAR_BLOCKS)] = 0;
    this.#farPeak = largest(this.#far);
  }

  #learn(): void {
    this.#ratios[this.#ratioCount++ % HISTORY] = largest(this.#near) / this.#farPeak;
    if (this.#ratioCount < KNOWN_FROM) return;
    let least = 1;
    for (let i = 0; i < HISTORY; i++) least = Math.min(least, this.#ratios[i] as number);
    this.#coupling = least;
  }
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) most = Math.max(most, values[i] as number);
  return most;
}
