import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { CliError, EXIT } from "#src/surfaces/cli/exit-codes.ts";

const FILE = "parley.lock.json";
const PATH = /^(flows|tools|structured-outputs)\/(?!\.)[^/\\]+\.(ya?ml|json)$/;

/** State of a definition on a server when its file was pulled or pushed. */
export interface Revision {
  version: number;
  /** updatedAt of a flow's draft; null for none, and for other kinds. */
  draft: string | null;
}

/** State of a file and of its definition at the latest pull or push. */
export interface Locked extends Revision {
  digest: string;
}

/**
 * The lock of a folder: for each file the ids of its definition and what these were. A file has several ids when it was
 * pushed into several workspaces, whose ids differ.
 */
export class Lock {
  readonly #root: string;
  readonly #files: Map<string, Record<string, Locked>>;

  /** Reads the lock of a folder; empty when there is none. */
  constructor(root: string) {
    this.#root = root;
    this.#files = new Map(Object.entries(readLock(join(root, FILE))));
  }

  /** Returns the path of the file that has this id. */
  pathOf(id: string): string | undefined {
    for (const [path, ids] of this.#files) if (Object.hasOwn(ids, id)) return path;
    return undefined;
  }

  /** Returns the ids of a file. */
  idsOf(path: string): string[] {
    return Object.keys(this.#files.get(path) ?? {});
  }

  find(path: string, id: string): Locked | undefined {
    return this.#files.get(path)?.[id];
  }

  set(path: string, id: string, locked: Locked): void {
    this.#files.set(path, { ...this.#files.get(path), [id]: locked });
  }

  /** Writes the lock, sorted, so that it shows small differences. */
  save(): void {
    const sorted = [...this.#files].toSorted(([a], [b]) => (a < b ? -1 : 1));
    writeFileSync(join(this.#root, FILE), `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`);
  }
}

function readLock(file: string): Record<string, Record<string, Locked>> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return {};
    throw error;
  }
  try {
    const files = JSON.parse(text) as Record<string, Record<string, Locked>>;
    // A lock comes with the repository, and names files that are written.
    if (Object.entries(files).every(([path, ids]) => PATH.test(path) && Object.values(ids).every(isLocked)))
      return files;
  } catch {
    // Reported below, as every other damage is.
  }
  throw new CliError(EXIT.USAGE, `${file} is damaged. Restore it, or remove it and pull again.`);
}

function isLocked({ version, draft, digest }: Locked): boolean {
  return Number.isInteger(version) && (draft === null || typeof draft === "string") && typeof digest === "string";
}
