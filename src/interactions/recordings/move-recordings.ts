import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "#src/platform/db/database.ts";
import { type Bucket, BucketFault, UnreadableFile } from "#src/platform/files/bucket.ts";
import { isMissing, listFolder } from "#src/platform/files/folder.ts";
import { Notifier, within } from "#src/platform/kernel/async.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import { attemptOf, type RecordingFiles } from "./recording-files.ts";
import { markErased, markMoved, type MovableRecording, readMovable } from "./store.ts";

/** Pause between looks into the folder, which finds what a killed process left. */
const LOOK_EVERY_MS = 60_000;
const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
const BITE = 500;
const AT_ONCE = 4;

/** Recordings that wait in this node's folder for the bucket. */
export interface WaitingRecordings {
  count: number;
  /** Time of the oldest one's last write, in milliseconds; null when none waits. */
  since: number | null;
}

/** Result of the last request to the bucket: null after a success, else what is wrong, for the operator. */
export type BucketState = string | null;

/**
 * Moves finished recordings from this node's folder to the bucket. The folder is the queue: a file is deleted from it
 * only when the bucket has it and its row says so, so a process that is killed at any moment leaves it to be found
 * again. The files of erased recordings are deleted in both places.
 */
export class RecordingMover {
  readonly #db: Database["db"];
  readonly #files: RecordingFiles;
  readonly #bucket: Bucket;
  readonly #onMoved: (result: "OK" | "FAILED") => void;
  readonly #notifier = new Notifier();
  #loop: Promise<void> | undefined;
  #isStopping = false;
  #pauseMs = 0;
  #fault: BucketState = null;
  #unreadable: string | null = null;
  #waiting: WaitingRecordings = { count: 0, since: null };

  constructor(
    { db }: Database,
    files: RecordingFiles & { bucket: Bucket },
    onMoved: (result: "OK" | "FAILED") => void = () => undefined,
  ) {
    this.#db = db;
    this.#files = files;
    this.#bucket = files.bucket;
    this.#onMoved = onMoved;
  }

  /** Fault of the bucket, or else of a file that waits for it; null without one. */
  get fault(): BucketState {
    return this.#fault ?? this.#unreadable;
  }

  /** Recordings that waited in the folder at the last look. */
  get waiting(): WaitingRecordings {
    return this.#waiting;
  }

  /** Begins to move what waits. The bucket is tried at once, so that a wrong setting is known before a call ends. */
  start(): void {
    this.#loop ??= this.#run();
  }

