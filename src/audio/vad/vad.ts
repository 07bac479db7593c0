/** Judges frames of 160 samples at 8 kHz: does the person speak? One instance hears one call, frame after frame. */
export interface Vad {
  /** Takes the next frame; true when it sounds like speech. Keeps nothing of the array. */
  hear(samples: Int16Array): boolean;
  /** Mean square of the last frame, without what lies below a telephone's band. */
  readonly power: number;
}
