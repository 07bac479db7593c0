import type { Segment } from "#src/audio/batch-stt/batch-stt.ts";
import { powerOf } from "#src/audio/codec/power.ts";
import { resample } from "#src/audio/codec/resample.ts";
import { parseWav } from "#src/audio/codec/wav.ts";
import { countToneSpeechSamples, decodeToneSpeech, TONE_RATE_HZ } from "#src/audio/tones/tone-speech.ts";

const WINDOW_SAMPLES = 80;
/** Mean square below which nothing is said, as in the decoder (rms 100 of 32,767). */
const QUIET = 100 ** 2;
/** Silence that ends a stretch of sound: five windows, 50 ms. */
const GAP_WINDOWS = 5;
const SAMPLES_PER_MS = TONE_RATE_HZ / 1000;
/** Range of sample rates: outside it the resampler's filters would take more memory than the audio. */
const MIN_RATE_HZ = 4_000;
const MAX_RATE_HZ = 192_000;
const MAX_CHANNELS = 8;
/** Speakers of the service's own recordings: left the agent, right the customer. */
const TWO_SPEAKERS = ["ASSISTANT", "USER"];

/** Texts heard in a file, in the order they were said. */
export interface Heard {
  durationSeconds: number;
  segments: Segment[];
}

/** Decodes tone speech in a 16-bit PCM WAV file. Throws an Error with the reason when it is no such file. */
export function hearWav(bytes: Uint8Array): Heard {
  const { sampleRateHz, channels } = parseWav(bytes);
  if (sampleRateHz < MIN_RATE_HZ || sampleRateHz > MAX_RATE_HZ || channels.length > MAX_CHANNELS) {
    throw new Error(`WAV files of ${MIN_RATE_HZ} to ${MAX_RATE_HZ} Hz and at most ${MAX_CHANNELS} channels are read.`);
  }
  const durationSeconds = (channels[0]?.length ?? 0) / sampleRateHz;
  const segments = channels.flatMap((channel, i) =>
    hearChannel(
      resample(channel, sampleRateHz, TONE_RATE_HZ),
      channels.length === 2 ? (TWO_SPEAKERS[i] ?? null) : null,
    ),
  );
  return { durationSeconds, segments: segments.toSorted((a, b) => a.startMs - b.startMs || a.endMs - b.endMs) };
}

function hearChannel(samples: Int16Array, speaker: string | null): Segment[] {
  return findSounds(samples).flatMap(({ start, end }) => {
    const texts = decodeToneSpeech(samples.subarray(start, end));
    let at = start;
    return texts.map((text) => {
      const from = at;
      at += countToneSpeechSamples(text);
      return { startMs: toMs(from), endMs: toMs(Math.min(at, end)), speaker, text };
    });
  });
}

function toMs(samples: number): number {
  return Math.round(samples / SAMPLES_PER_MS);
}

/** Finds the stretches of sound between silences, to the nearest window. */
function findSounds(samples: Int16Array): { start: number; end: number }[] {
  const sounds: { start: number; end: number }[] = [];
  for (let start = 0; start < samples.length; start += WINDOW_SAMPLES) {
    const end = Math.min(start + WINDOW_SAMPLES, samples.length);
    if (powerOf(samples.subarray(start, end)) < QUIET) continue;
    const last = sounds.at(-1);
    if (last && start - last.end < GAP_WINDOWS * WINDOW_SAMPLES) last.end = end;
    else sounds.push({ start, end });
  }
  return sounds;
}
