import { readlinkSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { basename } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { type Connection, type Database, openDatabase } from "#src/platform/db/database.ts";
import { setDatabaseTime } from "#src/platform/kernel/clock.ts";
import { importJob } from "./import-job.ts";

/** What the thread is to do. */
export interface ImportOrder {
  connection: Connection;
  workspaceId: string;
  jobId: string;
  /** How far the machine's clock is ahead of the database's. */
  aheadMs: number;
  /** One number that moves meanwhile: how long to rest after each batch of rows, in hundredths of what it took. */
  rests: Int32Array<SharedArrayBuffer>;
}

/** Imports one list over a connection of its own, which gives way to everything that somebody waits for. */
async function work({ connection, workspaceId, jobId, aheadMs, rests }: ImportOrder) {
  setDatabaseTime(Date.now() - aheadMs, performance.now());
  lowerPriority(() => Number(basename(readlinkSync("/proc/thread-self"))));
  const database = openDatabase(connection, { max: 1 }, () => undefined);
  try {
    if (connection.embedded) await lowerBackend(database);
    return await importJob({ database, workspaceId, jobId }, () => Atomics.load(rests, 0) / 100);
  } finally {
    await database.close();
  }
}

/** The server of an embedded database is a process of this machine's, and works for this connection alone. */
async function lowerBackend({ pool }: Database): Promise<void> {
  const { rows } = await pool.query<{ pid: number }>("select pg_backend_pid() as pid");
  const pid = rows[0]?.pid ?? 0;
  lowerPriority(() => pid);
  // It is a session of its own, and Linux shares the processor out among sessions first.
  await writeFile(`/proc/${pid}/autogroup`, String(constants.priority.PRIORITY_BELOW_NORMAL)).catch(() => undefined);
}

/** Where the system knows no such process or thread, or forbids it, the work goes on at its usual priority. */
function lowerPriority(find: () => number | undefined): void {
  try {
    const id = find();
    if (id) setPriority(id, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It is a courtesy to the others.
  }
}

parentPort?.postMessage(await work(workerData as ImportOrder));
