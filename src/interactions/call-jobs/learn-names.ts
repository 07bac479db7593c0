import type { Database } from "#src/platform/db/database.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import type { TaskHandler } from "#src/platform/queue/queue.ts";
import { learnSomeNames } from "./names-store.ts";

/** Task that indexes the names of a list which was imported without. */
export const NAMES_TASK = "call_job.names";

/** Longest run of one task, after which the lists of other workspaces have their turn. */
const RUN_MS = 2_000;

/**
 * Indexes names, so that a search finds the rows of a large list. Each transaction takes some hundred rows and the
 * task then rests as long as they took. An interrupted task continues where it was; a name that is indexed twice, or
 * was erased in the meantime, changes nothing.
 */
export function createNameLearner({ db }: Database): TaskHandler {
  return async ({ workspaceId, subjectId: jobId }, signal) => {
    const until = performance.now() + RUN_MS;
    while (performance.now() < until && !signal.aborted) {
      const startedAt = performance.now();
      if (!(await learnSomeNames(db, workspaceId, jobId))) return { kind: "DONE" };
      await sleep(performance.now() - startedAt);
    }
    return { kind: "LATER", afterMs: 0 };
  };
}
