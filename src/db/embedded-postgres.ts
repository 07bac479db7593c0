import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { sleep } from "#src/kernel/async.ts";
import { codeOf } from "#src/kernel/errors.ts";
import type { Log } from "#src/kernel/log.ts";
import { findPostgresBinaries, type PostgresBinaries } from "./postgres-binaries.ts";
import { folderFault, outputFault, PostgresFault } from "./postgres-fault.ts";
import {
  databaseOwner,
  findPostmaster,
  isPostmaster,
  openPostgresFolder,
  openSocketFolder,
  type PostgresFolder,
  type Postmaster,
  SOCKET_PORT,
} from "./postgres-folder.ts";
import { chooseIdentity, commandAs, type Identity, ownerOf } from "./postgres-identity.ts";
import { initialise } from "./postgres-initdb.ts";
import { serverSettings } from "./postgres-settings.ts";
import { holdStartLock, isAlive } from "./start-lock.ts";

const START_DEADLINE_MS = 60_000;
/** Making the database, waiting for recovery, replacing a silent server: no start takes longer. */
const LOCK_MAX_AGE_MS = 3 * START_DEADLINE_MS;
const STOP_DEADLINE_MS = 10_000;
const POLL_MS = 10;
/** A server that is ready but whose socket file was swept away is replaced after this long. */
const SILENT_MS = 5_000;

/** A running embedded server. */
export interface EmbeddedPostgres {
  /** How `pg` reaches it: `host` is the folder of its socket. */
  config: { host: string; port: number; user: string; database: string };
  /** True when it was running already, for example after a kill -9 of the program that started it. */
  adopted: boolean;
  /** Ends it, open transactions rolled back; resolves when it is gone. Throws `PostgresFault` if it stays. */
  stop(): Promise<void>;
}

interface Server {
  folder: PostgresFolder;
  binaries: PostgresBinaries;
  identity: Identity;
  socketFolder: string;
  log: Log;
}

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, or adopts the server that already runs there. Makes the
 * database first where there is none. Throws `PostgresFault` with a message for the operator.
 */
export async function startEmbeddedPostgres(options: { dataDir: string; log: Log }): Promise<EmbeddedPostgres> {
  const { dataDir, log } = options;
  const binaries = findPostgresBinaries();
  const folder = openPostgresFolder(dataDir);
  const identity = await chooseIdentity(binaries.postgres, dataDir, databaseOwner(folder));
  return holdStartLock(folder.lockFile, LOCK_MAX_AGE_MS, async () => {
    await initialise(folder, binaries, identity);
    const socketFolder = openSocketFolder(folder, ownerOf(identity));
    const { postmaster, adopted } = await bringUp({ folder, binaries, identity, socketFolder, log });
    log.info("The embedded database is running.", { adopted, identity: identity.kind, pid: postmaster.pid });
    let stopping: Promise<void> | undefined;
    return {
      config: connection(postmaster.socketFolder),
      adopted,
      stop: () => (stopping ??= stopPostmaster(postmaster.pid, folder.data, log)),
    };
  });
}

function connection(host: string): EmbeddedPostgres["config"] {
  return { host, port: SOCKET_PORT, user: "parley", database: "postgres" };
}

/** Looks, starts where nothing runs, and looks again, until the server answers or the deadline is over. */
async function bringUp(server: Server): Promise<{ postmaster: Postmaster; adopted: boolean }> {
  const deadline = performance.now() + START_DEADLINE_MS;
  let launched: Launch | undefined;
  let silentSince: number | undefined;
  while (performance.now() < deadline) {
    const postmaster = findPostmaster(server.folder.data);
    if (postmaster?.status === "ready") {
      if (await answers(postmaster.socketFolder)) {
        return { postmaster, adopted: postmaster.pid !== launched?.child.pid };
      }
      silentSince ??= performance.now();
      if (performance.now() - silentSince > SILENT_MS) {
        silentSince = undefined;
        await replaceSilent(server, postmaster);
      }
    } else if (postmaster === undefined) {
      launched = await launchAgain(server, launched);
    }
    await sleep(POLL_MS);
  }
  throw new PostgresFault(
    "START_TIMEOUT",
    `The embedded database did not answer within ${START_DEADLINE_MS / 1000} s. It may still be recovering; ` +
      `start again in a minute. Its log is ${server.folder.logFile}.`,
  );
}

