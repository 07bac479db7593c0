import { countToneSpeechSamples, encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";

/** Speaker in a recording. */
export type Speaker = "ASSISTANT" | "USER";

/** Says texts as 8 kHz samples. */
export interface SpeechEngine {
  readonly name: string;
  /** Says one text in the voice of a speaker: 16-bit samples at 8 kHz. */
  speak(text: string, speaker: Speaker): Promise<Int16Array>;
  /**
   * Number of samples that `speak` will return, for engines that know it beforehand. Without it a recording is spoken
   * whole before its length is known.
   */
  countSamples?(text: string, speaker: Speaker): number;
}

/** Tone speech as a speech engine: always available, and the same samples for the same text. */
export const toneEngine: SpeechEngine = {
  name: "tone",
  speak: (text) => Promise.resolve(encodeToneSpeech(text)),
  countSamples: (text) => countToneSpeechSamples(text),
};
