import { createReadStream } from "node:fs";
import { mkdir, readdir, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "#src/platform/kernel/errors.ts";
import type { FileStore, StoredFile } from "./stored-file.ts";

/** Creates the store of the files below a folder. */
export function createFolderStore(folder: string): FileStore {
  return {
    open: (path) => openFile(join(folder, path)),
    async remove(path) {
      try {
        await unlink(join(folder, path));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
  };
}

/** Opens a file of this machine as long as it is now; null when there is none. */
export async function openFile(path: string): Promise<StoredFile | null> {
  try {
    const { size } = await stat(path);
    return {
      byteLength: size,
      read: ({ start, end }) => (start < end ? createReadStream(path, { start, end: end - 1 }) : readNothing()),
    };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Makes a folder (0700) and those above it that are missing. Rejects with the system's own code: of a read-only disk,
 * Node's recursive `mkdir` says ENOENT.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST" && (await stat(path)).isDirectory()) return;
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await makeFolder(path);
  }
}

/** Lists the names in a folder; none when there is no such folder. */
export async function listFolder(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** True for the error of a path at which nothing is. */
export function isMissing(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "");
}

async function* readNothing(): AsyncGenerator<Uint8Array> {}
