import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { sleep } from "#src/platform/kernel/async.ts";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { folderFault } from "./postgres-fault.ts";

const POLL_MS = 50;
/** Paths that this process holds. A file with our own number that is not listed here is left from another boot. */
const held = new Set<string>();

/**
 * Runs `work` while holding the lock file, so that of two starts on one folder the second finds what the first has
 * finished. A lock whose holder is dead, or that is older than `maxAgeMs`, is taken over.
 */
export async function holdStartLock<T>(path: string, maxAgeMs: number, work: () => Promise<T>): Promise<T> {
  while (!tryLock(path, maxAgeMs)) await sleep(POLL_MS);
  held.add(path);
  try {
    return await work();
  } finally {
    held.delete(path);
    rmSync(path, { force: true });
  }
}

function tryLock(path: string, maxAgeMs: number): boolean {
  if (held.has(path)) return false;
  try {
    writeFileSync(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw folderFault(path, error);
  }
  if (!isHeld(path, maxAgeMs)) rmSync(path, { force: true });
  return false;
}

function isHeld(path: string, maxAgeMs: number): boolean {
  try {
    if (Date.now() - statSync(path).mtimeMs > maxAgeMs) return false;
    const holder = Number(readFileSync(path, "utf8"));
    return holder !== process.pid && (holder === 0 || isAlive(holder));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw folderFault(path, error);
  }
}

/** True when a process with this number exists, even one of another user. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
