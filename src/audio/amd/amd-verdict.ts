import type { AmdVerdict } from "#src/audio/line/line.ts";

/** Least confidence to act on: below it, a machine may be a person who talks a lot. */
const LEAST_CONFIDENCE = 0.7;

/**
 * True when an AMD verdict is certain enough to act on. The conversation, the call's outcome and transfers all use this
 * check, so that no call is treated as a person's and reported as a machine's.
 */
export function isCertain(verdict: AmdVerdict | null): verdict is AmdVerdict {
  return verdict !== null && verdict.confidence >= LEAST_CONFIDENCE;
}
