import type { Executor } from "#src/platform/db/database.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import type { TaskEnd } from "#src/platform/queue/queue.ts";
import { learnSomeNames } from "./names-store.ts";

/** Task that indexes the names of a list which was imported without. */
export const NAMES_TASK = "call_job.names";

/** Longest run of one task, after which the lists of other workspaces have their turn. */
const RUN_MS = 10_000;
/** Shortest and longest rest after a transaction, as a multiple of its time. */
const LEAST_REST = 1;
const LONGEST_REST_MS = 500;

/**
 * Indexes names, so that a search finds the rows of a large list. Each transaction takes some hundred rows, and the task
 * rests after it for as long as it took, or `restShare` times as long if that is more. An interrupted task continues
 * where it was; a name that is indexed twice, or was erased in the meantime, changes nothing.
 */
export async function learnNames(
  { db, workspaceId, jobId }: { db: Executor; workspaceId: string; jobId: string },
  restShare: () => number,
): Promise<TaskEnd> {
  const until = performance.now() + RUN_MS;
  while (performance.now() < until) {
    const startedAt = performance.now();
    if (!(await learnSomeNames(db, workspaceId, jobId))) return { kind: "DONE" };
    const tookMs = performance.now() - startedAt;
    await sleep(Math.min(LONGEST_REST_MS, Math.max(LEAST_REST, restShare()) * tookMs));
  }
  return { kind: "LATER", afterMs: 0 };
}
