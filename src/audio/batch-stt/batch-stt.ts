/** Names of the batch STT providers. */
export const BATCH_STT_NAMES = ["SANDBOX", "OPENAI_COMPATIBLE", "DEEPGRAM"] as const;
export type BatchSttName = (typeof BATCH_STT_NAMES)[number];

/** Audio on this machine's disk. */
export interface AudioFile {
  path: string;
  /** The sender's name for the file: used for its format, never as a path. */
  fileName: string | null;
  mediaType: string;
  bytes: number;
}

/** Audio at a URL, kept exactly as it was sent, or in a file. */
export type AudioSource = { url: string } | AudioFile;

/** Options of one transcription. */
export interface TranscribeOptions {
  /** BCP 47; null lets the provider detect it. */
  language: string | null;
}

/** A part of the transcript that one speaker says without a pause. */
export interface Segment {
  startMs: number;
  endMs: number;
  speaker: string | null;
  text: string;
}

/** Result of a transcription. */
export interface Transcript {
  text: string;
  /** As the provider names it; null when it names none. */
  language: string | null;
  /** Null when the provider does not report it. */
  durationSeconds: number | null;
  segments: Segment[];
  /** Remark for the reader, such as that nothing was heard. */
  note: string | null;
}

/** Turns audio into text. `transcribe` rejects with a BatchSttError; the signal ends it early. */
export interface BatchStt {
  readonly name: BatchSttName;
  transcribe(source: AudioSource, options: TranscribeOptions, signal: AbortSignal): Promise<Transcript>;
}

/**
 * Reason that there is no transcript. TRANSIENT: the same request may succeed later (429, 5xx, network, timeout).
 * PERMANENT: it will not. The message is shown to the workspace, so it holds no secrets.
 */
export class BatchSttError extends Error {
  readonly kind: "TRANSIENT" | "PERMANENT";
  /** Milliseconds to wait before the next request, as the provider asked. */
  readonly retryAfterMs: number | null;

  constructor(kind: "TRANSIENT" | "PERMANENT", message: string, retryAfterMs: number | null = null, cause?: unknown) {
    super(message, { cause });
    this.name = "BatchSttError";
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
