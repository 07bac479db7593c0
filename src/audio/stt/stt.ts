/** What a recogniser tells of the person's speech. */
export type SpeechEvent =
  /** Words so far; they may change. */
  | { kind: "PARTIAL"; text: string }
  /** Words that stay. `confidence` from 0 to 1, where the provider tells. */
  | { kind: "FINAL"; text: string; confidence: number | null }
  /** The stream is lost for good, after what reconnecting could do. */
  | { kind: "FAILED"; code: string; message: string };

/** One person's speech on its way to a recogniser. Nothing here throws. */
export interface SpeechStream {
  /** Takes samples at 8 kHz; the array may be used again by the caller afterwards. */
  write(samples: Int16Array): void;
  /** The person has paused: whatever is open is to be made final soon. */
  flush(): void;
  /** What is asked for from now on, as in SpeechStreamOptions; a stream without it hears the same all along. */
  expect?(schema: Record<string, unknown> | null): void;
  close(): void;
}

/** How a stream is to be heard. */
export interface SpeechStreamOptions {
  /** BCP 47. */
  language: string;
  /** Words that are likely, such as names; a provider may ignore them. */
  hints: string[];
  /** JSON Schema of the answer that is awaited, for recognisers that listen for expected answers only. */
  expected: Record<string, unknown> | null;
  /**
   * False where another recogniser would hear what this one refuses; otherwise it is to hear what it can rather than
   * be FAILED with UNSUPPORTED.
   */
  isLast?: boolean;
  onEvent: (event: SpeechEvent) => void;
}

/** A streaming recogniser (speech to text). */
export interface Stt {
  readonly name: string;
  open(options: SpeechStreamOptions): SpeechStream;
}
