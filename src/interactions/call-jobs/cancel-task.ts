import type { Database, Executor } from "#src/platform/db/database.ts";
import { NIL_UUID, uuidv7 } from "#src/platform/kernel/id.ts";
import { afterAnyCrashMs, inBites } from "#src/platform/queue/bites.ts";
import { addTask, type TaskHandler } from "#src/platform/queue/queue.ts";
import { announceCancelled, type CancelledRows, cancelSome } from "./cancel-store.ts";
import { lockCancellingJob } from "./store.ts";

/** Task that cancels the rows of a cancelled job that waited behind those of the first transaction. */
export const CANCEL_TASK = "call_job.cancel";

/** State of a cancel, in the payload of its task. */
type Cancel = CancelledRows["progress"] & { since: string };

/** Cancels a job and the first rows that wait, and leaves the others to a task. The caller has locked numbers and job. */
export async function beginCancel(tx: Executor, workspaceId: string, jobId: string): Promise<void> {
  const since = uuidv7();
  const { count, progress, isLast } = await cancelSome(tx, workspaceId, jobId, { at: null, after: NIL_UUID });
  const cancel: Cancel = { ...progress, since };
  if (!isLast) await addTask(tx, workspaceId, { kind: CANCEL_TASK, subjectId: jobId, payload: { ...cancel } });
  else if (count > 0) await announceCancelled(tx, workspaceId, jobId, cancel);
}

/**
 * Returns the task. One that was interrupted begins anew, and finds the rows that are left. It never gives up, because the
 * job would stay CANCELLING.
 */
export function createCancelTask({ db }: Database): TaskHandler {
  const run: TaskHandler = ({ workspaceId, subjectId: jobId, payload }, signal) =>
    inBites(payload as unknown as Cancel, (cancel) => cancelNext(db, workspaceId, jobId, cancel), signal);
  return Object.assign(run, { afterCrashMs: afterAnyCrashMs });
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
