import type { Database, Executor } from "#src/platform/db/database.ts";
import { afterAnyCrashMs, inBites } from "#src/platform/queue/bites.ts";
import { addTask, type TaskHandler } from "#src/platform/queue/queue.ts";
import { giveUpSome } from "./store.ts";

/** Task that gives up the events of a deleted webhook behind those of the transaction that deleted it. */
export const STOP_TASK = "session_webhook.stop";

/**
 * Gives up the pending events of a webhook that the caller's transaction deletes: the first ones with it, and the others,
 * of which a receiver that is down for days has very many, by a task. One whose time comes before is given up then.
 */
export async function stopDeliveries(tx: Executor, workspaceId: string, id: string): Promise<void> {
  if (await giveUpSome(tx, workspaceId, id)) return;
  await addTask(tx, workspaceId, { kind: STOP_TASK, subjectId: id, payload: {} });
}

/** Returns the task. It goes on with those that are left whenever it begins anew. */
export function createStopTask({ db }: Database): TaskHandler {
  const run: TaskHandler = ({ workspaceId, subjectId: id }, signal) =>
    inBites(true, async () => ((await giveUpSome(db, workspaceId, id)) ? null : true), signal);
  return Object.assign(run, { afterCrashMs: afterAnyCrashMs });
}
