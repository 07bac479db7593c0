import { countToneSpeechSamples, encodeToneSpeech } from "#src/audio/tones/tone-speech.ts";

/** Who speaks in a recording. */
export type Speaker = "ASSISTANT" | "USER";

/** Says texts as 8 kHz samples. */
export interface SpeechEngine {
  readonly name: string;
  /** Says one text in the voice of a speaker: 16-bit samples at 8 kHz. */
  speak(text: string, speaker: Speaker): Promise<Int16Array>;
  /**
   * How many samples `speak` will give, for engines that know before speaking. Without it a recording is spoken
   * whole before its length is known.
   */
  countSamples?(text: string, speaker: Speaker): number;
}

/** Tone speech as a speech engine: always there, and the same samples for the same text. */
export const toneEngine: SpeechEngine = {
  name: "tone",
  speak: (text) => Promise.resolve(encodeToneSpeech(text)),
  countSamples: (text) => countToneSpeechSamples(text),
};
