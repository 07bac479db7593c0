import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { codeOf } from "./errors.ts";

/**
 * Writes a file (mode 0600) unless it exists, and returns the line that it holds. The text is written to a draft and
 * linked into place, so that a kill leaves no half-written file and of two starts one wins.
 */
export function writeOnce(path: string, text: string): string {
  const draft = writeAside(path, text);
  try {
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, "utf8").trim();
}

/**
 * Writes a line to a draft beside `path` (mode 0600), flushed to the disk, and returns the draft's path, to be moved
 * into place.
 */
export function writeAside(path: string, text: string): string {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true });
  return draft;
}
