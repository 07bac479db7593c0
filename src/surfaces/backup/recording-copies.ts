import { link, rm } from "node:fs/promises";
import { join } from "node:path";
import { openFile } from "#src/platform/files/folder.ts";
import type { StoredFile } from "#src/platform/files/stored-file.ts";
import { codeOf } from "#src/platform/kernel/errors.ts";
import { BackupError } from "./backup-error.ts";
import { copyFile, type FileMeasure, measureFile } from "./files.ts";
import { pathOfCopy } from "./manifest.ts";

/** Paths of recordings: workspace, month, attempt. Nothing else is read or written, whatever a backup says. */
const PATH = /^[\da-f-]{36}\/\d{4}-\d{2}\/[\da-f-]{36}\.wav$/;

/** A recording in the list of a backup; `file` is null when there was none. */
export interface ListedRecording {
  path: string;
  file: FileMeasure | null;
}

/** Totals of the recordings of a backup. */
export interface RecordingTotals {
  rows: number;
  missing: number;
  bytes: number;
}

/**
 * Copies the recordings that `paths` names, one a line, into a backup, from wherever `find` has them, and yields the
 * lines of their list. Counts them in `totals`.
 */
export async function* copyRecordings(
  paths: AsyncIterable<Buffer>,
  find: (path: string) => Promise<StoredFile | null>,
  backup: string,
  totals: RecordingTotals,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for await (const path of readLines(paths)) {
    const found = PATH.test(path) ? await find(path) : null;
    const file = found && (await copyFile(found, pathOfCopy(backup, path), signal));
    totals.rows++;
    totals.bytes += file?.bytes ?? 0;
    if (file === null) totals.missing++;
    yield Buffer.from(`${path}\t${file === null ? "missing" : `${file.bytes}\t${file.sha256}`}\n`);
  }
}

/** Reads the list of recordings of a backup. Throws for a line that this version would not write. */
export async function* readRecordingList(pieces: AsyncIterable<Buffer>): AsyncGenerator<ListedRecording> {
  for await (const line of readLines(pieces)) {
    const [, path, bytes, sha256] = /^([^\t]*)\t(?:missing|(\d+)\t([\da-f]{64}))$/.exec(line) ?? [];
    if (path === undefined || (bytes !== undefined && !PATH.test(path)))
      throw new BackupError(`The list of recordings is damaged at: ${line.slice(0, 200)}`);
    yield { path, file: bytes === undefined ? null : { bytes: Number(bytes), sha256: sha256 as string } };
  }
}

/** Returns what is wrong with a recording in a backup; null when it is as listed. */
export async function checkRecording(backup: string, { path, file }: ListedRecording): Promise<string | null> {
  if (file === null) return null;
  const copy = pathOfCopy(backup, path);
  const found = await measureFile(copy);
  if (found === null) return `${copy} is missing.`;
  return isSame(found, file) ? null : `${copy} was changed.`;
}

/**
 * Puts a recording of a backup into its place, and returns its path; null when it is there already. Throws when the
 * backup's copy was changed, or when another file is in its place.
 */
export async function putBack(
  backup: string,
  { path, file }: ListedRecording,
  recordings: string,
): Promise<string | null> {
  if (file === null) return null;
  const place = join(recordings, path);
  const draft = `${place}.restoring`;
  const copy = await openFile(pathOfCopy(backup, path));
  if (copy === null) throw new BackupError(`${pathOfCopy(backup, path)} is missing.`);
  const copied = await copyFile(copy, draft);
  try {
    if (!isSame(copied, file)) throw new BackupError(`${pathOfCopy(backup, path)} was changed.`);
    await link(draft, place);
    return place;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    const found = await measureFile(place);
    if (found !== null && isSame(found, file)) return null;
    throw new BackupError(`${place} is another file than that of the backup. Move it away first.`);
  } finally {
    await rm(draft, { force: true });
  }
}

function isSame(one: FileMeasure, other: FileMeasure): boolean {
  return one.bytes === other.bytes && one.sha256 === other.sha256;
}

async function* readLines(pieces: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of pieces) {
    const lines = (rest + piece.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
