import { basename, join } from "node:path";
import { openRecordingFile } from "#src/audio/recording/recording-reader.ts";
import type { Recording } from "#src/audio/recording/recording.ts";
import type { RecordingSettings } from "#src/platform/config/config.ts";
import { type Bucket, BucketFault, openBucket } from "#src/platform/files/bucket.ts";
import { createFolderStore, isMissing } from "#src/platform/files/folder.ts";
import type { FileSpan, FileStore, StoredFile } from "#src/platform/files/stored-file.ts";
import { AppError, toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { RecordingKeys } from "./recording-keys.ts";

/** Returns the id of the attempt whose recording a path names; any other name as it is, without its ending. */
export function attemptOf(path: string): string {
  return basename(path, ".wav");
}

/** Places of this installation's recordings, and the keys that seal them. */
export interface RecordingFiles {
  folder: string;
  local: FileStore;
  /** Finished recordings are moved there; null: they stay in the folder. */
  bucket: Bucket | null;
  /** Id of the installation in whose folder recordings wait for the bucket; null without one. */
  spool: string | null;
  /** Opens sealed files, also after sealing was turned off. */
  keys: RecordingKeys;
  /** True when new files are sealed. */
  seals: boolean;
  log: Log;
}

/** Returns the files of the installation with this id. Objects in the bucket are the same bytes as the files. */
export function createRecordingFiles(
  { recordings }: { recordings: Pick<RecordingSettings, "folder" | "seals" | "bucket"> },
  keys: RecordingKeys,
  log: Log,
  installation: string,
): RecordingFiles {
  const { folder, seals } = recordings;
  const bucket = recordings.bucket ? openBucket(recordings.bucket) : null;
  return { folder, seals, local: createFolderStore(folder), bucket, spool: bucket && installation, keys, log };
}

/** Returns the path of an attempt's file, by workspace and month, so that no folder grows without end. */
export function pathOfRecording(workspaceId: string, attemptId: string, at: Date): string {
  return join(workspaceId, at.toISOString().slice(0, 7), `${attemptId}.wav`);
}

/** Finds the bytes of a recording in the folder, or else in the bucket; null when they are in neither. */
export async function findStoredFile(
  { local, bucket }: Pick<RecordingFiles, "local" | "bucket">,
  path: string,
): Promise<StoredFile | null> {
  const file = await local.open(path);
  if (!bucket) return file;
  if (!file) return bucket.open(path);
  return { ...file, read: (span) => readMoving(file, bucket, path, span) };
}

/** Reads a file that may be moved to the bucket before its first byte was read. */
async function* readMoving(file: StoredFile, bucket: Bucket, path: string, span: FileSpan): AsyncGenerator<Uint8Array> {
  try {
    yield* file.read(span);
  } catch (error) {
    const moved = isMissing(error) ? await bucket.open(path) : null;
    if (!moved) throw error;
    yield* moved.read(span);
  }
}

/**
 * Opens a stored file, as far as it is written; null when it is gone, or is no recording that a known key opens. Throws
 * UNAVAILABLE while the bucket does not answer.
 */
export async function openStoredFile(
  files: Pick<RecordingFiles, "local" | "bucket" | "keys" | "log">,
  path: string,
): Promise<Recording | null> {
  try {
    const file = await findStoredFile(files, path);
    return file && (await openRecordingFile(file, files.keys.all));
  } catch (thrown) {
    const error = toError(thrown) as NodeJS.ErrnoException;
    if (isMissing(error)) return null;
    if (error.errno !== undefined) throw error;
    files.log.warn("A recording cannot be read.", { path, error: error.message });
    if (!(error instanceof BucketFault)) return null;
    throw new AppError("UNAVAILABLE", "The store of recordings does not answer. Try again in a moment.");
  }
}
