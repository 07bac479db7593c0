import { link, rm } from "node:fs/promises";
import { join } from "node:path";
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
 * Copies the recordings that `paths` names, one a line, into a backup, and yields the lines of their list. Counts them
 * in `totals`.
 */
export async function* copyRecordings(
  paths: AsyncIterable<Buffer>,
  recordings: string,
  backup: string,
  totals: RecordingTotals,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for await (const path of readLines(paths)) {
    const file = PATH.test(path) ? await copyFile(join(recordings, path), pathOfCopy(backup, path), signal) : null;
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
  const copied = await copyFile(pathOfCopy(backup, path), draft);
  try {
    if (copied === null) throw new BackupError(`${pathOfCopy(backup, path)} is missing.`);
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
