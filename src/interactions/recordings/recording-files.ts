import { join } from "node:path";
import { openRecordingFile } from "#src/audio/recording/recording-reader.ts";
import type { Recording } from "#src/audio/recording/recording.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { RecordingKeys } from "./recording-keys.ts";

/** Folder of this installation's recordings, and the keys that seal them. */
export interface RecordingFiles {
  folder: string;
  /** Opens sealed files, also after sealing was turned off. */
  keys: RecordingKeys;
  /** True when new files are sealed. */
  seals: boolean;
  log: Log;
}

/** Returns the files below the data folder. */
export function createRecordingFiles(
  { recordings }: { recordings: { folder: string; seals: boolean } },
  keys: RecordingKeys,
  log: Log,
): RecordingFiles {
  return { ...recordings, keys, log };
}

/** Returns the path of an attempt's file, by workspace and month, so that no folder grows without end. */
export function pathOfRecording(workspaceId: string, attemptId: string, at: Date): string {
  return join(workspaceId, at.toISOString().slice(0, 7), `${attemptId}.wav`);
}

/** Opens a stored file, as far as it is written; null when it is gone, or is no recording that a known key opens. */
export async function openStoredFile({ folder, keys, log }: RecordingFiles, path: string): Promise<Recording | null> {
  try {
    return await openRecordingFile(join(folder, path), keys.all);
  } catch (thrown) {
    const error = toError(thrown) as NodeJS.ErrnoException;
    if (error.code === "ENOENT") return null;
    if (error.errno !== undefined) throw error;
    log.warn("A recording cannot be read.", { path, error: error.message });
    return null;
  }
}
