import * as fs from "node:fs";
import { access, readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Returns the file of a path, with its name, to upload. Node and Bun read it while it is sent; where that cannot be had
 * it is read first. Rejects with the system's error, which names the path, when there is no such file or it cannot be
 * read. For Node, Bun and Deno: browsers have File objects.
 */
export async function fileFrom(path: string | URL, type = ""): Promise<File> {
  const name = basename(path instanceof URL ? fileURLToPath(path) : path);
  // `openAsBlob` says neither which file is missing nor that one is.
  await access(path, fs.constants.R_OK);
  // Not imported by name, because not every runtime has it.
  const { openAsBlob } = fs as { openAsBlob?: (path: string | URL) => Promise<Blob> };
  const content = openAsBlob ? await openAsBlob(path) : await readFile(path);
  return new File([content as Blob], name, { type });
}
