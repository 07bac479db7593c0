import type { Database, Executor } from "#src/platform/db/database.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import { NIL_UUID, uuidv7 } from "#src/platform/kernel/id.ts";
import { addTask, type Task, type TaskEnd, type TaskHandler } from "#src/platform/queue/queue.ts";
import { announceCancelled, type CancelledRows, cancelSome } from "./cancel-store.ts";
import { lockCancellingJob } from "./store.ts";

/** Task that cancels the rows of a cancelled job that waited behind those of the first transaction. */
export const CANCEL_TASK = "call_job.cancel";

/** State of a cancel, in the payload of its task. */
type Cancel = CancelledRows["progress"] & { since: string };

const LONGEST_PAUSE_MS = 60_000;

/** Cancels a job and the first rows that wait, and leaves the others to a task. The caller has locked numbers and job. */
export async function beginCancel(tx: Executor, workspaceId: string, jobId: string): Promise<void> {
  const since = uuidv7();
  const { count, progress, isLast } = await cancelSome(tx, workspaceId, jobId, { at: null, after: NIL_UUID });
  const cancel: Cancel = { ...progress, since };
  if (!isLast) await addTask(tx, workspaceId, { kind: CANCEL_TASK, subjectId: jobId, payload: { ...cancel } });
  else if (count > 0) await announceCancelled(tx, workspaceId, jobId, cancel);
}

/**
 * Returns the task. It rests after each transaction for as long as that took. One that was interrupted begins anew, and
 * finds the rows that are left. It never gives up, because the job would stay CANCELLING.
 */
export function createCancelTask({ db }: Database): TaskHandler {
  const run = async ({ workspaceId, subjectId: jobId, payload }: Task, signal: AbortSignal): Promise<TaskEnd> => {
    let left: Cancel | null = payload as unknown as Cancel;
    while (left !== null) {
      if (signal.aborted) return { kind: "LATER", afterMs: 0 };
      const since = performance.now();
      left = await cancelNext(db, workspaceId, jobId, left);
      await sleep(performance.now() - since, signal).catch(() => undefined);
    }
    return { kind: "DONE" };
  };
  return Object.assign(run, { afterCrashMs: (attempt: number) => Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** attempt) });
}

/** Cancels the next rows; null after the last ones. */
function cancelNext(db: Database["db"], workspaceId: string, jobId: string, cancel: Cancel): Promise<Cancel | null> {
  return db.transaction().execute(async (tx) => {
    const isCancelling = await lockCancellingJob(tx, workspaceId, jobId);
    const some = isCancelling && (await cancelSome(tx, workspaceId, jobId, cancel));
    if (some && !some.isLast) return { ...cancel, ...some.progress };
    await announceCancelled(tx, workspaceId, jobId, cancel);
    return null;
  });
}
