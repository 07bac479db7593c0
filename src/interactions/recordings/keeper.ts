import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { measureWaveform } from "#src/audio/recording/waveform.ts";
import type { Database } from "#src/platform/db/database.ts";
import { listFolder } from "#src/platform/files/folder.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { attemptOf, openStoredFile, type RecordingFiles } from "./recording-files.ts";
import { ERASE_RECORDINGS_TASK } from "./recordings.ts";
import { endRecording, keptRecordings, knownWorkspaces, listAbandoned, markOlder, type RecordingEnd } from "./store.ts";

const HOUR_MS = 3_600_000;
const SWEEP_EVERY_MS = 6 * HOUR_MS;
/** Minimum age of an orphan file. A younger file's row may not be stored yet, or its backup is being restored. */
const ORPHAN_AGE_MS = 24 * HOUR_MS;
const BITE = 500;
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;
const CUT_OFF = "The process that recorded it ended before the call did.";

/** Keeps the table and the folder of recordings consistent; called once a minute. */
export class RecordingKeeper {
  readonly #database: Database;
  readonly #files: RecordingFiles;
  readonly #retentionDays: number;
  #sweepAt = 0;

  constructor(database: Database, files: RecordingFiles, retentionDays: number) {
    this.#database = database;
    this.#files = files;
    this.#retentionDays = retentionDays;
  }

  /** Ends recordings that a crash left open, marks old ones, and every six hours deletes files without a row. */
  async tidy(): Promise<void> {
    await this.#endAbandoned();
    await this.#markOld();
    if (performance.now() < this.#sweepAt) return;
    this.#sweepAt = performance.now() + SWEEP_EVERY_MS;
    await this.sweep(new Date());
  }

  /** Deletes files of this database's workspaces that have no row; returns their number. */
  async sweep(now: Date): Promise<number> {
    const { folder } = this.#files;
    const known = await knownWorkspaces(this.#database.db, (await listFolder(folder)).filter(isUuid));
    let swept = 0;
    for (const workspaceId of known) {
      for (const month of await listFolder(join(folder, workspaceId))) {
        const names = await listFolder(join(folder, workspaceId, month));
        for (let at = 0; at < names.length; at += BITE) {
          const paths = names.slice(at, at + BITE).map((name) => join(folder, workspaceId, month, name));
          swept += await this.#sweepFiles(workspaceId, paths, now);
        }
      }
    }
    return swept;
  }

  async #sweepFiles(workspaceId: string, paths: string[], now: Date): Promise<number> {
    const own = paths.filter((path) => path.endsWith(".wav") && isUuid(attemptOf(path)));
    const kept = await keptRecordings(this.#database.db, workspaceId, own.map(attemptOf));
    let swept = 0;
    for (const path of own) {
      if (kept.has(attemptOf(path)) || !(await isOlder(path, now.getTime() - ORPHAN_AGE_MS))) continue;
      await rm(path, { force: true });
      swept++;
    }
    return swept;
  }

  async #endAbandoned(): Promise<void> {
    const { db } = this.#database;
    for (const found of await listAbandoned(db, this.#files.spool)) {
      const { workspace_id: workspaceId, attempt_id: attemptId, path } = found;
      await endRecording(db, workspaceId, attemptId, await this.#measure(path), ["RECORDING"]);
    }
  }

  async #measure(path: string): Promise<RecordingEnd> {
    const none: RecordingEnd = {
      byteLength: 0,
      durationMs: 0,
      peaks: [new Uint8Array(), new Uint8Array()],
      failure: { code: "INTERRUPTED", message: CUT_OFF },
    };
    try {
      // It was never moved, and a bucket that does not answer must not keep it open.
      const recording = await openStoredFile({ ...this.#files, bucket: null }, path);
      if (!recording) return none;
      return { ...none, ...(await measureWaveform(recording)), byteLength: recording.byteLength };
    } catch (error) {
      this.#files.log.warn("A recording cannot be read.", { path, error: toError(error).message });
      return none;
    }
  }

  async #markOld(): Promise<void> {
    await this.#database.db.transaction().execute(async (tx) => {
      for (const workspaceId of await markOlder(tx, this.#retentionDays)) {
        await addTask(tx, workspaceId, { kind: ERASE_RECORDINGS_TASK, subjectId: workspaceId, payload: {} });
      }
    });
  }
}

function isUuid(name: string): boolean {
  return UUID.test(name);
}

async function isOlder(path: string, time: number): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found !== null && found.mtimeMs < time;
}
