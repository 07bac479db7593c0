import { join } from "node:path";
import type pg from "pg";
import { VOICE_RATE_HZ } from "#src/audio/codec/frame.ts";
import { CHANNELS, type RecordingSummary } from "#src/audio/recording/recording-writer.ts";
import type { Recording } from "#src/audio/recording/recording.ts";
import { measureWaveform, type Waveform } from "#src/audio/recording/waveform.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { type StorageFault, storageFaultOf } from "#src/platform/files/storage-fault.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { openStoredFile, pathOfRecording, type RecordingFiles } from "./recording-files.ts";
import {
  endRecording,
  insertRecording,
  markOfRows,
  newestRecording,
  readPeaks,
  type RecordingEnd,
  type RecordingFault,
  type RecordingRecord,
} from "./store.ts";

export { RECORDING_FAULTS, type RecordingFault, type RecordingPlacement, type RecordingState } from "./store.ts";

/** Task that deletes the files of a workspace's erased recordings. */
export const ERASE_RECORDINGS_TASK = "recordings.erase";

/** Statement that returns the paths of all recordings that have a file, finished or not. */
export const KEPT_RECORDINGS_SQL = `
select path from call_recordings where state in ('RECORDING', 'READY', 'FAILED') order by path`;

/** Counts the sealed recordings that began before a moment (ISO 8601) and still have a file. */
export async function countSealedRecordings(pool: Pick<pg.Pool, "query">, before: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `select count(*) from call_recordings
      where sealed and state in ('RECORDING', 'READY', 'FAILED') and started_at < $1`,
    [before],
  );
  return rows[0]?.count ?? 0;
}

/** Statement after which all recordings are in the folder, to which a restore copied their files. */
export const RESTORED_RECORDINGS_SQL =
  "update call_recordings set store = 'FOLDER', spooled_by = null where store <> 'FOLDER'";

/** Path and key for the recorder of a call. */
export interface RecordingPlace {
  path: string;
  /** Null when the file is not sealed. */
  key: Uint8Array | null;
}

/**
 * Stores that an attempt is recorded and returns the place for it. This happens before the first frame, so that a crash
 * leaves no file without a row. When another process resumes an attempt, its recording starts over.
 */
export async function beginRecording(
  db: Executor,
  files: RecordingFiles,
  workspaceId: string,
  call: { rowId: string; attemptId: string },
): Promise<RecordingPlace> {
  const path = pathOfRecording(workspaceId, call.attemptId, new Date());
  await insertRecording(db, workspaceId, { ...call, path, sealed: files.seals, spool: files.spool });
  return { path: join(files.folder, path), key: files.seals ? files.keys.current : null };
}

/** Stores the end of a recording: READY, or FAILED when audio is missing; returns why it failed, or null. */
export async function finishRecording(
  db: Executor,
  workspaceId: string,
  attemptId: string,
  summary: RecordingSummary,
): Promise<RecordingFault | null> {
  const end = { ...summary, failure: describeFailure(summary) };
  await endRecording(db, workspaceId, attemptId, end, ["RECORDING", "READY", "FAILED"]);
  return end.failure?.code ?? null;
}

const FAULTS: Record<StorageFault, string> = {
  FULL: "The disk is full.",
  READ_ONLY: "The folder of recordings cannot be written.",
  SLOW: "The disk did not answer.",
  FAILED: "The disk failed.",
};

/** Returns why audio is missing from a recording; null when it is whole. The message names no path. */
function describeFailure({ failure, lostSamples }: RecordingSummary): RecordingEnd["failure"] {
  if (failure) {
    // The error came from another thread, which keeps of the system's code what the message has.
    const fault = storageFaultOf(/^E[A-Z]+/.exec(failure.message)?.[0] ?? "") ?? "FAILED";
    return { code: `STORAGE_${fault}`, message: FAULTS[fault] };
  }
  if (lostSamples === 0) return null;
  const seconds = (lostSamples / CHANNELS / VOICE_RATE_HZ).toFixed(1);
  return { code: "STORAGE_SLOW", message: `The disk was too slow: ${seconds} s are silence instead of audio.` };
}

/** Returns the newest recording of a row's attempts, erased ones too; undefined when none of its calls was recorded. */
export function findRecording(db: Executor, workspaceId: string, rowId: string): Promise<RecordingRecord | undefined> {
  return newestRecording(db, workspaceId, rowId);
}

/**
 * Opens a recording, as far as it is written if it is in progress; null when its file is gone. Throws UNAVAILABLE when
 * it is where this process cannot read it now.
 */
export async function openRecording(files: RecordingFiles, stored: RecordingRecord): Promise<Recording | null> {
  if (stored.state === "ERASING" || stored.state === "ERASED") return null;
  const recording = await openStoredFile(files, stored.path);
  if (recording) return recording;
  if (stored.store === "SPOOL" && stored.spooled_by !== files.spool) {
    throw new AppError("UNAVAILABLE", "The recording is still on the node that made it. Try again in a minute.");
  }
  if (stored.store === "BUCKET" && !files.bucket) {
    throw new AppError("UNAVAILABLE", "The recording is in a bucket, and this server has none (RECORDINGS_STORE).");
  }
  // The header of a recording in progress may be read while it is being written.
  return stored.state === "RECORDING" ? openStoredFile(files, stored.path) : null;
}

/** Returns the waveform of a recording, stored at its end or else measured; null when its file is gone. */
export async function readWaveform(
  db: Executor,
  files: RecordingFiles,
  workspaceId: string,
  stored: RecordingRecord,
): Promise<Waveform | null> {
  const recording = await openRecording(files, stored);
  if (!recording) return null;
  const peaks = await readPeaks(db, workspaceId, stored.attempt_id);
  if (!peaks?.agent_peaks || !peaks.customer_peaks) return measureWaveform(recording);
  return { durationMs: stored.duration_ms ?? 0, peaks: [peaks.agent_peaks, peaks.customer_peaks] };
}

/**
 * Erases the recordings of rows, in the caller's transaction. From its commit on they cannot be read, and a task
 * deletes their files.
 */
export async function eraseRecordings(tx: Executor, workspaceId: string, rowIds: string[]): Promise<void> {
  if (!(await markOfRows(tx, workspaceId, rowIds))) return;
  await addTask(tx, workspaceId, { kind: ERASE_RECORDINGS_TASK, subjectId: workspaceId, payload: {} });
}
