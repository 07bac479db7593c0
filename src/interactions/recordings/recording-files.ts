import { hkdfSync } from "node:crypto";
import { join } from "node:path";
import { openRecordingFile } from "#src/audio/recording/recording-reader.ts";
import type { Recording } from "#src/audio/recording/recording.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";

/** Folder of this installation's recordings, and the key that seals them. */
export interface RecordingFiles {
  folder: string;
  /** Opens sealed files, also after sealing was turned off. */
  key: Uint8Array;
  /** True when new files are sealed. */
  seals: boolean;
  log: Log;
}

/** Returns the files below the data folder. Their key is derived from the one that seals stored secrets. */
export function createRecordingFiles(
  { recordings }: { recordings: { folder: string; seals: boolean } },
  masterKey: Uint8Array,
  log: Log,
): RecordingFiles {
  const key = new Uint8Array(hkdfSync("sha256", masterKey, "", "parley recordings key", 32));
  return { ...recordings, key, log };
}

/** Returns the path of an attempt's file, by workspace and month, so that no folder grows without end. */
export function pathOfRecording(workspaceId: string, attemptId: string, at: Date): string {
  return join(workspaceId, at.toISOString().slice(0, 7), `${attemptId}.wav`);
}

/** Opens a stored file, as far as it is written; null when it is gone, or is no recording that this key opens. */
export async function openStoredFile({ folder, key, log }: RecordingFiles, path: string): Promise<Recording | null> {
  try {
    return await openRecordingFile(join(folder, path), key);
  } catch (thrown) {
    const error = toError(thrown) as NodeJS.ErrnoException;
    if (error.code === "ENOENT") return null;
    if (error.errno !== undefined) throw error;
    log.warn("A recording cannot be read.", { path, error: error.message });
    return null;
  }
}
