import type { Transcript, BatchSttName } from "#src/audio/batch-stt/batch-stt.ts";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countOf, countOfParts, idsOf, isBefore, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";

/** A stored metadata field. */
export interface StoredField {
  key: string;
  label: string;
  type: "STRING" | "NUMBER" | "DATE" | "BOOLEAN" | "ENUM";
  required: boolean;
  allowedValues: string[] | null;
  description: string | null;
}

export interface JobRow {
  id: string;
  name: string;
  status: "OPEN" | "CLOSED";
  provider: BatchSttName;
  language: string | null;
  file_name_pattern: string | null;
  metadata_fields: StoredField[];
  retain_audio: boolean;
  spreadsheet: { fileName: string | null; columns: string[]; rows: number; uploadedAt: string } | null;
  created_at: Date;
  updated_at: Date;
  closed_at: Date | null;
}

export type RecordingStatus = "QUEUED" | "PROCESSING" | "COMPLETED" | "FAILED";

export interface RecordingRow {
  id: string;
  job_id: string;
  external_id: string | null;
  status: RecordingStatus;
  provider: BatchSttName;
  requested_language: string | null;
  url: string | null;
  file_name: string | null;
  media_type: string | null;
  bytes: number | null;
  metadata: Record<string, unknown>;
  unknown_metadata_keys: string[];
  warning: string | null;
  failures: number;
  error: { code: string; message: string } | null;
  audio_format: string | null;
  duration_seconds: number | null;
  language: string | null;
  created_at: Date;
  started_at: Date | null;
  completed_at: Date | null;
}

/** A recording to be stored. */
export interface NewRecording {
  id: string;
  externalId: string | null;
  provider: BatchSttName;
  language: string | null;
  url: string | null;
  fileName: string | null;
  mediaType: string | null;
  bytes: number | null;
  sha256: string | null;
  metadata: Record<string, unknown>;
  unknownMetadataKeys: string[];
  warning: string | null;
}

/** All columns but the transcript, which lists leave out. */
const COLUMNS = sql.raw(
  `id, job_id, external_id, status, provider, requested_language, url, file_name, media_type, bytes, metadata,
   unknown_metadata_keys, warning, failures, error, audio_format, duration_seconds, language, created_at, started_at,
   completed_at`,
);

/** Returns the workspace's own fields. */
export async function findFields(db: Executor, workspaceId: string): Promise<StoredField[]> {
  const row = await first<{ fields: StoredField[] }>(
    db,
    sql`select fields from metadata_fields where workspace_id = ${workspaceId}`,
  );
  return row?.fields ?? [];
}

/** Returns the same and locks them until the transaction ends. */
export async function lockFields(tx: Executor, workspaceId: string): Promise<StoredField[]> {
  await all(
    tx,
    sql`insert into metadata_fields (workspace_id, fields) values (${workspaceId}, '[]') on conflict do nothing`,
  );
  const row = await first<{ fields: StoredField[] }>(
    tx,
    sql`select fields from metadata_fields where workspace_id = ${workspaceId} for update`,
  );
  return row?.fields ?? [];
}

/** Replaces the workspace's own fields. */
export async function saveFields(tx: Executor, workspaceId: string, fields: StoredField[]): Promise<void> {
  await all(
    tx,
    sql`insert into metadata_fields (workspace_id, fields) values (${workspaceId}, ${JSON.stringify(fields)})
        on conflict (workspace_id) do update set fields = excluded.fields, updated_at = now()`,
  );
}

/** Returns the fields of one job, or of the hundred newest open jobs that have some. */
export function listJobFields(
  db: Executor,
  workspaceId: string,
  jobId: string | null,
): Promise<{ id: string; fields: StoredField[] }[]> {
  const which = jobId === null ? sql`status = 'OPEN'` : sql`id = ${jobId}`;
  return all(
    db,
    sql`select id, metadata_fields as fields from transcription_jobs
        where workspace_id = ${workspaceId} and ${which} and json_array_length(metadata_fields) > 0
        order by id desc limit 100`,
  );
}

/** Stores a job, new or changed. */
export async function saveJob(
  tx: Executor,
  workspaceId: string,
  job: Pick<JobRow, "id" | "name" | "provider" | "language" | "file_name_pattern" | "metadata_fields" | "retain_audio">,
): Promise<JobRow> {
  const rows = await all<JobRow>(
    tx,
    sql`insert into transcription_jobs (workspace_id, id, name, provider, language, file_name_pattern, metadata_fields,
                                        retain_audio)
        values (${workspaceId}, ${job.id}, ${job.name}, ${job.provider}, ${job.language}, ${job.file_name_pattern},
                ${JSON.stringify(job.metadata_fields)}, ${job.retain_audio})
        on conflict (workspace_id, id) do update set name = excluded.name, provider = excluded.provider,
          language = excluded.language, file_name_pattern = excluded.file_name_pattern,
          metadata_fields = excluded.metadata_fields, retain_audio = excluded.retain_audio, updated_at = now()
        returning *`,
  );
  return rows[0] as JobRow;
}

