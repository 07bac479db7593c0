import { spawn } from "node:child_process";
import { openSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { findPostgresBinaries } from "#src/platform/db/postgres-binaries.ts";
import {
  databaseOwner,
  findPostmaster,
  openPostgresFolder,
  openSocketFolder,
} from "#src/platform/db/postgres-folder.ts";
import { chooseIdentity, commandAs, ownerOf } from "#src/platform/db/postgres-identity.ts";
import { initialise } from "#src/platform/db/postgres-initdb.ts";
import { serverArguments } from "#src/platform/db/postgres-settings.ts";

const READY_MS = 60_000;

/** Settings with which PostgreSQL counts its statements. */
const COUNTING = {
  shared_preload_libraries: "pg_stat_statements",
  "pg_stat_statements.max": "5000",
  "pg_stat_statements.track_utility": "off",
};

/**
 * Creates the embedded database of a data folder and starts it as the server would, but with a clock that can be
 * shifted and with its statements counted. The server adopts it, and stops it at its own end.
 */
export async function startClockedPostgres(dataDir: string, clock: Record<string, string>): Promise<void> {
  const binaries = findPostgresBinaries();
  const folder = openPostgresFolder(dataDir);
  const identity = await chooseIdentity(binaries.postgres, dataDir, databaseOwner(folder));
  await initialise(folder, binaries, identity, () => undefined);
  const socketFolder = openSocketFolder(folder, ownerOf(identity));
  const serverArgs = serverArguments(folder.data, socketFolder, COUNTING);
  const { file, args, options } = commandAs(identity, binaries.postgres, serverArgs);
  const output = openSync(folder.logFile, "w", 0o600);
  spawn(file, args, {
    ...options,
    env: { ...options.env, ...clock },
    detached: true,
    stdio: ["ignore", output, output],
  }).unref();
  for (const deadline = performance.now() + READY_MS; performance.now() < deadline; await pause(50))
    if (findPostmaster(folder.data)?.status === "ready") return;
  throw new Error(`The database did not get ready; its log is ${folder.logFile}.`);
}
