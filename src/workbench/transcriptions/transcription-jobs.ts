import { BATCH_STT_NAMES, type BatchSttName } from "#src/audio/batch-stt/batch-stt.ts";
import { HOW_TO_CONFIGURE } from "#src/audio/speech-providers/batch-stt-providers.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { AppError, fieldError } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { assertPattern } from "./file-name.ts";
import { MetadataField, MetadataFieldInputs, toStoredFields } from "./metadata-fields.ts";
import { closeJobRow, findJob, type JobRow, lockJob, saveJob } from "./store.ts";

const ABOUT_PROVIDER =
  "SANDBOX hears tone speech and needs no account; OPENAI_COMPATIBLE is OpenAI or a Whisper server; DEEPGRAM.";

/** A transcription job as the API returns it. */
export const TranscriptionJob = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    status: oneOf(["OPEN", "CLOSED"], "A closed job takes no new recordings."),
    provider: oneOf(BATCH_STT_NAMES, ABOUT_PROVIDER),
    language: nullable(Type.String({ description: "BCP 47 language of the speech; null: the provider finds out." })),
    fileNamePattern: nullable(
      Type.String({ description: "RE2 expression whose named groups become metadata of each file name it finds." }),
    ),
    metadataFields: Type.Array(MetadataField, { description: "Valid keys besides the workspace's own." }),
    retainAudio: Type.Boolean({ description: "Keeps uploaded audio after its transcription." }),
    spreadsheet: nullable(
      Type.Object({
        fileName: nullable(Type.String()),
        columns: Type.Array(Type.String()),
        rows: Type.Integer(),
        uploadedAt: Timestamp,
      }),
    ),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    closedAt: nullable(Timestamp),
  },
  { $id: "TranscriptionJob" },
);
export type TranscriptionJob = Static<typeof TranscriptionJob>;

const settings = {
  provider: Type.Optional(oneOf(BATCH_STT_NAMES, `${ABOUT_PROVIDER} Default SANDBOX.`)),
  language: Type.Optional(
    nullable(
      Type.String({
        pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$",
        description: "BCP 47 tag such as en-US.",
      }),
    ),
  ),
  fileNamePattern: Type.Optional(
    nullable(Type.String({ minLength: 1, description: "RE2 expression with named groups: (?<agent>[a-z]+)." })),
  ),
  metadataFields: Type.Optional(MetadataFieldInputs),
  retainAudio: Type.Optional(Type.Boolean({ description: "Default false." })),
};
const Name = Type.String({ minLength: 1, maxLength: 200 });

/** Body of the request that creates a job. */
export const CreateTranscriptionJob = Type.Object({ name: Name, ...settings }, { $id: "CreateTranscriptionJob" });
export type CreateTranscriptionJob = Static<typeof CreateTranscriptionJob>;

/** Body of the request that changes a job: members left out stay as they are. */
export const ChangeTranscriptionJob = Type.Object(
  { name: Type.Optional(Name), ...settings },
  { $id: "ChangeTranscriptionJob" },
);
export type ChangeTranscriptionJob = Static<typeof ChangeTranscriptionJob>;

/** The providers that this process can use. */
type Available = Pick<ReadonlySet<BatchSttName>, "has">;

/** Creates a job. Throws a 422 for a provider that the operator has not configured. */
export async function createJob(
  tx: Executor,
  available: Available,
  workspaceId: string,
  input: CreateTranscriptionJob,
): Promise<TranscriptionJob> {
  const { name, provider = "SANDBOX", language = null, fileNamePattern = null, retainAudio = false } = input;
  assertSettings(available, provider, fileNamePattern);
  return toJob(
    await saveJob(tx, workspaceId, {
      id: uuidv7(),
      name,
      provider,
      language,
      file_name_pattern: fileNamePattern,
      metadata_fields: toStoredFields(input.metadataFields ?? [], "metadataFields"),
      retain_audio: retainAudio,
    }),
  );
}

/** Changes a job. Recordings added before keep their values. */
export async function changeJob(
  tx: Executor,
  available: Available,
  workspaceId: string,
  id: string,
  input: ChangeTranscriptionJob,
  ifUpdatedAt?: string,
): Promise<TranscriptionJob> {
  const row = await lockJob(tx, workspaceId, id, "update");
  if (!row) throw new AppError("NOT_FOUND");
  assertUnchanged(row.updated_at, ifUpdatedAt);
  const { name = row.name, provider = row.provider, retainAudio = row.retain_audio } = input;
  assertSettings(available, provider, input.fileNamePattern ?? null);
  const { metadataFields } = input;
  return toJob(
    await saveJob(tx, workspaceId, {
      id,
      name,
      provider,
      language: input.language === undefined ? row.language : input.language,
      file_name_pattern: input.fileNamePattern === undefined ? row.file_name_pattern : input.fileNamePattern,
      metadata_fields: metadataFields ? toStoredFields(metadataFields, "metadataFields") : row.metadata_fields,
      retain_audio: retainAudio,
    }),
  );
}

/** Closes a job. Queued recordings are still transcribed, and repeats of known recordings still answered. */
export async function closeJob(tx: Executor, workspaceId: string, id: string): Promise<TranscriptionJob> {
  const row = await closeJobRow(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toJob(row);
}

/** Returns one job; throws a 404 when there is none. */
export async function getJob(db: Executor, workspaceId: string, id: string): Promise<TranscriptionJob> {
  const row = await findJob(db, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toJob(row);
}

function assertSettings(available: Available, provider: BatchSttName, pattern: string | null): void {
  if (!available.has(provider)) {
    const how = HOW_TO_CONFIGURE[provider];
    throw fieldError("provider", "TRANSCRIBER_NOT_CONFIGURED", `${provider} is not configured. ${how}`);
  }
  if (pattern !== null) assertPattern(pattern);
}

/** Converts a stored job to the API's form. */
export function toJob(row: JobRow): TranscriptionJob {
  return {
    id: row.id,
    name: row.name,
    status: row.status,
    provider: row.provider,
    language: row.language,
    fileNamePattern: row.file_name_pattern,
    metadataFields: row.metadata_fields.map((field) => ({ ...field, jobId: row.id })),
    retainAudio: row.retain_audio,
    spreadsheet: row.spreadsheet,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    closedAt: row.closed_at?.toISOString() ?? null,
  };
}
