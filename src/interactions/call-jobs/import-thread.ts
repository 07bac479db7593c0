import { parentPort, threadId, workerData } from "node:worker_threads";
import type { Connection } from "#src/platform/db/database.ts";
import { lowerPriority } from "#src/platform/db/lower-priority.ts";
import { openSession } from "#src/platform/db/session.ts";
import { setDatabaseTime } from "#src/platform/kernel/clock.ts";
import { systemThreadId } from "#src/platform/kernel/thread-priority.ts";
import { importJob } from "./import-csv.ts";
import { ImportPace, type SharedPace } from "./import-pace.ts";
import { learnNames } from "./learn-names.ts";

/** Instructions for the import thread. */
export interface ImportOrder {
  connection: Connection;
  /** ROWS: import the list. NAMES: index the names of its rows. */
  step: "ROWS" | "NAMES";
  workspaceId: string;
  jobId: string;
  /** Milliseconds that the machine's clock is ahead of the database's. */
  aheadMs: number;
  pace: SharedPace;
}

/** Runs a step of one list over connections of its own, at a lower priority than requests that somebody waits for. */
async function work({ connection, step, workspaceId, jobId, aheadMs, ...order }: ImportOrder) {
  setDatabaseTime(Date.now() - aheadMs, performance.now());
  lowerPriority(systemThreadId);
  await using connections = new AsyncDisposableStack();
  const open = async () => connections.adopt(await openSession(connection), (session) => session.close());
  const pace = new ImportPace(order.pace, threadId);
  const session = await open();
  if (step === "NAMES") return await learnNames({ db: session.db, workspaceId, jobId }, pace);
  return await importJob({ sessions: [session, await open()], workspaceId, jobId }, pace);
}

parentPort?.postMessage(await work(workerData as ImportOrder));
