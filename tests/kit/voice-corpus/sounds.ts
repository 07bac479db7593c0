/** Sounds at 8 kHz for tests and recordings, the same at every run. */
export const RATE_HZ = 8_000;

/** Returns random numbers from -1 to 1 that depend only on the seed. */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2_147_483_648 - 1;
  };
}

const countSamples = (ms: number) => Math.round((ms * RATE_HZ) / 1_000);

/** Returns white noise of a level (root mean square). */
export function noise(ms: number, level: number, seed = 7): Int16Array {
  const random = createRandom(seed);
  return Int16Array.from({ length: countSamples(ms) }, () => random() * level * Math.sqrt(3));
}

/** Returns one or more tones at once, each of the amplitude. */
export function tone(ms: number, frequenciesHz: number[], amplitude = 6_000): Int16Array {
  return Int16Array.from({ length: countSamples(ms) }, (_, at) =>
    frequenciesHz.reduce((sum, hz) => sum + amplitude * Math.sin((2 * Math.PI * hz * at) / RATE_HZ), 0),
  );
}

/** Returns the sound of a closing door or a cup: noise that fades within some 40 ms, with an echo of the room. */
export function bang(amplitude = 14_000, seed = 3): Int16Array {
  const random = createRandom(seed);
  return Int16Array.from({ length: countSamples(400) }, (_, at) => {
    const seconds = at / RATE_HZ;
    return random() * amplitude * (Math.exp(-seconds / 0.02) + 0.08 * Math.exp(-seconds / 0.09));
  });
}

/**
 * Returns speech without words, for machines without TTS: pulses through two resonances, in syllables of changing
 * length and pitch.
 */
export function babble(ms: number, level = 2_500, seed = 5): Int16Array {
  const random = createRandom(seed);
  const samples = new Float64Array(countSamples(ms));
  for (let at = 0; at < samples.length;) {
    const length = countSamples(130 + 50 * random());
    const pitchHz = 120 + 25 * random();
    const formants = [500 + 200 * random(), 1_500 + 500 * random()];
    const glide = 0.3 * random();
    for (let i = 0; i < length && at + i < samples.length; i++) {
      const seconds = i / RATE_HZ;
      const sincePulse = seconds % (1 / pitchHz);
      const shape = 0.15 + Math.sin((Math.PI * i) / length);
      const voice = formants.reduce(
        (sum, hz) => sum + Math.sin(2 * Math.PI * hz * (1 + (glide * i) / length) * sincePulse),
        0,
      );
      samples[at + i] = shape * voice * Math.exp(-sincePulse * 250);
    }
    at += length;
  }
  const rms = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / Math.max(1, samples.length));
  return Int16Array.from(samples, (sample) => (sample * level) / (rms || 1));
}

/** Adds a sound to a track from a time on; the part beyond the track's end is dropped. */
export function mix(track: Int16Array, sound: Int16Array, atMs: number, gain = 1): void {
  const start = countSamples(atMs);
  for (let i = 0; i < sound.length && start + i < track.length; i++) {
    if (start + i < 0) continue;
    const sum = (track[start + i] as number) + gain * (sound[i] as number);
    track[start + i] = Math.max(-32_768, Math.min(32_767, sum));
  }
}

/** Returns an empty track. */
export function silence(ms: number): Int16Array {
  return new Int16Array(countSamples(ms));
}
