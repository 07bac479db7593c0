/** Voice settings of a text. */
export interface VoiceOptions {
  /** BCP 47. */
  language: string;
  /** The provider's id of a voice; null for its default. */
  voiceId: string | null;
}

/** A text-to-speech (TTS) provider. */
export interface Tts {
  readonly name: string;
  /**
   * Says a text: yields pieces of samples at 8 kHz as they arrive. Throws when the provider fails; ends early when
   * `signal` aborts.
   */
  speak(text: string, options: VoiceOptions, signal: AbortSignal): AsyncIterable<Int16Array>;
  /** Prepares for a text that comes soon, such as by connecting to the provider. Never fails. */
  warm?(): void;
}
