import { fileNameOfUrl } from "#src/audio/batch-stt/audio-format.ts";
import { BATCH_STT_NAMES, type Transcript } from "#src/audio/batch-stt/batch-stt.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { anyObject, nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { cleanFileName, fileNameKey, matchFileName } from "./file-name.ts";
import { fileMetadata } from "./metadata.ts";
import { findSheetCells } from "./sheet-rows.ts";
import { findByExternalId, findFields, insertRecording, type JobRow, lockJob, type RecordingRow } from "./store.ts";

/** Task that transcribes one recording. */
export const TRANSCRIPTION_TASK = "transcription.run";
const STATUSES = ["QUEUED", "PROCESSING", "COMPLETED", "FAILED"] as const;

const details = {
  fileName: Type.Optional(
    nullable(Type.String({ maxLength: 1_000, description: "Name for people, for the pattern and the spreadsheet." })),
  ),
  externalId: Type.Optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: "The sender's own id. A repeat returns the existing row; always send it.",
      }),
    ),
  ),
  metadata: Type.Optional(
    nullable(anyObject("What the recording is filed under; GET /metadata/fields lists the valid keys.")),
  ),
};

/** JSON of the upload's `payload` part. */
export const RecordingDetails = Type.Object(details, { $id: "RecordingDetails" });
export type RecordingDetails = Static<typeof RecordingDetails>;

/** Body that names a recording by its address. */
export const RecordingInput = Type.Object(
  {
    url: Type.String({
      maxLength: 8_192,
      pattern: "^[Hh][Tt][Tt][Pp][Ss]?://",
      description: "http or https address, handed to the provider as given.",
    }),
    ...details,
  },
  { $id: "RecordingInput" },
);
export type RecordingInput = Static<typeof RecordingInput>;

const filed = {
  jobId: Uuid,
  externalId: nullable(Type.String()),
  status: oneOf(STATUSES),
  fileName: nullable(Type.String()),
  url: nullable(Type.String({ description: "As sent; null for uploads." })),
  metadata: anyObject("File-name pattern first, then spreadsheet, then the values sent, which win."),
  unknownMetadataKeys: Type.Array(Type.String(), { description: "Keys that were sent and that no field defines." }),
  warning: nullable(Type.String()),
  createdAt: Timestamp,
};

/** Reply to the sender of a recording. */
export const RecordingReceipt = Type.Object(
  {
    rowId: Uuid,
    duplicate: Type.Boolean({ description: "True: the externalId was seen before, and this is the existing row." }),
    ...filed,
  },
  { $id: "RecordingReceipt" },
);
export type RecordingReceipt = Static<typeof RecordingReceipt>;

const summary = {
  id: Uuid,
  ...filed,
  provider: oneOf(BATCH_STT_NAMES),
  mediaType: nullable(Type.String({ description: "As the uploader declared it." })),
  bytes: nullable(Type.Integer()),
  audioFormat: nullable(Type.String({ description: "Container and codec, as found in an upload." })),
  durationSeconds: nullable(Type.Number()),
  language: nullable(Type.String({ description: "Of the transcript, as the provider names it." })),
  failures: Type.Integer({ description: "Failed attempts so far." }),
  error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  startedAt: nullable(Timestamp),
  completedAt: nullable(Timestamp),
};

/** A recording without its transcript. */
export const RecordingSummary = Type.Object(summary, { $id: "RecordingSummary" });
export type RecordingSummary = Static<typeof RecordingSummary>;

/** A recording with its transcript. */
export const Recording = Type.Object(
  {
    ...summary,
    transcript: nullable(
      Type.Object({
        text: Type.String(),
        note: nullable(Type.String({ description: "Such as that nothing was heard." })),
        segments: Type.Array(
          Type.Object({
            startMs: Type.Integer(),
            endMs: Type.Integer(),
            speaker: nullable(Type.String({ description: "Such as ASSISTANT, USER or SPEAKER_0." })),
            text: Type.String(),
          }),
        ),
      }),
    ),
  },
  { $id: "Recording" },
);
export type Recording = Static<typeof Recording>;

/** A recording before it is stored. */
export interface IncomingRecording {
  id: string;
  url: string | null;
  /** The uploaded file; null for a recording that is given by its address. */
  file: { fileName: string | null; mediaType: string | null; bytes: number; sha256: string } | null;
  details: RecordingDetails;
}

