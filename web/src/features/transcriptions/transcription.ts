import type { JsonObject } from "@parley/sdk";
import { t } from "#web/i18n/t.ts";

/** API path of the transcription jobs. */
export const JOBS_PATH = "/transcriptions/jobs";

/** A defined metadata key. */
export interface MetadataField {
  key: string;
  type: string;
  label: string;
  required: boolean;
  allowedValues: string[] | null;
  description: string | null;
  jobId: string | null;
}

/** A job that takes recordings and transcribes them. */
export interface TranscriptionJob {
  id: string;
  name: string;
  status: "OPEN" | "CLOSED";
  provider: string;
  language: string | null;
  fileNamePattern: string | null;
  metadataFields: MetadataField[];
  retainAudio: boolean;
  spreadsheet: { fileName: string | null; columns: string[]; rows: number; uploadedAt: string } | null;
  createdAt: string;
  updatedAt: string;
  closedAt: string | null;
}

/** A recording without its transcript. */
export interface RecordingSummary {
  id: string;
  jobId: string;
  externalId: string | null;
  status: "QUEUED" | "PROCESSING" | "COMPLETED" | "FAILED";
  fileName: string | null;
  url: string | null;
  metadata: JsonObject;
  unknownMetadataKeys: string[];
  warning: string | null;
  provider: string;
  bytes: number | null;
  audioFormat: string | null;
  durationSeconds: number | null;
  language: string | null;
  failures: number;
  error: { code: string; message: string } | null;
  createdAt: string;
  completedAt: string | null;
}

/** A stretch of speech. */
export interface Segment {
  startMs: number;
  endMs: number;
  speaker: string | null;
  text: string;
}

/** A recording with its transcript. */
export interface Recording extends RecordingSummary {
  transcript: { text: string; note: string | null; segments: Segment[] } | null;
}

/** Reply to an upload of a recording. */
export interface Receipt {
  rowId: string;
  duplicate: boolean;
  fileName: string | null;
  unknownMetadataKeys: string[];
  warning: string | null;
}

/** Labels of the providers. */
export const PROVIDERS = [
  { value: "SANDBOX", label: t`Sandbox (test tones)` },
  { value: "OPENAI_COMPATIBLE", label: t`OpenAI or a Whisper server` },
  { value: "DEEPGRAM", label: "Deepgram" },
];

/** API path of a job's recordings. */
export function recordingsPath(jobId: string): string {
  return `${JOBS_PATH}/${jobId}/recordings`;
}
