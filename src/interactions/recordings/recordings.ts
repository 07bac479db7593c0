import { join } from "node:path";
import type { RecordingSummary } from "#src/audio/recording/recording-writer.ts";
import type { Recording } from "#src/audio/recording/recording.ts";
import { measureWaveform, type Waveform } from "#src/audio/recording/waveform.ts";
import type { Executor } from "#src/platform/db/database.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { openStoredFile, pathOfRecording, type RecordingFiles } from "./recording-files.ts";
import {
  endRecording,
  insertRecording,
  markOfRows,
  newestRecording,
  readPeaks,
  type RecordingRecord,
} from "./store.ts";

export type { RecordingState } from "./store.ts";

/** Task that deletes the files of a workspace's erased recordings. */
export const ERASE_RECORDINGS_TASK = "recordings.erase";

/** What the recorder of a call is opened with. */
export interface RecordingPlace {
  path: string;
  /** Null: not sealed. */
  key: Uint8Array | null;
}

/**
 * Stores that an attempt is recorded and gives the place for it. Before the first frame, so that a crash leaves no file
 * that nobody knows. An attempt begun again by another process begins its recording anew.
 */
export async function beginRecording(
  db: Executor,
  files: RecordingFiles,
  workspaceId: string,
  call: { rowId: string; attemptId: string },
): Promise<RecordingPlace> {
  const path = pathOfRecording(workspaceId, call.attemptId, new Date());
  await insertRecording(db, workspaceId, { ...call, path, sealed: files.seals });
  return { path: join(files.folder, path), key: files.seals ? files.key : null };
}

/** Stores what was recorded: READY, or FAILED when something broke the recording off. */
export async function finishRecording(
  db: Executor,
  workspaceId: string,
  attemptId: string,
  summary: RecordingSummary,
): Promise<void> {
  const { byteLength, durationMs, peaks, failure } = summary;
  const end = { byteLength, durationMs, peaks, failure: failure && failure.message.slice(0, 500) };
  await endRecording(db, workspaceId, attemptId, end, ["RECORDING", "READY", "FAILED"]);
}

/** The newest recording of a row's attempts, erased ones too; undefined when its calls were none of real audio. */
export function findRecording(db: Executor, workspaceId: string, rowId: string): Promise<RecordingRecord | undefined> {
  return newestRecording(db, workspaceId, rowId);
}

/** Opens a recording, one in progress as far as it is written; null when its file is gone. */
export async function openRecording(files: RecordingFiles, stored: RecordingRecord): Promise<Recording | null> {
  if (stored.state === "ERASING" || stored.state === "ERASED") return null;
  const recording = await openStoredFile(files, stored.path);
  // The header of one in progress may be read while it is written.
  return recording ?? (stored.state === "RECORDING" ? openStoredFile(files, stored.path) : null);
}

/** The waveform of a recording: what was stored when it was over, or else measured; null when its file is gone. */
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
 * Erases the recordings of rows, in the caller's transaction: from its commit on they are not given out, and a task
 * deletes their files.
 */
export async function eraseRecordings(tx: Executor, workspaceId: string, rowIds: string[]): Promise<void> {
  if (!(await markOfRows(tx, workspaceId, rowIds))) return;
  await addTask(tx, workspaceId, { kind: ERASE_RECORDINGS_TASK, subjectId: workspaceId, payload: {} });
}
