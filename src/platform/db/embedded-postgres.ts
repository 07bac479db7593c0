import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { sleep } from "#src/platform/kernel/async.ts";
import { codeOf } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { findPostgresBinaries, type PostgresBinaries } from "./postgres-binaries.ts";
import { folderFault, outputFault, PostgresFault } from "./postgres-fault.ts";
import {
  databaseOwner,
  findOrphans,
  findPostmaster,
  isPostmaster,
  openPostgresFolder,
  openSocketFolder,
  type PostgresFolder,
  type Postmaster,
  SOCKET_PORT,
} from "./postgres-folder.ts";
import { assertRuns, chooseIdentity, commandAs, type Identity, ownerOf } from "./postgres-identity.ts";
import { initialise } from "./postgres-initdb.ts";
import { serverArguments } from "./postgres-settings.ts";
import { endWith, stopPostmaster } from "./postgres-stop.ts";
import { PostgresWatch, type WatchedServer } from "./postgres-watch.ts";
import { holdStartLock, isAlive } from "./start-lock.ts";

const START_DEADLINE_MS = 60_000;
/**
 * Age after which the start lock is taken over. Creating the database, waiting for recovery and replacing a silent
 * server all take less.
 */
const LOCK_MAX_AGE_MS = 3 * START_DEADLINE_MS;
const POLL_MS = 10;
/** A server that is ready but whose socket file was removed is replaced after this long. */
const ABSENT_MS = 5_000;
/** A server that has its socket but answers nothing is replaced after this long: a busy machine may be slow. */
const SILENT_MS = 30_000;

/** A running embedded server. */
export interface EmbeddedPostgres {
  /** Settings with which `pg` connects to it: `host` is the folder of its socket. */
  config: { host: string; port: number; user: string; database: string };
  /** True when it was running already, for example after a kill -9 of the program that started it. */
  adopted: boolean;
  /** Ends it, open transactions rolled back; resolves when it is gone. Throws `PostgresFault` if it stays. */
  stop(): Promise<void>;
}

/** Options for running an embedded server. */
export interface EmbeddedOptions {
  dataDir: string;
  log: Log;
  /** Called once, with the reason, when the server ended and cannot be started again. Absent: that is only logged. */
  onHopeless?: (reason: Error) => void;
  /** Called when initdb or the server works in a process of its own, so that this one has time for something else. */
  onBegun?: () => void;
}

interface Server {
  folder: PostgresFolder;
  binaries: PostgresBinaries;
  identity: Identity;
  socketFolder: string;
  log: Log;
  onBegun: () => void;
}

/**
 * Starts PostgreSQL on `<dataDir>/postgres`, or adopts the server that already runs there. Creates the database first
 * where there is none. Restarts the server whenever it ends, for any reason, until `stop`. Throws `PostgresFault` with
 * a message for the operator.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, onHopeless = () => undefined, onBegun = () => undefined } = options;
  const binaries = findPostgresBinaries();
  const folder = openPostgresFolder(dataDir);
  const identity = await chooseIdentity(binaries.postgres, dataDir, databaseOwner(folder));
  return holdStartLock(folder.lockFile, LOCK_MAX_AGE_MS, async () => {
    await initialise(folder, binaries, identity, onBegun);
    const socketFolder = openSocketFolder(folder, ownerOf(identity));
    const server: Server = { folder, binaries, identity, socketFolder, log, onBegun };
    const { postmaster, adopted } = await bringUp(server);
    log.info("The embedded database is running.", { adopted, identity: identity.kind, pid: postmaster.pid });
    const watch = new PostgresWatch(watched(server), postmaster, log, onHopeless);
    let stopping: Promise<void> | undefined;
    return {
      config: connection(postmaster.socketFolder),
      adopted,
      stop: () => (stopping ??= watch.stop().then(({ pid }) => stopPostmaster(pid, folder.data, log))),
    };
  });
}

/**
 * Returns the connection settings of the embedded server of `dataDir`, which another process runs. Throws when none
 * runs.
 */
export function findEmbeddedPostgres(dataDir: string): EmbeddedPostgres["config"] {
  const postmaster = findPostmaster(openPostgresFolder(dataDir).data);
  if (!postmaster) throw new Error(`No embedded database runs in ${dataDir}.`);
  return connection(postmaster.socketFolder);
}

/**
 * Returns the operations with which a watch supervises the server. Its socket folder stays the same, so clients notice
 * nothing.
 */
function watched(server: Server): WatchedServer {
  const { folder } = server;
  return {
    isRunning: ({ pid }) => (process.platform === "linux" ? isPostmaster(pid, folder.data) : isAlive(pid)),
    answers: async ({ socketFolder }) => ["YES", "SOON"].includes(await ask(socketFolder)),
    async bringUp(signal) {
      const work = () => bringUp(server, signal);
      return (await holdStartLock(folder.lockFile, LOCK_MAX_AGE_MS, work)).postmaster;
    },
  };
}

function connection(host: string): EmbeddedPostgres["config"] {
  return { host, port: SOCKET_PORT, user: "parley", database: "postgres" };
}

