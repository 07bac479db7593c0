import type { Database, Executor } from "#src/platform/db/database.ts";
import { NIL_UUID } from "#src/platform/kernel/id.ts";
import { afterAnyCrashMs, inBites } from "#src/platform/queue/bites.ts";
import { addTask, hasYoungerTask, type TaskHandler } from "#src/platform/queue/queue.ts";
import { endSomeWaits, type Waits } from "./store.ts";

/** Task that ends the waits of the rows behind those of the first transaction. */
export const WAITS_TASK = "calls.end_waits";

/** State of the task, in its payload. */
interface Ending {
  waits: Waits;
  /** The last row that was looked at. */
  after: string;
}

/**
 * Makes rows due that wait for what the caller's transaction changes, so that the claim judges them by it. The first
 * ones become due with it, the others by a task. No row leaves against the change in between: claim and fence read the
 * rules as they are, whatever a row waits for.
 */
export async function endWaits(tx: Executor, workspaceId: string, waits: Waits): Promise<void> {
  const after = await endSomeWaits(tx, workspaceId, waits, NIL_UUID);
  if (after === null) return;
  const payload = { waits, after } satisfies Ending;
  await addTask(tx, workspaceId, { kind: WAITS_TASK, subjectId: subjectOf(workspaceId, waits), payload });
}

function subjectOf(workspaceId: string, waits: Waits): string {
  return waits.of === "JOB_WINDOW" ? waits.jobId : workspaceId;
}

/**
 * Returns the task. It never gives up, because rows that wait for a window of the past may do so for days. A later change
 * of the same rules takes its place.
 */
export function createWaitsTask({ db }: Database): TaskHandler {
  const run: TaskHandler = (task, signal) => {
    const { waits, after } = task.payload as unknown as Ending;
    const endNext = (last: string) =>
      db.transaction().execute(async (tx) => {
        const isReplaced = await hasYoungerTask(tx, task, WAITS_TASK, { waits });
        return isReplaced ? null : endSomeWaits(tx, task.workspaceId, waits, last);
      });
    return inBites(after, endNext, signal);
  };
  return Object.assign(run, { afterCrashMs: afterAnyCrashMs });
}