  /** Looks now: a recording is finished. While the bucket fails, its pause goes on. */
  wake(): void {
    if (this.#fault === null) this.#notifier.notify();
  }

  /** Looks once more, for at most `graceMs`, and stops. */
  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true;
    this.#notifier.notify();
    await within(Promise.resolve(this.#loop), graceMs);
  }

  /** Tries the bucket; returns what is wrong with it or with what waits, or null. */
  async check(): Promise<BucketState> {
    try {
      await this.#bucket.check(this.#checkPath);
      this.#note(null);
    } catch (error) {
      this.#note(toError(error));
    }
    return this.fault;
  }

  /** Moves all that is finished in the folder. Throws the first fault of the bucket; what is left waits. */
  async #moveAll(): Promise<void> {
    let count = 0;
    let since: number | null = null;
    let fault: unknown = null;
    let unreadable: UnreadableFile | null = null;
    for await (const { workspaceId, paths } of listBites(this.#files.folder)) {
      const found = await readMovable(this.#db, workspaceId, paths.map(attemptOf));
      const due = found.filter(({ path, state }) => state !== "RECORDING" && paths.includes(path));
      for (let at = 0; at < due.length; at += AT_ONCE) {
        const bite = due.slice(at, at + AT_ONCE);
        // After a fault the rest is only counted, and waits for the next run.
        const ends = fault ? [] : await this.#moveBite(workspaceId, bite);
        // A file that cannot be read holds up no other.
        unreadable ??= ends.find((end) => end instanceof UnreadableFile) ?? null;
        fault ??= ends.find((end) => end !== null && !(end instanceof UnreadableFile)) ?? null;
        for (const [index, { path }] of bite.entries()) {
          const changed = ends[index] === null ? null : await changedAt(join(this.#files.folder, path));
          if (changed === null) continue;
          count++;
          since = Math.min(since ?? changed, changed);
        }
      }
    }
    this.#waiting = { count, since };
    this.#noteUnreadable(unreadable);
    if (fault) throw toError(fault);
  }

  get #checkPath(): string {
    return `.parley-check-${this.#files.spool}`;
  }

  async #run(): Promise<void> {
    await this.check();
    for (;;) {
      const isLast = this.#isStopping;
      try {
        await this.#moveAll();
        if (this.#fault !== null) await this.#bucket.check(this.#checkPath);
        this.#note(null);
        this.#pauseMs = 0;
      } catch (error) {
        this.#note(toError(error));
        this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * this.#pauseMs));
      }
      if (isLast) return;
      await this.#notifier.wait(this.#pauseMs || LOOK_EVERY_MS);
    }
  }

  /** Moves some recordings at once; returns the fault of each, or null. */
  #moveBite(workspaceId: string, bite: MovableRecording[]): Promise<unknown[]> {
    return Promise.all(
      bite.map((recording) =>
        this.#move(workspaceId, recording).then(
          () => null,
          (error: unknown) => error,
        ),
      ),
    );
  }

  async #move(workspaceId: string, { attempt_id: id, path, state }: MovableRecording): Promise<void> {
    const from = join(this.#files.folder, path);
    const isKept = state === "READY" || state === "FAILED";
    if (isKept) {
      try {
        await this.#bucket.put(path, from);
      } catch (error) {
        // Another node that sees the same folder was faster, or the recording was erased.
        if (isMissing(error) || (await changedAt(from)) === null) return;
        this.#onMoved("FAILED");
        throw error;
      }
      this.#onMoved("OK");
    }
    // It may have been erased while it was on its way.
    if (!isKept || !(await markMoved(this.#db, workspaceId, id))) await this.#bucket.remove(path);
    await rm(from, { force: true });
    if (!isKept) await markErased(this.#db, workspaceId, [id]);
  }

  #noteUnreadable(error: UnreadableFile | null): void {
    const message = error?.message ?? null;
    if (message !== null && message !== this.#unreadable)
      this.#files.log.error("A recording cannot be moved to the bucket, and waits in the folder.", { error: message });
    this.#unreadable = message;
  }

  #note(error: Error | null): void {
    const { log } = this.#files;
    if (error !== null && this.#fault !== error.message) {
      const fields = { error: error.message };
      if (error instanceof BucketFault) {
        log.error("Recordings cannot be moved to their bucket. They wait in the folder, and calls go on.", fields);
      } else {
        log.warn("Recordings were not moved to their bucket. They are tried again.", fields);
      }
    }
    if (error === null && this.#fault !== null) log.warn("Recordings are moved to their bucket again.");
    this.#fault = error?.message ?? null;
  }
}

/** Lists the files of recordings in a folder, in bites of one workspace. */
async function* listBites(folder: string): AsyncGenerator<{ workspaceId: string; paths: string[] }> {
  for (const workspaceId of (await listFolder(folder)).filter(isUuid)) {
    for (const month of await listFolder(join(folder, workspaceId))) {
      const names = (await listFolder(join(folder, workspaceId, month))).filter((name) => isUuid(attemptOf(name)));
      for (let at = 0; at < names.length; at += BITE) {
        const paths = names.slice(at, at + BITE).map((name) => join(workspaceId, month, name));
        yield { workspaceId, paths };
      }
    }
  }
}

async function changedAt(path: string): Promise<number | null> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
