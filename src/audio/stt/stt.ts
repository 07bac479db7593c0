/** Event of an STT stream. */
export type SpeechEvent =
  /** Words so far, which may change. */
  | { kind: "PARTIAL"; text: string }
  /** Final words. `confidence` from 0 to 1, where the provider reports it. */
  | { kind: "FINAL"; text: string; confidence: number | null }
  /** The stream is lost for good, after all reconnects. */
  | { kind: "FAILED"; code: string; message: string };

/** Stream of one person's speech to an STT provider. Its methods do not throw. */
export interface SpeechStream {
  /** Takes samples at 8 kHz; the caller may reuse the array afterwards. */
  write(samples: Int16Array): void;
  /** Asks for open words to be made final soon, because the person has paused. */
  flush(): void;
  /** Sets the expected answer from now on, as in SpeechStreamOptions; absent on streams that do not depend on it. */
  expect?(schema: Record<string, unknown> | null): void;
  close(): void;
}

/** Options of an STT stream. */
export interface SpeechStreamOptions {
  /** BCP 47. */
  language: string;
  /** Likely words, such as names; a provider may ignore them. */
  hints: string[];
  /** JSON Schema of the expected answer, for STT that recognises expected answers only. */
  expected: Record<string, unknown> | null;
  /**
   * False when another STT provider takes what this one refuses; otherwise this one must recognise what it can rather
   * than emit FAILED with UNSUPPORTED.
   */
  isLast?: boolean;
  onEvent: (event: SpeechEvent) => void;
}

/** A streaming speech-to-text (STT) provider. */
export interface Stt {
  readonly name: string;
  open(options: SpeechStreamOptions): SpeechStream;
}
