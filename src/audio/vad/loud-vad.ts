import { powerOf } from "#src/audio/codec/power.ts";
import { ToneMeter } from "#src/audio/tones/tone-meter.ts";
import type { Vad } from "./vad.ts";

/** Mean square above which there is sound (rms 200 of 32,767). */
const LOUD = 200 ** 2;

/**
 * Takes all loud sound for speech, at once and without a noise floor: the detector for tone speech, which a voice
 * detector rightly rejects. A sound that is held unchanged (a beep, a chord of hold music) stops counting after 160 ms;
 * the tones of speech change every 10 ms.
 */
export class LoudVad implements Vad {
  power = 0;
  readonly #meter = new ToneMeter();

  hear(samples: Int16Array): boolean {
    this.power = powerOf(samples);
    this.#meter.hear(samples);
    return this.power > LOUD && !this.#meter.isHeld;
  }
}
