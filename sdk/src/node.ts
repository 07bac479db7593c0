import * as fs from "node:fs";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Returns the file of a path, with its name, to upload. Node and Bun read it while it is sent; where that cannot be had
 * it is read first. For Node, Bun and Deno: browsers have File objects.
 */
export async function fileFrom(path: string | URL, type = ""): Promise<File> {
  const name = basename(path instanceof URL ? fileURLToPath(path) : path);
  // Not imported by name, because not every runtime has it.
  const { openAsBlob } = fs as { openAsBlob?: (path: string | URL) => Promise<Blob> };
  const content = openAsBlob ? await openAsBlob(path) : await readFile(path);
  return new File([content as Blob], name, { type });
}
