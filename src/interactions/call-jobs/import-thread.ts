import { readlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { type Connection, first, sql } from "#src/platform/db/database.ts";
import { openSession, type Session } from "#src/platform/db/session.ts";
import { setDatabaseTime } from "#src/platform/kernel/clock.ts";
import { importJob } from "./import-csv.ts";
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
  /** One number that the parent updates: the rest after each batch, in hundredths of the time that the batch took. */
  rests: Int32Array<SharedArrayBuffer>;
}

/** Runs a step of one list over a connection of its own, at a lower priority than requests that somebody waits for. */
async function work({ connection, step, workspaceId, jobId, aheadMs, rests }: ImportOrder) {
  setDatabaseTime(Date.now() - aheadMs, performance.now());
  lowerPriority(() => Number(basename(readlinkSync("/proc/thread-self"))));
  const session = await openSession(connection);
  try {
    if (connection.embedded) await lowerBackend(session);
    const restShare = () => Atomics.load(rests, 0) / 100;
    if (step === "NAMES") return await learnNames({ db: session.db, workspaceId, jobId }, restShare);
    return await importJob({ session, workspaceId, jobId }, restShare);
  } finally {
    await session.close();
  }
}

/**
 * Lowers the priority of the embedded database's server process, which runs on this machine and serves this connection
 * alone.
 */
async function lowerBackend({ db }: Session): Promise<void> {
  const backend = await first<{ pid: number }>(db, sql`select pg_backend_pid() as pid`);
  const pid = backend?.pid ?? 0;
  lowerPriority(() => pid);
  // The backend is a session of its own, and Linux shares the processor out among sessions first.
  await writeFile(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_BELOW_NORMAL)).catch(() => undefined);
}

/**
 * Lowers the priority of a process or thread. If the system does not know it or forbids the change, the priority stays
 * as it is.
 */
function lowerPriority(find: () => number | undefined): void {
  try {
    const id = find();
    if (id) setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is a courtesy to the others.
  }
}

parentPort?.postMessage(await work(workerData as ImportOrder));
