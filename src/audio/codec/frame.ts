/** Rate of all samples inside the media path: what telephony carries. */
export const VOICE_RATE_HZ = 8_000;
/** One frame is 20 ms. */
export const FRAME_SAMPLES = 160;
/** One frame lasts 20 ms. */
export const FRAME_MS = 20;