/**
 * Adds a recording to a job, with the task that transcribes it. A repeat of an externalId returns the existing row,
 * also from a closed job, because the sender asks for its result. The unique index makes this exact under parallel
 * posts.
 */
export async function addRecording(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  incoming: IncomingRecording,
): Promise<RecordingReceipt> {
  const job = await lockJob(tx, workspaceId, jobId, "share");
  if (!job) throw new AppError("NOT_FOUND");
  const externalId = incoming.details.externalId ?? null;
  const existing = externalId === null ? undefined : await findByExternalId(tx, workspaceId, jobId, externalId);
  if (existing) return toReceipt(existing, true);
  if (job.status !== "OPEN") throw new AppError("CONFLICT", "The transcription job is closed.");
  const { id, url, file, details: sent } = incoming;
  const fileName = cleanFileName(sent.fileName ?? file?.fileName ?? (url === null ? null : fileNameOfUrl(url)));
  const metadata = await fileUnder(tx, workspaceId, job, { fileName, externalId, sent: sent.metadata ?? {} });
  const row = await insertRecording(tx, workspaceId, jobId, {
    id,
    externalId,
    provider: job.provider,
    language: job.language,
    url,
    fileName,
    mediaType: file?.mediaType ?? null,
    bytes: file?.bytes ?? null,
    sha256: file?.sha256 ?? null,
    ...metadata,
  });
  if (!row)
    return toReceipt((await findByExternalId(tx, workspaceId, jobId, externalId as string)) as RecordingRow, true);
  await addTask(tx, workspaceId, { kind: TRANSCRIPTION_TASK, subjectId: id, payload: {} });
  await appendEvents(tx, workspaceId, [{ type: "transcription.queued", subjectId: id, data: { jobId } }]);
  return toReceipt(row, false);
}

/** Refuses a text that starts like an address and is none. */
export function assertAddress(url: string): void {
  if (!URL.canParse(url)) throw fieldError("url", "FORMAT", "is not an http or https address.");
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u0020\u007f]/.test(url)) throw fieldError("url", "FORMAT", "holds a space or a control character.");
}

async function fileUnder(
  tx: Executor,
  workspaceId: string,
  job: JobRow,
  { fileName, externalId, sent }: { fileName: string | null; externalId: string | null; sent: Record<string, unknown> },
) {
  const own = new Set(job.metadata_fields.map((field) => field.key));
  const fields = (await findFields(tx, workspaceId)).filter((field) => !own.has(field.key));
  const { file_name_pattern: pattern } = job;
  const keys = { externalId, fileName: fileName === null ? null : fileNameKey(fileName) };
  return fileMetadata([...fields, ...job.metadata_fields], {
    fileName: pattern !== null && fileName !== null ? matchFileName(pattern, fileName) : {},
    spreadsheet: job.spreadsheet ? await findSheetCells(tx, workspaceId, job.id, keys) : {},
    sent,
  });
}

function toReceipt(row: RecordingRow, duplicate: boolean): RecordingReceipt {
  return { rowId: row.id, duplicate, ...toFiled(row) };
}

function toFiled(row: RecordingRow) {
  return {
    jobId: row.job_id,
    externalId: row.external_id,
    status: row.status,
    fileName: row.file_name,
    url: row.url,
    metadata: row.metadata,
    unknownMetadataKeys: row.unknown_metadata_keys,
    warning: row.warning,
    createdAt: row.created_at.toISOString(),
  };
}

/** Converts a stored recording to the form of lists. */
export function toSummary(row: RecordingRow): RecordingSummary {
  return {
    id: row.id,
    ...toFiled(row),
    provider: row.provider,
    mediaType: row.media_type,
    bytes: row.bytes,
    audioFormat: row.audio_format,
    durationSeconds: row.duration_seconds,
    language: row.language,
    failures: row.failures,
    error: row.error,
    startedAt: row.started_at?.toISOString() ?? null,
    completedAt: row.completed_at?.toISOString() ?? null,
  };
}

/** Converts a stored recording to the form of a single read. */
export function toRecording(row: RecordingRow & { transcript: Transcript | null }): Recording {
  const { transcript } = row;
  if (!transcript) return { ...toSummary(row), transcript: null };
  const { text, note, segments } = transcript;
  return { ...toSummary(row), transcript: { text, note, segments } };
}
