import { appendFileSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { stopLeftPostgres } from "#src/platform/db/postgres-stop.ts";
import { isAlive } from "#src/platform/db/start-lock.ts";
import type { Log } from "#src/platform/kernel/log.ts";

const PREFIX = "parley-simulate-";
/** File of a folder that names its processes, one a line. */
const PROCESSES = "processes";
const ignore = () => undefined;
const QUIET: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/**
 * Makes a folder below `place` for the data of a temporary server, which stays until `removeThrowAwayFolder`. Removes
 * those first whose processes were killed, with the databases that still run in them.
 */
export async function makeThrowAwayFolder(place: string): Promise<string> {
  for (const name of readdirSync(place)) {
    const folder = join(place, name);
    // A folder that cannot be removed does not concern this run; the next one tries again.
    if (name.startsWith(PREFIX) && isAbandoned(folder)) await removeThrowAwayFolder(folder).catch(ignore);
  }
  const folder = mkdtempSync(join(place, PREFIX));
  noteProcess(folder, process.pid);
  return folder;
}

/** Notes that a process works in the folder. */
export function noteProcess(folder: string, pid: number): void {
  appendFileSync(join(folder, PROCESSES), `${hostname()} ${pid}\n`);
}

/** Removes the folder, and stops the database that runs in it when its server was killed. */
export async function removeThrowAwayFolder(folder: string): Promise<void> {
  await stopLeftPostgres(folder, QUIET);
  rmSync(folder, { recursive: true, force: true });
}

/** True for a folder of this user whose processes are all gone. Those of another machine or container cannot be judged. */
function isAbandoned(folder: string): boolean {
  try {
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== process.getuid?.()) return false;
    const lines = readFileSync(join(folder, PROCESSES), "utf8").trim().split("\n");
    return lines.every((line) => {
      const [host, pid] = line.split(" ");
      return host === hostname() && !isAlive(Number(pid));
    });
  } catch {
    return false;
  }
}
