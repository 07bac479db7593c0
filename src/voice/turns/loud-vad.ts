import type { Vad } from "./vad.ts";

const LEAST_POWER = 200 ** 2;

/** Takes whatever is loud for speech: the tone speech of the sandbox is none to a detector of voices. */
export class LoudVad implements Vad {
  power = 0;

  hear(samples: Int16Array): boolean {
    let sum = 0;
    for (const sample of samples) sum += sample * sample;
    this.power = sum / samples.length;
    return this.power > LEAST_POWER;
  }
}
