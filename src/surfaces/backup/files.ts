import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { openFile } from "#src/platform/files/folder.ts";
import type { StoredFile } from "#src/platform/files/stored-file.ts";

/** Size and SHA-256 of a file. */
export interface FileMeasure {
  bytes: number;
  sha256: string;
}

/**
 * Copies a file, wherever it is stored, to a new one of this machine (0600), flushed to the disk, and returns the
 * measures of the copy. One that grows meanwhile is copied as far as it was written when it was opened.
 */
export function copyFile(from: StoredFile, to: string, signal?: AbortSignal): Promise<FileMeasure> {
  return passFile(from, signal, async (pieces) => {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await pipeline(pieces, createWriteStream(to, { mode: 0o600, flush: true }), { signal });
  });
}

/** Measures a file; null when there is none. */
export async function measureFile(path: string): Promise<FileMeasure | null> {
  const file = await openFile(path);
  if (file === null) return null;
  return passFile(file, undefined, async (pieces) => {
    for await (const _ of pieces);
  });
}

async function passFile(
  file: StoredFile,
  signal: AbortSignal | undefined,
  take: (pieces: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<FileMeasure> {
  const hash = createHash("sha256");
  let bytes = 0;
  async function* measured(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
  }
  await pipeline(file.read({ start: 0, end: file.byteLength }), measured, take, { signal });
  return { bytes, sha256: hash.digest("hex") };
}

/** Flushes a folder and those in it, so that the names of their files outlive a power cut. */
export async function flushFolders(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries) if (entry.isDirectory()) await flushFolders(join(folder, entry.name));
  await flushFolder(folder);
}

/** Flushes the names in a folder to the disk. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
