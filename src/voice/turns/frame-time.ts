/** One frame lasts 20 ms. */
export const FRAME_MS = 20;
