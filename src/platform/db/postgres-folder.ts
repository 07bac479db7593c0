import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { folderFault, PostgresFault } from "./postgres-fault.ts";
import type { Owner } from "./postgres-identity.ts";

/** The port is only a part of the socket's file name; nothing listens on TCP. */
export const SOCKET_PORT = 5432;

/** sun_path holds 104 bytes on macOS and 108 on Linux, the closing zero included. */
const SOCKET_PATH_BYTES = 100;

/** Paths of the embedded database, all below `<dataDir>/postgres`. */
export interface PostgresFolder {
  root: string;
  data: string;
  logFile: string;
  lockFile: string;
}

/**
 * Creates `<dataDir>/postgres` and returns its real paths. Folders made by root can be traversed by others (0711),
 * since PostgreSQL will run as another user; what lies in them has restrictive modes of its own.
 */
export function openPostgresFolder(dataDir: string): PostgresFolder {
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  try {
    mkdirSync(dataDir, { recursive: true, mode });
    const root = join(realpathSync(dataDir), "postgres");
    mkdirSync(root, { recursive: true, mode: 0o700 });
    return {
      root,
      data: join(root, "data"),
      logFile: join(root, "server.log"),
      lockFile: join(root, "start.lock"),
    };
  } catch (error) {
    throw folderFault(dataDir, error);
  }
}

/** True when the folder holds a finished database. */
export function isInitialised(folder: PostgresFolder): boolean {
  return existsSync(join(folder.data, "PG_VERSION"));
}

/** Returns the owner of the database files, or undefined before there are any. */
export function databaseOwner(folder: PostgresFolder): Owner | undefined {
  try {
    const { uid, gid } = statSync(folder.data);
    return { uid, gid };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    if (codeOf(error) !== "EACCES") throw folderFault(folder.data, error);
    const { uid, gid } = statSync(folder.root);
    return { uid, gid };
  }
}

/**
 * Creates the folder of the socket, closed to everybody but `owner`, and returns its path: beside the data, or in the
 * temporary folder under a unique name when that path is too long for a socket.
 */
export function openSocketFolder(folder: PostgresFolder, owner: Owner): string {
  const digest = createHash("sha256").update(folder.root).digest("hex").slice(0, 16);
  const name = `parley-${digest}`;
  const isOurs = owner.uid === process.getuid?.();
  const places = [join(folder.root, "run"), ...(isOurs ? [join(tmpdir(), name)] : []), join("/tmp", name)];
  const path = places.find((place) => Buffer.byteLength(join(place, `.s.PGSQL.${SOCKET_PORT}`)) < SOCKET_PATH_BYTES);
  if (path === undefined) throw new PostgresFault("START_FAILED", "There is no folder with a path short enough.");
  try {
    closeToOthers(path, owner);
  } catch (error) {
    throw folderFault(path, error);
  }
  return path;
}

function closeToOthers(path: string, owner: Owner): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
  const found = lstatSync(path);
  const uid = process.getuid?.();
  if (!found.isDirectory() || (found.uid !== owner.uid && found.uid !== uid)) {
    throw new PostgresFault("FOLDER_NOT_WRITABLE", `${path} belongs to somebody else. Remove it and start again.`);
  }
  if (found.uid !== owner.uid) chownSync(path, owner.uid, owner.gid);
  if ((found.mode & 0o777) !== 0o700) chmodSync(path, 0o700);
}

/** Facts that a running PostgreSQL writes about itself into `postmaster.pid`. */
export interface Postmaster {
  pid: number;
  socketFolder: string;
  status: string;
}

/**
 * Returns the live server of this data folder, or undefined. A file left by a crash does not count, even when its
 * process number now belongs to another program.
 */
export function findPostmaster(data: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw folderFault(data, error);
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isPostmaster(pid, data)) return undefined;
  return { pid, socketFolder: lines[4] ?? "", status: (lines[7] ?? "").trim() };
}

/** True when process `pid` is a PostgreSQL server that works in `data`, and no zombie. */
export function isPostmaster(pid: number, data: string): boolean {
  if (process.platform !== "linux") return isPostmasterByName(pid);
  try {
    const there = statSync(`/proc/${pid}/cwd`);
    const here = statSync(data);
    return there.dev === here.dev && there.ino === here.ino;
  } catch (error) {
    if (codeOf(error) !== "EACCES") return false;
  }
  // Root without CAP_SYS_PTRACE (a container's default) may not read another user's working directory.
  try {
    const isPostgres = readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "postgres";
    return isPostgres && statSync(`/proc/${pid}`).uid === statSync(data).uid;
  } catch {
    return false;
  }
}

/**
 * Finds the PostgreSQL processes that work in `data`. Call it only when its postmaster is gone. Returns none where the
 * system does not show a process's working directory.
 */
export function findOrphans(data: string): number[] {
  if (process.platform !== "linux") return [];
  const here = statSync(data);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const there = statSync(`/proc/${pid}/cwd`);
        const isPostgres = readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "postgres";
        return isPostgres && there.dev === here.dev && there.ino === here.ino;
      } catch {
        return false;
      }
    });
}

function isPostmasterByName(pid: number): boolean {
  try {
    const [state, ...name] = execFileSync("ps", ["-p", String(pid), "-o", "stat=,comm="], { encoding: "utf8" })
      .trim()
      .split(/\s+/);
    return !state?.startsWith("Z") && name.join(" ").endsWith("postgres");
  } catch {
    return false;
  }
}
