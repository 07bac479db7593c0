import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";

const PERIOD_MS = 4_000;
/** Two notes, the second a fourth below the first, each dying away. */
const NOTES = [
  { atMs: 0, frequencyHz: 659.26 },
  { atMs: 260, frequencyHz: 493.88 },
] as const;
const NOTE_MS = 1_200;
const DECAY_MS = 260;
const ATTACK_MS = 12;
/** Peak level, well below that of speech, so that it startles nobody. */
const LOUDNESS = 1_800;

let chime: Int16Array | undefined;

/** Returns a soft chime and a pause, repeated to a waiting person so that the line does not seem dead. */
export function holdChime(): Int16Array {
  return (chime ??= createChime());
}

function createChime(): Int16Array {
  const samples = new Int16Array((PERIOD_MS * VOICE_RATE_HZ) / 1_000);
  for (const { atMs, frequencyHz } of NOTES) {
    const first = (atMs * VOICE_RATE_HZ) / 1_000;
    for (let i = 0; i < (NOTE_MS * VOICE_RATE_HZ) / 1_000; i++) {
      const ms = (i * 1_000) / VOICE_RATE_HZ;
      const loudness = LOUDNESS * Math.min(1, ms / ATTACK_MS) * Math.exp(-ms / DECAY_MS);
      const at = first + i;
      samples[at] =
        (samples[at] ?? 0) + Math.round(loudness * Math.sin((2 * Math.PI * frequencyHz * i) / VOICE_RATE_HZ));
    }
  }
  return samples;
}

/** An endless sound that repeats its samples. */
export class LoopedSound {
  readonly #samples: Int16Array;
  #at = 0;

  /** Takes at least one sample. The array is not copied, so it must not change. */
  constructor(samples: Int16Array) {
    this.#samples = samples;
  }

  /** Fills a frame with the next samples. */
  read(frame: Int16Array): void {
    for (let filled = 0; filled < frame.length;) {
      const count = Math.min(frame.length - filled, this.#samples.length - this.#at);
      for (let i = 0; i < count; i++) frame[filled + i] = this.#samples[this.#at + i] as number;
      filled += count;
      this.#at = (this.#at + count) % this.#samples.length;
    }
  }
}