/** True when it takes connections, or has none left to give. */
async function answers(socketFolder: string): Promise<boolean> {
  const client = new pg.Client({ ...connection(socketFolder), connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    return codeOf(error) === "53300";
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function replaceSilent(server: Server, postmaster: Postmaster): Promise<void> {
  server.log.warn("The running database does not answer on its socket; it is restarted.", { pid: postmaster.pid });
  await stopPostmaster(postmaster.pid, server.folder.data, server.log);
}

interface Launch {
  child: ChildProcess;
  hasEnded: boolean;
}

/** After a kill -9 of the postmaster alone, its children hold the shared memory for a moment longer. */
const WORTH_ANOTHER_TRY = /pre-existing shared memory block|lock file "[^"]*" already exists/;

async function launchAgain(server: Server, previous: Launch | undefined): Promise<Launch> {
  const { folder } = server;
  if (previous === undefined) {
    keepLastLog(folder);
  } else {
    if (!previous.hasEnded) return previous;
    const output = readFileSync(folder.logFile, "utf8");
    if (!WORTH_ANOTHER_TRY.test(output)) throw outputFault("postgres", folder.root, output);
    await sleep(200);
  }
  try {
    return launch(server);
  } catch (error) {
    throw folderFault(folder.root, error);
  }
}

function keepLastLog(folder: PostgresFolder): void {
  try {
    renameSync(folder.logFile, `${folder.logFile}.old`);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw folderFault(folder.logFile, error);
  }
}

function launch(server: Server): Launch {
  const { folder, binaries, identity, socketFolder } = server;
  removeStaleLocks(folder, socketFolder);
  const settings = Object.entries(serverSettings(socketFolder)).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const serverArgs = ["-D", folder.data, "-p", String(SOCKET_PORT), ...settings];
  const { file, args, options } = commandAs(identity, binaries.postgres, serverArgs);
  const output = openSync(folder.logFile, "w", 0o600);
  try {
    // A session of its own: a terminal's Ctrl-C must not reach it before Node has finished its work.
    const child = spawn(file, args, { ...options, detached: true, stdio: ["ignore", output, output] });
    const launched: Launch = { child, hasEnded: false };
    child.on("exit", () => (launched.hasEnded = true));
    child.on("error", (error) => {
      writeFileSync(folder.logFile, `${error.message}\n`, { flag: "a" });
      launched.hasEnded = true;
    });
    child.unref();
    return launched;
  } finally {
    closeSync(output);
  }
}

/**
 * PostgreSQL takes any live process with the number in its lock files for a server, so a number that was
 * given to another program would keep it from starting. A dead one's file stays: it names the shared
 * memory that a dead server's children may still hold.
 */
function removeStaleLocks(folder: PostgresFolder, socketFolder: string): void {
  const socket = join(socketFolder, `.s.PGSQL.${SOCKET_PORT}`);
  rmSync(socket, { force: true });
  rmSync(`${socket}.lock`, { force: true });
  const path = join(folder.data, "postmaster.pid");
  try {
    const pid = Number(readFileSync(path, "utf8").split("\n")[0]);
    if (!(pid > 0) || isAlive(pid)) rmSync(path, { force: true });
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

async function stopPostmaster(pid: number, data: string, log: Log): Promise<void> {
  if (await endWith(pid, data, "SIGINT")) return;
  log.warn("The embedded database did not stop in time; it is stopped without a checkpoint.", { pid });
  if (await endWith(pid, data, "SIGQUIT")) return;
  throw new PostgresFault("STOP_FAILED", `The embedded database (process ${pid}) does not stop.`);
}

async function endWith(pid: number, data: string, signal: NodeJS.Signals): Promise<boolean> {
  const deadline = performance.now() + STOP_DEADLINE_MS;
  if (!isPostmaster(pid, data)) return true;
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
  while (isPostmaster(pid, data)) {
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
