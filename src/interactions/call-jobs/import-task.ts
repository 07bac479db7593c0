import { Worker } from "node:worker_threads";
import type { Connection } from "#src/platform/db/database.ts";
import { requestTurns } from "#src/platform/http/request-turns.ts";
import { aheadMs } from "#src/platform/kernel/clock.ts";
import { Turns } from "#src/platform/kernel/turns.ts";
import type { TaskEnd, TaskHandler } from "#src/platform/queue/queue.ts";
import type { ImportOrder } from "./import-thread.ts";

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
 * Imports large CSVs that were stored in the database with their jobs, each in a thread and over a connection of its
 * own. At most `slots` run at once, and one of each workspace. The other jobs stay IMPORTING in the meantime.
 */
export function createImporter(connection: Connection, slots: number, wakeDispatcher: () => void): TaskHandler {
  const turns = new Turns({ slots, perKey: 1 });
  return async ({ workspaceId, subjectId: jobId }, signal) => {
    if (!turns.isFree(workspaceId)) return { kind: "LATER", afterMs: TURN_MS };
    const end = await turns.run(workspaceId, () => importGently(connection, workspaceId, jobId, signal));
    if (end.kind === "DONE") wakeDispatcher();
    return end;
  };
}

/** Runs an import that rests longer between its steps the more requests other workspaces make. */
async function importGently(connection: Connection, workspaceId: string, jobId: string, signal: AbortSignal) {
  const rests = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const look = () => {
    const share = MOST_REST * Math.min(1, requestTurns.countOthers(workspaceId) / REQUESTS_FOR_MOST);
    Atomics.store(rests, 0, Math.round(100 * share));
  };
  look();
  const timer = setInterval(look, LOOK_MS);
  try {
    return await importInThread({ connection, workspaceId, jobId, aheadMs: aheadMs(), rests }, signal);
  } finally {
    clearInterval(timer);
  }
}

/**
 * Memory of an import's thread in megabytes. It holds two batches, and by default its heap would grow to hundreds
 * before anything is collected.
 */
const THREAD_MEMORY = { maxYoungGenerationSizeMb: 16, maxOldGenerationSizeMb: 128 };

/** Runs an import in a thread. A stopped thread leaves nothing behind: its transaction ends with its connection. */
async function importInThread(order: ImportOrder, signal: AbortSignal): Promise<TaskEnd> {
  const worker = new Worker(new URL("./import-thread.ts", import.meta.url), {
    workerData: order,
    resourceLimits: THREAD_MEMORY,
  });
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
  }
}
