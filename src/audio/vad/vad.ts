/**
 * Voice activity detector (VAD) for frames of 160 samples at 8 kHz. One instance serves one call, frame after frame.
 */
export interface Vad {
  /** Takes the next frame; true when it sounds like speech. Keeps no reference to the array. */
  hear(samples: Int16Array): boolean;
  /** Mean square of the last frame, without frequencies below a telephone's band. */
  readonly power: number;
}
