import type { Database } from "#src/platform/db/database.ts";
import { BucketFault } from "#src/platform/files/bucket.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { TaskHandler } from "#src/platform/queue/queue.ts";
import type { RecordingFiles } from "./recording-files.ts";
import { listErasing, markErased, type RecordingRecord } from "./store.ts";

/** Delay before a file that could not be deleted is tried again. */
const AGAIN_MS = 300_000;
/** Comes before every attempt. */
const FIRST = "00000000-0000-0000-0000-000000000000";

/**
 * Deletes the files of a workspace's erased recordings, in the folder and in the bucket. After a crash the remaining
 * ones are still marked, so it never gives up. One that another node has not moved yet is left to it, and looked at
 * again.
 */
export function createRecordingEraser({ db }: Database, files: RecordingFiles): TaskHandler {
  const erasing: TaskHandler = async ({ workspaceId }, signal) => {
    let left = 0;
    let fault: Error | null = null;
    for (let after = FIRST; !(fault instanceof BucketFault);) {
      const marked = await listErasing(db, workspaceId, after);
      if (marked.length === 0) break;
      if (signal.aborted) return { kind: "RETRY", afterMs: 0, error: "The process stops." };
      const erased = await eraseBite(files, marked);
      await markErased(db, workspaceId, erased.gone);
      left += marked.length - erased.gone.length;
      fault = erased.fault instanceof BucketFault ? erased.fault : (fault ?? erased.fault);
      after = marked.at(-1)?.attempt_id ?? after;
    }
    if (fault) files.log.warn("A recording could not be deleted.", { error: fault.message });
    if (left === 0) return { kind: "DONE" };
    const error = fault?.message ?? `${left} recordings are on the nodes that made them.`;
    return { kind: "RETRY", afterMs: AGAIN_MS, error };
  };
  return Object.assign(erasing, { afterCrashMs: () => AGAIN_MS });
}

type Erasable = Pick<RecordingRecord, "attempt_id" | "path" | "store" | "spooled_by">;

/** Deletes the files of some recordings; returns those that are gone, and the first fault. A fault of the bucket ends it. */
async function eraseBite(files: RecordingFiles, marked: Erasable[]): Promise<{ gone: string[]; fault: Error | null }> {
  const gone: string[] = [];
  let fault: Error | null = null;
  for (const recording of marked) {
    try {
      if (await erase(files, recording)) gone.push(recording.attempt_id);
    } catch (thrown) {
      fault ??= toError(thrown);
      if (thrown instanceof BucketFault) return { gone, fault: thrown };
    }
  }
  return { gone, fault };
}

/** Deletes a file wherever it is; false when only another node can. */
async function erase(
  { local, bucket, spool }: RecordingFiles,
  { path, store, spooled_by: spooledBy }: Erasable,
): Promise<boolean> {
  const wasHere = await local.remove(path);
  if (bucket) await bucket.remove(path);
  else if (store === "BUCKET") throw new Error("The recording is in a bucket, and RECORDINGS_STORE is not set.");
  return wasHere || store !== "SPOOL" || spooledBy === spool;
}