/** Starts the server where none runs and polls until it answers, the deadline passes or `signal` aborts. */
async function bringUp(server: Server, signal?: AbortSignal): Promise<{ postmaster: Postmaster; adopted: boolean }> {
  const deadline = performance.now() + START_DEADLINE_MS;
  let launched: Launch | undefined;
  const silence = new Silence();
  while (performance.now() < deadline) {
    signal?.throwIfAborted();
    const postmaster = findPostmaster(server.folder.data);
    if (postmaster?.status === "ready") {
      // One that was just launched answers when it says so; a trial would cost a process of it.
      if (postmaster.pid === launched?.child.pid) return { postmaster, adopted: false };
      const answer = await ask(postmaster.socketFolder);
      if (answer === "YES") return { postmaster, adopted: true };
      if (silence.isTooLong(answer)) await replaceSilent(server, postmaster);
    } else if (postmaster === undefined) {
      launched = await launchAgain(server, launched);
      server.onBegun();
    }
    await sleep(POLL_MS);
  }
  throw new PostgresFault(
    "START_TIMEOUT",
    `The embedded database did not answer within ${START_DEADLINE_MS / 1000} s. It may still be recovering; ` +
      `start again in a minute. Its log is ${server.folder.logFile}.`,
  );
}

/**
 * Reaction of a server to a connection attempt: YES, also when it has no connection left to give; SOON while it
 * recovers or shuts down; ABSENT when nothing listens on its socket; SILENT when no answer came.
 */
type Answer = "YES" | "SOON" | "ABSENT" | "SILENT";

async function ask(socketFolder: string): Promise<Answer> {
  const client = new pg.Client({ ...connection(socketFolder), connectionTimeoutMillis: 2_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return "YES";
  } catch (error) {
    const code = codeOf(error) ?? "";
    if (code === "53300") return "YES";
    if (code === "57P03") return "SOON";
    return ["ENOENT", "ECONNREFUSED"].includes(code) ? "ABSENT" : "SILENT";
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Measures how long a server has not answered. */
class Silence {
  #since: number | undefined;

  /** True once a ready server has been silent for so long that it will not recover; the count then starts anew. */
  isTooLong(answer: Answer): boolean {
    const nowMs = performance.now();
    if (answer === "YES" || answer === "SOON") this.#since = undefined;
    else this.#since ??= nowMs;
    if (nowMs - (this.#since ?? nowMs) <= (answer === "ABSENT" ? ABSENT_MS : SILENT_MS)) return false;
    this.#since = undefined;
    return true;
  }
}

async function replaceSilent(server: Server, postmaster: Postmaster): Promise<void> {
  const { folder, log } = server;
  log.warn("The running database does not answer on its socket; it is restarted.", { pid: postmaster.pid });
  try {
    await stopPostmaster(postmaster.pid, folder.data, log);
  } catch (error) {
    // A stopped one (SIGSTOP) reacts to no other signal. Committed data is in its log.
    if (!(await endWith(postmaster.pid, folder.data, "SIGKILL"))) throw error;
  }
}

interface Launch {
  child: ChildProcess;
  hasEnded: boolean;
  /** Launches so far. */
  tries: number;
}

/**
 * Launches after which an orphaned server is killed: while it works on a long statement, it does not notice that its
 * postmaster is gone.
 */
const ORPHAN_TRIES = 4;

/**
 * Output that makes another launch worthwhile: after a kill -9 of the postmaster alone, its children hold the shared
 * memory a moment longer.
 */
const WORTH_ANOTHER_TRY = /pre-existing shared memory block|lock file "[^"]*" already exists/;

async function launchAgain(server: Server, previous: Launch | undefined): Promise<Launch> {
  const { folder } = server;
  if (previous === undefined) {
    keepLastLog(folder);
  } else {
    if (!previous.hasEnded) return previous;
    const output = readFileSync(folder.logFile, "utf8");
    if (!WORTH_ANOTHER_TRY.test(output)) {
      await assertRuns(server.identity, server.binaries.postgres, folder.root);
      throw outputFault("postgres", folder.root, output);
    }
    await sleep(200);
    if (previous.tries >= ORPHAN_TRIES) endOrphans(folder.data);
  }
  try {
    return launch(server, (previous?.tries ?? 0) + 1);
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

function launch(server: Server, tries: number): Launch {
  const { folder, binaries, identity, socketFolder } = server;
  removeStaleLocks(folder, socketFolder);
  const serverArgs = serverArguments(folder.data, socketFolder);
  const { file, args, options } = commandAs(identity, binaries.postgres, serverArgs);
  const output = openSync(folder.logFile, "w", 0o600);
  try {
    // A session of its own: a terminal's Ctrl-C must not reach it before Node has finished its work.
    const child = spawn(file, args, { ...options, detached: true, stdio: ["ignore", output, output] });
    const launched: Launch = { child, hasEnded: false, tries };
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
 * Removes lock files that would block a start. PostgreSQL takes any live process with the number in its lock file for a
 * server, so a number that now belongs to another program would keep it from starting. A dead process's file stays: it
 * names the shared memory that a dead server's children may still hold.
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

/** Kills the servers of a dead postmaster, found by their working directory, which no other program has. */
function endOrphans(data: string): void {
  for (const pid of findOrphans(data)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch (error) {
      if (codeOf(error) !== "ESRCH") throw error;
    }
  }
}
