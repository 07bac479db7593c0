import type { Transcript } from "#src/audio/batch-stt/batch-stt.ts";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { toStorableJson, toStorableText } from "#src/platform/kernel/storable.ts";
import type { RecordingRow } from "./store.ts";

/** A recording that is being transcribed. */
export type RunningRow = Pick<
  RecordingRow,
  "id" | "job_id" | "provider" | "requested_language" | "url" | "file_name" | "media_type" | "bytes" | "failures"
>;

/** Marks a recording as being transcribed; undefined when it has ended already. */
export function startRecording(db: Executor, workspaceId: string, id: string): Promise<RunningRow | undefined> {
  return first(
    db,
    sql`update transcription_rows set status = 'PROCESSING', started_at = coalesce(started_at, now())
        where workspace_id = ${workspaceId} and id = ${id} and status in ('QUEUED', 'PROCESSING')
        returning id, job_id, provider, requested_language, url, file_name, media_type, bytes, failures`,
  );
}

/** Queues a recording again; `error` counts as a failure of the provider. */
export async function requeueRecording(
  db: Executor,
  workspaceId: string,
  id: string,
  error: { code: string; message: string } | null,
): Promise<void> {
  await all(
    db,
    sql`update transcription_rows set status = 'QUEUED', failures = failures + ${error ? 1 : 0},
          error = coalesce(${error && JSON.stringify(error)}::json, error)
        where workspace_id = ${workspaceId} and id = ${id} and status in ('QUEUED', 'PROCESSING')`,
  );
}

/** Stores a transcript. Returns false when the recording has ended already, so that it is billed once. */
export async function completeRecording(
  tx: Executor,
  workspaceId: string,
  id: string,
  result: { transcript: Transcript; durationSeconds: number; audioFormat: string | null },
): Promise<boolean> {
  const { transcript, durationSeconds, audioFormat } = result;
  const row = await first(
    tx,
    sql`update transcription_rows set status = 'COMPLETED', transcript = ${toStorableJson(transcript)},
          duration_seconds = ${durationSeconds}, language = ${transcript.language && toStorableText(transcript.language)}, audio_format = ${audioFormat},
          error = null, completed_at = now()
        where workspace_id = ${workspaceId} and id = ${id} and status in ('QUEUED', 'PROCESSING') returning id`,
  );
  return row !== undefined;
}

/** Gives a recording up. Returns false when it has ended already. */
export async function failRecording(
  tx: Executor,
  workspaceId: string,
  id: string,
  error: { code: string; message: string },
): Promise<boolean> {
  const row = await first(
    tx,
    sql`update transcription_rows set status = 'FAILED', failures = failures + 1, error = ${toStorableJson(error)},
          completed_at = now()
        where workspace_id = ${workspaceId} and id = ${id} and status in ('QUEUED', 'PROCESSING') returning id`,
  );
  return row !== undefined;
}

/** Announces the pieces of an upload before they are stored, so that those left by a crash can be found and deleted. */
export async function announceUpload(db: Executor, workspaceId: string, rowId: string): Promise<void> {
  await all(db, sql`insert into transcription_uploads (workspace_id, row_id) values (${workspaceId}, ${rowId})`);
}

/** Ends the announcement: the upload is now a recording's audio. */
export async function settleUpload(tx: Executor, workspaceId: string, rowId: string): Promise<void> {
  await all(tx, sql`delete from transcription_uploads where workspace_id = ${workspaceId} and row_id = ${rowId}`);
}

/** Stores a piece of uploaded audio. */
export async function insertAudio(
  db: Executor,
  workspaceId: string,
  rowId: string,
  position: number,
  data: Buffer,
): Promise<void> {
  await all(
    db,
    sql`insert into transcription_audio (workspace_id, row_id, position, data)
        values (${workspaceId}, ${rowId}, ${position}, ${data})`,
  );
}

/** Reads a piece of uploaded audio. */
export async function findAudio(
  db: Executor,
  workspaceId: string,
  rowId: string,
  position: number,
): Promise<Buffer | undefined> {
  const row = await first<{ data: Buffer }>(
    db,
    sql`select data from transcription_audio
        where workspace_id = ${workspaceId} and row_id = ${rowId} and position = ${position}`,
  );
  return row?.data;
}

/**
 * Deletes the pieces of an upload that became no recording. A finished one is no longer announced, so this may also be
 * called when nobody knows whether the transaction was committed.
 */
export async function dropUpload(db: Executor, workspaceId: string, rowId: string): Promise<void> {
  await all(
    db,
    sql`with dropped as (
          delete from transcription_uploads where workspace_id = ${workspaceId} and row_id = ${rowId}
          returning workspace_id, row_id
        )
        delete from transcription_audio a using dropped d
        where a.workspace_id = d.workspace_id and a.row_id = d.row_id`,
  );
}

/** Deletes uploaded audio unless its job retains it. */
export async function deleteUnretainedAudio(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  rowId: string,
): Promise<void> {
  await all(
    tx,
    sql`delete from transcription_audio where workspace_id = ${workspaceId} and row_id = ${rowId}
          and not exists (select 1 from transcription_jobs
                          where workspace_id = ${workspaceId} and id = ${jobId} and retain_audio)`,
  );
}
