import type { Executor } from "#src/platform/db/database.ts";
import type { TaskEnd } from "#src/platform/queue/queue.ts";
import type { ImportPace } from "./import-pace.ts";
import { learnSomeNames } from "./names-store.ts";

/** Task that indexes the names of a list which was imported without. */
export const NAMES_TASK = "call_job.names";

/** Longest run of one task, after which the lists of other workspaces have their turn. */
const RUN_MS = 10_000;
/** Shortest rest after a transaction, as a multiple of its time. */
const LEAST_REST = 1;

/**
 * Indexes names, so that a search finds the rows of a large list. Each transaction takes some hundred rows, and the task
 * rests after it for as long as it took, or longer (`ImportPace`). An interrupted task continues
 * where it was; a name that is indexed twice, or was erased in the meantime, changes nothing.
 */
export async function learnNames(
  { db, workspaceId, jobId }: { db: Executor; workspaceId: string; jobId: string },
  pace: ImportPace,
): Promise<TaskEnd> {
  const until = performance.now() + RUN_MS;
  while (performance.now() < until) {
    if (!(await pace.run(() => learnSomeNames(db, workspaceId, jobId), LEAST_REST))) return { kind: "DONE" };
  }
  return { kind: "LATER", afterMs: 0 };
}
