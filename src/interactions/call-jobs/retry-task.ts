import type { RetryableOutcome } from "#src/interactions/calls/states.ts";
import type { Database, Executor } from "#src/platform/db/database.ts";
import { NIL_UUID } from "#src/platform/kernel/id.ts";
import { afterAnyCrashMs, inBites } from "#src/platform/queue/bites.ts";
import { addTask, type TaskHandler } from "#src/platform/queue/queue.ts";
import { lockJobFor } from "./control.ts";
import { extendRun, lockList, readNow, requeueFailed } from "./run-store.ts";
import { allowsOnJob } from "./states.ts";
import { shareLanes } from "./store-contacts.ts";
import { type CallJobRow, findJob } from "./store.ts";

/** Task that puts those failed rows of a job back into the queue that stand behind the rows of the first transaction. */
export const RETRY_TASK = "call_job.retry";

/** State of a retry, in the payload of its task. */
interface Retry {
  outcomes: readonly RetryableOutcome[];
  /** Rows that failed later stay: they were put back by this retry, or failed after somebody asked for it. */
  failedBy: string;
  /** The last row that was looked at. */
  after: string;
}

/**
 * Puts the first failed rows of a job back, and leaves the others to a task. Returns how many it put back, and whether
 * more follow. The caller has locked the list.
 */
export async function beginRetry(
  tx: Executor,
  workspaceId: string,
  job: CallJobRow,
  outcomes: readonly RetryableOutcome[],
): Promise<{ retriedRows: number; moreFollow: boolean }> {
  const retry: Retry = { outcomes, failedBy: await readNow(tx), after: NIL_UUID };
  const { count, last } = await putBack(tx, workspaceId, job, retry);
  if (last !== null) {
    await addTask(tx, workspaceId, { kind: RETRY_TASK, subjectId: job.id, payload: { ...retry, after: last } });
  }
  return { retriedRows: count, moreFollow: last !== null };
}

/** Returns the task. One that was interrupted begins anew, and finds the rows that are left. */
export function createRetryTask({ db }: Database): TaskHandler {
  const run: TaskHandler = ({ workspaceId, subjectId: jobId, payload }, signal) =>
    inBites(payload as unknown as Retry, (retry) => retryNext(db, workspaceId, jobId, retry), signal);
  return Object.assign(run, { afterCrashMs: afterAnyCrashMs });
}

/** Puts the next rows back; null after the last ones, and once the job was cancelled. */
function retryNext(db: Database["db"], workspaceId: string, jobId: string, retry: Retry): Promise<Retry | null> {
  return db.transaction().execute(async (tx) => {
    await lockList(tx, workspaceId, jobId);
    const job = await findJob(tx, workspaceId, jobId);
    if (!job || !allowsOnJob(job.status, "retryFailed")) return null;
    const { last } = await putBack(tx, workspaceId, job, retry);
    return last === null ? null : { ...retry, after: last };
  });
}

/** Puts rows back before it locks numbers and job, for which the ends of calls wait. */
async function putBack(
  tx: Executor,
  workspaceId: string,
  { id, retry_config }: CallJobRow,
  retry: Retry,
): Promise<{ count: number; last: string | null }> {
  const { count, machines, last } = await requeueFailed(tx, workspaceId, id, {
    ...retry,
    maxAttempts: retry_config.maxAttempts,
  });
  const job = await lockJobFor(tx, workspaceId, id, "retryFailed");
  if (count > 0) {
    const rows = { added: 0, putBack: count, machines, rejected: 0 };
    await extendRun(tx, workspaceId, id, rows, shareLanes(job.phone_number_ids, job.max_concurrency));
  }
  return { count, last };
}
