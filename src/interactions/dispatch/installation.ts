import { readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { isUuid, uuidv7 } from "#src/platform/kernel/id.ts";
import { writeAside, writeOnce } from "#src/platform/kernel/write-once.ts";

const FILE = "node-id";

/** Identity of an installation across restarts. */
export interface Installation {
  /** The content of the id file. */
  readonly id: string;
  /** Place of that file. Two live processes cannot share id and place, unless a machine was cloned alive. */
  readonly place: string;
  /** Writes a new id, because another live process has this one. */
  renew(): void;
}

/**
 * Reads the id of the installation in `dataDir`, which is written once (0600). The caller holds the lock of that
 * folder, so no other process on this machine works there.
 */
export function openInstallation(dataDir: string): Installation {
  const path = join(dataDir, FILE);
  let id = readId(path) ?? writeOnce(path, uuidv7());
  return {
    get id() {
      return id;
    },
    get place() {
      return placeOf(path);
    },
    renew() {
      renameSync(writeAside(path, (id = uuidv7())), path);
    },
  };
}

/** Reads the id; null when there is none, or a full disk left it empty. */
function readId(path: string): string | null {
  try {
    const text = readFileSync(path, "utf8").trim();
    if (isUuid(text)) return text;
    rmSync(path, { force: true });
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  return null;
}

/** Returns the place of the file. A copied folder has other inodes, and a copied disk runs under another boot. */
function placeOf(path: string): string {
  const { dev, ino } = statSync(path);
  return [readBoot(), dev, ino].join("|");
}

/** Returns the id of the boot, or the machine's name when the system has none. */
function readBoot(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return hostname();
  }
}
