/** How a text is to be said. */
export interface VoiceOptions {
  /** BCP 47. */
  language: string;
  /** The provider's id of a voice; null for its default. */
  voiceId: string | null;
}

/** A synthesiser (text to speech). */
export interface Tts {
  readonly name: string;
  /**
   * Says a text: pieces of samples at 8 kHz, as they come. Throws when the provider fails; ends early when `signal`
   * aborts.
   */
  speak(text: string, options: VoiceOptions, signal: AbortSignal): AsyncIterable<Int16Array>;
}
