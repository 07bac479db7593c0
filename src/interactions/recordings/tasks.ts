import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "#src/platform/db/database.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { TaskHandler } from "#src/platform/queue/queue.ts";
import type { RecordingFiles } from "./recording-files.ts";
import { listErasing, markErased } from "./store.ts";

/** Delay before a file that could not be deleted is tried again. */
const AGAIN_MS = 300_000;

/** Deletes the files of a workspace's erased recordings. After a crash the remaining ones are still marked. */
export function createRecordingEraser({ db }: Database, { folder, log }: RecordingFiles): TaskHandler {
  return async ({ workspaceId }, signal) => {
    for (;;) {
      const marked = await listErasing(db, workspaceId);
      if (marked.length === 0) return { kind: "DONE" };
      if (signal.aborted) return { kind: "RETRY", afterMs: 0, error: "The process stops." };
      try {
        for (const { path } of marked) await rm(join(folder, path), { force: true });
      } catch (thrown) {
        const error = toError(thrown).message;
        log.warn("A recording could not be deleted.", { error });
        return { kind: "RETRY", afterMs: AGAIN_MS, error };
      }
      const ids = marked.map((recording) => recording.attempt_id);
      await markErased(db, workspaceId, ids);
    }
  };
}
