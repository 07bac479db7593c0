import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { codeOf } from "#src/kernel/errors.ts";
import { isUuid, uuidv7 } from "#src/kernel/id.ts";

const FILE = "node-id";

/** What a process is recognised by when it starts again. */
export interface Installation {
  /** The content of the id file. */
  readonly id: string;
  /** Where that file lies. Two processes with one id and one place cannot live at once, unless a machine was cloned alive. */
  readonly place: string;
  /** Writes a new id: another living process has this one. */
  renew(): void;
}

/**
 * Reads the id of the installation in `dataDir`, which is written once (0600). Whoever calls this holds the lock of that
 * folder, so no other process on this machine works there.
 */
export function openInstallation(dataDir: string): Installation {
  const path = join(dataDir, FILE);
  let id = readId(path) ?? createId(path);
  return {
    get id() {
      return id;
    },
    get place() {
      return placeOf(path);
    },
    renew() {
      const draft = writeDraft(path, (id = uuidv7()));
      renameSync(draft, path);
    },
  };
}

/** Null: there is none, or a disk that was full left it empty. */
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

/** Linked into place, so that of two starts one wins and nobody reads half an id. */
function createId(path: string): string {
  const draft = writeDraft(path, uuidv7());
  try {
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, "utf8").trim();
}

function writeDraft(path: string, id: string): string {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${id}\n`, { mode: 0o600, flush: true });
  return draft;
}

/** A copied folder has other inodes, and a copied disk runs under another boot. */
function placeOf(path: string): string {
  const { dev, ino } = statSync(path);
  return [readBoot(), dev, ino].join("|");
}

/** Where the system tells no id of its boot, the machine's name stands for it. */
function readBoot(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return hostname();
  }
}