/** Returns one job. */
export function findJob(db: Executor, workspaceId: string, id: string): Promise<JobRow | undefined> {
  return first(db, sql`select * from transcription_jobs where workspace_id = ${workspaceId} and id = ${id}`);
}

/** Returns one job, locked: `update` to change it, `share` against changes while a recording is added. */
export function lockJob(
  tx: Executor,
  workspaceId: string,
  id: string,
  lock: "update" | "share",
): Promise<JobRow | undefined> {
  return first(
    tx,
    sql`select * from transcription_jobs where workspace_id = ${workspaceId} and id = ${id} for ${sql.raw(lock)}`,
  );
}

/** Closes a job. */
export async function closeJobRow(tx: Executor, workspaceId: string, id: string): Promise<JobRow | undefined> {
  return first(
    tx,
    sql`update transcription_jobs set status = 'CLOSED', closed_at = coalesce(closed_at, now()), updated_at = now()
        where workspace_id = ${workspaceId} and id = ${id} returning *`,
  );
}

/** Returns jobs, newest first, one more than the page holds. */
export function listJobs(db: Executor, workspaceId: string, page: PageRequest): Promise<JobRow[]> {
  return all(
    db,
    sql`select * from transcription_jobs
        where workspace_id = ${workspaceId} and ${isBefore(page)}
        order by id desc ${limitTo(page)}`,
  );
}

/** Returns the number of jobs. */
export function countJobs(db: Executor, workspaceId: string): Promise<number> {
  return countOf(db, sql`transcription_jobs where workspace_id = ${workspaceId}`);
}

/** Adds a recording. Returns undefined when its externalId exists already. */
export function insertRecording(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  recording: NewRecording,
): Promise<RecordingRow | undefined> {
  const { id, externalId, provider, language, url, fileName, mediaType, bytes, sha256 } = recording;
  return first(
    tx,
    sql`insert into transcription_rows (workspace_id, id, job_id, external_id, provider, requested_language, url,
          file_name, media_type, bytes, sha256, metadata, unknown_metadata_keys, warning)
        values (${workspaceId}, ${id}, ${jobId}, ${externalId}, ${provider}, ${language}, ${url}, ${fileName},
          ${mediaType}, ${bytes}, ${sha256}, ${JSON.stringify(recording.metadata)}, ${recording.unknownMetadataKeys},
          ${recording.warning})
        on conflict (workspace_id, job_id, external_id) where external_id is not null do nothing
        returning ${COLUMNS}`,
  );
}

/** Returns the recording of a job that has this externalId. */
export function findByExternalId(
  db: Executor,
  workspaceId: string,
  jobId: string,
  externalId: string,
): Promise<RecordingRow | undefined> {
  return first(
    db,
    sql`select ${COLUMNS} from transcription_rows
        where workspace_id = ${workspaceId} and job_id = ${jobId} and external_id = ${externalId}`,
  );
}

/** Returns one recording with its transcript. */
export function findRecording(
  db: Executor,
  workspaceId: string,
  jobId: string,
  id: string,
): Promise<(RecordingRow & { transcript: Transcript | null }) | undefined> {
  return first(
    db,
    sql`select ${COLUMNS}, transcript from transcription_rows
        where workspace_id = ${workspaceId} and job_id = ${jobId} and id = ${id}`,
  );
}

/** Filter of a list of recordings. */
export interface RecordingFilter {
  status?: string[] | undefined;
  externalId?: string | undefined;
}

/** Parts of a list of recordings: one for each state, so that an index has each in the order of the list. */
function partsOf(workspaceId: string, jobId: string, { status, externalId }: RecordingFilter) {
  const rows = sql`transcription_rows where workspace_id = ${workspaceId} and job_id = ${jobId}`;
  // Without a choice, so that the index of external ids serves it.
  const named = externalId === undefined ? rows : sql`${rows} and external_id = ${externalId}`;
  return status ? [...new Set(status)].map((state) => sql`${named} and status = ${state}`) : [named];
}

/** Returns the recordings of a job, oldest first, one more than the page holds. */
export function listRecordings(
  db: Executor,
  workspaceId: string,
  jobId: string,
  filter: RecordingFilter,
  page: PageRequest,
): Promise<RecordingRow[]> {
  return all(
    db,
    sql`select ${COLUMNS} from transcription_rows
        where workspace_id = ${workspaceId} and id = any(array(${idsOf(partsOf(workspaceId, jobId, filter), page, false)}))
        order by id`,
  );
}

/** Returns the number of a job's recordings that match a filter. */
export function countRecordings(
  db: Executor,
  workspaceId: string,
  jobId: string,
  filter: RecordingFilter,
): Promise<number> {
  return countOfParts(db, partsOf(workspaceId, jobId, filter));
}
