import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { codeOf } from "#src/platform/kernel/errors.ts";

/** Size and SHA-256 of a file. */
export interface FileMeasure {
  bytes: number;
  sha256: string;
}

/**
 * Copies a file to a new one (0600), flushed to the disk, and returns the measures of the copy; null when there is no
 * such file. One that grows meanwhile is copied as far as it is written at the beginning.
 */
export function copyFile(from: string, to: string, signal?: AbortSignal): Promise<FileMeasure | null> {
  return passFile(from, signal, async (pieces) => {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await pipeline(pieces, createWriteStream(to, { mode: 0o600, flush: true }), { signal });
  });
}

/** Measures a file; null when there is none. */
export function measureFile(path: string): Promise<FileMeasure | null> {
  return passFile(path, undefined, async (pieces) => {
    for await (const _ of pieces);
  });
}

async function passFile(
  path: string,
  signal: AbortSignal | undefined,
  take: (pieces: AsyncIterable<Buffer>) => Promise<void>,
): Promise<FileMeasure | null> {
  const file = await open(path).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return null;
    throw error;
  });
  if (file === null) return null;
  const hash = createHash("sha256");
  let bytes = 0;
  async function* measured(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      hash.update(piece);
      bytes += piece.length;
      yield piece;
    }
  }
  const { size } = await file.stat();
  // To its present end, not to the last one: a writer may be faster than the disk of the copy.
  const pieces = size === 0 ? file.createReadStream() : file.createReadStream({ end: size - 1 });
  await pipeline(pieces, measured, take, { signal });
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
