import type { AmdVerdict } from "#src/audio/line/line.ts";

/** A machine that is taken for one by less than this may be a person who talks much. */
const LEAST_CONFIDENCE = 0.7;

/**
 * Whether a verdict on who answered is certain enough to go by. The conversation, the outcome of its call and transfers all
 * ask here, so that nobody is talked to as a person and reported as a machine.
 */
export function isCertain(verdict: AmdVerdict | null): verdict is AmdVerdict {
  return verdict !== null && verdict.confidence >= LEAST_CONFIDENCE;
}
