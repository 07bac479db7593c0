import { RecordingMover } from "#src/interactions/recordings/move-recordings.ts";
import { createRecordingFiles, type RecordingFiles } from "#src/interactions/recordings/recording-files.ts";
import type { RecordingKeys } from "#src/interactions/recordings/recording-keys.ts";
import type { RecordingFault } from "#src/interactions/recordings/recordings.ts";
import type { Config } from "#src/platform/config/config.ts";
import type { Closers } from "./closers.ts";
import type { Core } from "./core.ts";

/** Longest time for which a process that stops goes on moving recordings; the rest waits for its next start. */
const LAST_MOVES_MS = 5_000;

/** Recordings of a process. */
export interface Recordings {
  recordings: RecordingFiles;
  /** Moves finished ones to the bucket; null without one. */
  mover: RecordingMover | null;
  onRecorded: (fault: RecordingFault | null) => void;
}

/** Opens the recordings; their mover is not started. Closed after the calls, whose recordings it moves. */
export function openRecordings(
  config: Config,
  { databases, log, metrics, installation }: Pick<Core, "databases" | "log" | "metrics" | "installation">,
  keys: RecordingKeys,
  closers: Closers,
): Recordings {
  const recordings = createRecordingFiles(config, keys, log, installation.id);
  const { bucket } = recordings;
  const mover = bucket && new RecordingMover(databases.jobs, { ...recordings, bucket }, metrics.onMoved);
  if (mover) closers.add(() => mover.stop(LAST_MOVES_MS));
  const onRecorded = (fault: RecordingFault | null) => {
    metrics.onRecorded(fault);
    mover?.wake();
  };
  return { recordings, mover, onRecorded };
}

/** Says where recordings are, for `parley doctor`. Throws when the bucket does not take them. */
export async function describeRecordings(
  { recordings: { folder, bucket } }: Config,
  mover: RecordingMover | null,
): Promise<string> {
  if (!mover || !bucket) return `in ${folder}`;
  const fault = await mover.check();
  const { count } = mover.waiting;
  const shown = `${count} waiting in ${folder}`;
  if (fault !== null) throw new Error(`${fault} ${shown}; they are moved when it works`);
  return `in ${bucket.name} at ${new URL(bucket.url).origin}, ${shown}`;
}
