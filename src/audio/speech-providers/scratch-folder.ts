import { lstat, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listFolder } from "#src/platform/files/folder.ts";

const PREFIX = "parley-speech-";
/** Longer than any program runs. */
const ABANDONED_MS = 600_000;

/** Gives a run of a program a folder of its own, whose files only their owner can read; it is deleted afterwards. */
export async function withScratchFolder<Result>(run: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), PREFIX));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Deletes the folders that killed processes of this user left. What people said may be in them. */
export async function sweepScratchFolders(): Promise<void> {
  const names = await listFolder(tmpdir()).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(PREFIX))) {
    const path = join(tmpdir(), name);
    const found = await lstat(path).catch(() => null);
    // Nothing of others is deleted: as root, that would be anything they put there.
    if (!found?.isDirectory() || found.uid !== process.getuid?.() || Date.now() - found.mtimeMs < ABANDONED_MS)
      continue;
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}
