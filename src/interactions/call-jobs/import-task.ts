import { Worker } from "node:worker_threads";
import type { Connection } from "#src/platform/db/database.ts";
import { requestTurns } from "#src/platform/http/request-turns.ts";
import { aheadMs } from "#src/platform/kernel/clock.ts";
import { Turns } from "#src/platform/kernel/turns.ts";
import type { TaskEnd, TaskHandler } from "#src/platform/queue/queue.ts";
import { IMPORT_TASK } from "./create.ts";
import { endTurn, type SharedNumber, shareNumber } from "./import-pace.ts";
import type { ImportOrder } from "./import-thread.ts";
import { NAMES_TASK } from "./learn-names.ts";

/** Delay before a deferred import is tried again: no slot was free for its workspace, or the process stopped. */
const TURN_MS = 1_000;
/**
 * Longest rest after a step, as a multiple of the step's time, at REQUESTS_FOR_MOST requests of others a second. It
 * falls in proportion with fewer.
 */
const MOST_REST = 6;
const REQUESTS_FOR_MOST = 45;
const LOOK_MS = 250;

/**
 * Returns the tasks of large CSVs that were stored in the database with their jobs: the import of the rows, then the
 * indexing of their names. Each runs in a thread and over connections of its own. At most `slots` run at once, and one
 * of each workspace. The other jobs stay IMPORTING in the meantime.
 */
export function createImportTasks(
  connection: Connection,
  slots: number,
  wakeDispatcher: () => void,
): [kind: string, handler: TaskHandler][] {
  const turns = new Turns({ slots, perKey: 1 });
  const turn = shareNumber();
  const runStep = (step: ImportOrder["step"]): TaskHandler => {
    return async ({ workspaceId, subjectId: jobId }, signal) => {
      if (!turns.isFree(workspaceId)) return { kind: "LATER", afterMs: TURN_MS };
      const end = await turns.run(workspaceId, () => runGently({ connection, step, workspaceId, jobId }, turn, signal));
      if (step === "ROWS" && end.kind === "DONE") wakeDispatcher();
      return end;
    };
  };
  return [
    [IMPORT_TASK, runStep("ROWS")],
    [NAMES_TASK, runStep("NAMES")],
  ];
}

/** Runs a step that rests longer between its transactions the more requests other workspaces make. */
async function runGently(
  order: Pick<ImportOrder, "connection" | "step" | "workspaceId" | "jobId">,
  turn: SharedNumber,
  signal: AbortSignal,
): Promise<TaskEnd> {
  const rests = shareNumber();
  const look = () => {
    const share = MOST_REST * Math.min(1, requestTurns.countOthers(order.workspaceId) / REQUESTS_FOR_MOST);
    Atomics.store(rests, 0, Math.round(100 * share));
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  try {
    return await runInThread({ ...order, aheadMs: aheadMs(), pace: { rests, turn } }, signal);
  } finally {
    clearInterval(timer);
  }
}

/**
 * Memory of an import's thread in megabytes. Two batches and what the thread loaded are some 20 MB. By the upper limit
 * V8 judges how far a heap may grow before it marks all of it again: by a third where it is 128 MB, which an import with
 * its buffers does every 12,000 rows, to twice its size here, and to four times from 2,048 MB on.
 */
const THREAD_MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 2_000 };

/** Runs a step in a thread. A stopped thread leaves nothing behind: its transaction ends with its connection. */
async function runInThread(order: ImportOrder, signal: AbortSignal): Promise<TaskEnd> {
  const worker = new Worker(new URL("./import-thread.ts", import.meta.url), {
    workerData: order,
    resourceLimits: THREAD_MEMORY,
  });
  // A thread that has ended has no number any more.
  const thread = worker.threadId;
  const stop = () => void worker.terminate();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await new Promise<TaskEnd>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => {
        if (signal.aborted) resolve({ kind: "LATER", afterMs: TURN_MS });
        else reject(new Error("The thread of an import ended before the import did."));
      });
    });
  } finally {
    signal.removeEventListener("abort", stop);
    await worker.terminate();
    endTurn(order.pace, thread);
  }
}
