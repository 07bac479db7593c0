/** The providers that exist. */
export const BATCH_STT_NAMES = ["SANDBOX", "OPENAI_COMPATIBLE", "DEEPGRAM"] as const;
export type BatchSttName = (typeof BATCH_STT_NAMES)[number];

/** Audio on this machine's disk. */
export interface AudioFile {
  path: string;
  /** The sender's name for it: tells the format, is never used as a path. */
  fileName: string | null;
  mediaType: string;
  bytes: number;
}

/** Audio somewhere else, under the address exactly as it was sent; or in a file. */
export type AudioSource = { url: string } | AudioFile;

/** What the job asks for. */
export interface TranscribeOptions {
  /** BCP 47; null lets the provider find out. */
  language: string | null;
}

/** A part of the transcript that one speaker says without a pause. */
export interface Segment {
  startMs: number;
  endMs: number;
  speaker: string | null;
  text: string;
}

/** What was said. */
export interface Transcript {
  text: string;
  /** As the provider names it; null when it does not tell. */
  language: string | null;
  /** Null when the provider does not tell. */
  durationSeconds: number | null;
  segments: Segment[];
  /** What a reader should know about it, such as that nothing was heard. */
  note: string | null;
}

/** Turns audio into text. `transcribe` rejects with a TranscriberError; the signal ends it early. */
export interface BatchStt {
  readonly name: BatchSttName;
  transcribe(source: AudioSource, options: TranscribeOptions, signal: AbortSignal): Promise<Transcript>;
}

/**
 * Why there is no transcript. TRANSIENT: the same request may succeed later (429, 5xx, network, timeout).
 * PERMANENT: it will not. The message is shown to the workspace, so it holds no secrets.
 */
export class BatchSttError extends Error {
  readonly kind: "TRANSIENT" | "PERMANENT";
  /** How long the provider asks to be left alone. */
  readonly retryAfterMs: number | null;

  constructor(kind: "TRANSIENT" | "PERMANENT", message: string, retryAfterMs: number | null = null, cause?: unknown) {
    super(message, { cause });
    this.name = "BatchSttError";
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
  }
}
