import type { Database } from "#src/platform/db/database.ts";
import type { TaskHandler } from "#src/platform/queue/queue.ts";
import { endWaiting } from "./store.ts";

/** Ends a call that nobody began in time. A call that began, or ended otherwise, is left alone. */
export function createWebCallExpiry({ db }: Database): TaskHandler {
  return async ({ workspaceId, subjectId: rowId }) => {
    const message = "No page began the call in time.";
    await endWaiting(db, workspaceId, rowId, { outcome: "NO_ANSWER", endReason: "WEB_NO_ANSWER", message });
    return { kind: "DONE" };
  };
}
