import { FRAME_SAMPLES } from "#src/audio/codec/frame.ts";

/** Least and most samples taken out of, or put into, one frame: a period of a voice between 66 and 400 Hz. */
export const MIN_STRETCH = 20;
export const MAX_REMOVED = 120;
/** Most samples inserted into a frame: a period is repeated next to itself, so two of them must fit. */
export const MAX_INSERTED = FRAME_SAMPLES / 2;
const MATCH_SAMPLES = 80;

/**
 * Returns the lag, from `MIN_STRETCH` to `most`, at which the audio is most like itself: removing or repeating so many
 * samples is hardly audible. `samples` must hold 80 more than `most`.
 */
export function findStretch(samples: Int16Array, most: number): number {
  let best = most;
  let bestMatch = 0;
  for (let lag = MIN_STRETCH; lag <= most; lag += 2) {
    let product = 0;
    let energy = 1;
    for (let i = 0; i < MATCH_SAMPLES; i += 2) {
      const later = samples[i + lag] as number;
      product += (samples[i] as number) * later;
      energy += later * later;
    }
    const match = product / Math.sqrt(energy);
    if (match > bestMatch) {
      bestMatch = match;
      best = lag;
    }
  }
  return best;
}

/** Makes a frame of the first `FRAME_SAMPLES + lag` samples; the cut is cross-faded. */
export function removeStretch(samples: Int16Array, lag: number, out: Int16Array): void {
  for (let i = 0; i < FRAME_SAMPLES; i++) {
    const now = samples[i] as number;
    const later = samples[i + lag] as number;
    out[i] = i < lag ? Math.round(now + ((later - now) * (i + 1)) / (lag + 1)) : later;
  }
}

/** Makes a frame of the first `FRAME_SAMPLES - lag` samples (but reads `2 * lag`): the first `lag` come twice. */
export function insertStretch(samples: Int16Array, lag: number, out: Int16Array): void {
  for (let i = 0; i < FRAME_SAMPLES; i++) {
    const earlier = samples[Math.max(0, i - lag)] as number;
    const now = samples[Math.min(i, 2 * lag - 1)] as number;
    if (i < lag) out[i] = now;
    else if (i < 2 * lag) out[i] = Math.round(now + ((earlier - now) * (i - lag + 1)) / (lag + 1));
    else out[i] = earlier;
  }
}
