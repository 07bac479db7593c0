/** Sample rate inside the media path: that of telephony. */
export const VOICE_RATE_HZ = 8_000;
/** Samples of one frame of 20 ms. */
export const FRAME_SAMPLES = 160;
/** Milliseconds of one frame. */
export const FRAME_MS = 20;
/** Samples of one millisecond. */
export const SAMPLES_PER_MS = VOICE_RATE_HZ / 1_000;
