import { FRAME_MS } from "#src/audio/codec/frame.ts";

/** Longest gap within one run. */
const GAP_MS = 160;
/** Least speech that is no click. */
const LEAST_MS = 60;
/** Power ratio of a bang's fading tail to its peak: 15 dB. */
const STRONG_RATIO = 0.032;

/** Joins the speech frames of one call into runs, and leaves out clicks. */
export class SpeechRun {
  /** Start of the current or last run. */
  startMs = 0;
  /** End of the last speech that was no click. */
  endMs = Number.NEGATIVE_INFINITY;
  /** Speech frames of the run. */
  speechMs = 0;
  /** Speech frames that are not much weaker than the run's loudest. */
  strongMs = 0;
  /** True when the last speech frame was a strong one. */
  isStrong = false;
  #frameEndMs = Number.NEGATIVE_INFINITY;
  #peak = 0;

  /** Takes one frame; true when it is speech in a run long enough to be no click. */
  hear(isSpeech: boolean, power: number, atMs: number): boolean {
    if (!isSpeech) {
      if (atMs - this.#frameEndMs > GAP_MS) this.#clear();
      return false;
    }
    if (this.speechMs === 0 || atMs - this.#frameEndMs > GAP_MS + FRAME_MS) {
      this.#clear();
      this.startMs = atMs - FRAME_MS;
    }
    this.#frameEndMs = atMs;
    this.speechMs += FRAME_MS;
    this.#peak = Math.max(this.#peak, power);
    this.isStrong = power >= this.#peak * STRONG_RATIO;
    if (this.isStrong) this.strongMs += FRAME_MS;
    if (this.speechMs < LEAST_MS) return false;
    this.endMs = atMs;
    return true;
  }

  #clear(): void {
    this.speechMs = 0;
    this.strongMs = 0;
    this.#peak = 0;
  }
}
