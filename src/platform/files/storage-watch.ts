import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { within } from "#src/platform/kernel/async.ts";
import { codeOf, toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { Repeater } from "#src/platform/kernel/repeater.ts";
import { makeFolder } from "./folder.ts";
import { type DiskRoom, measureDisk, type StorageFault, storageFaultOf } from "./storage-fault.ts";

const EVERY_MS = 10_000;
/** A write that takes longer counts as slow. */
const PATIENCE_MS = 5_000;
const PROBE = new Uint8Array(4_096);

/** State of a folder's disk: LOW while uploads are refused to keep room, null while it is well. */
export interface FolderState {
  name: string;
  path: string;
  fault: StorageFault | "LOW" | null;
  /** Null while it cannot be measured. */
  freeBytes: number | null;
}

/** Watches the disks of folders by writing a small file to each, so that a fault is known before a call needs them. */
export class StorageWatch {
  readonly #folders: FolderState[];
  readonly #owner: { readonly id: string };
  readonly #log: Log;
  readonly #repeater: Repeater;
  /** Probes that have not ended, by folder: a disk that hangs gets no second one. */
  readonly #running = new Map<string, Promise<DiskRoom>>();

  /** The id of `owner` distinguishes this process's files from those of others that write to the same folder. */
  constructor(folders: Record<string, string>, owner: { readonly id: string }, log: Log) {
    this.#folders = Object.entries(folders).map(([name, path]) => ({ name, path, fault: null, freeBytes: null }));
    this.#owner = owner;
    this.#log = log;
    this.#repeater = new Repeater(
      EVERY_MS,
      () => this.look(),
      () => undefined,
    );
  }

  /** States as of the last look. */
  get folders(): readonly Readonly<FolderState>[] {
    return this.#folders;
  }

  /** Looks at the disks now, and from then on every ten seconds. */
  async start(): Promise<void> {
    await this.look();
    this.#repeater.start();
  }

  /** Looks no more. */
  stop(): Promise<void> {
    return this.#repeater.stop();
  }

  /** Writes to each folder. Never rejects, and ends while a disk hangs. */
  async look(): Promise<void> {
    await Promise.all(this.#folders.map((folder) => this.#lookAt(folder)));
  }

  async #lookAt(folder: FolderState): Promise<void> {
    const before = folder.fault;
    try {
      const room = await within(this.#probe(folder), PATIENCE_MS);
      folder.freeBytes = room?.freeBytes ?? null;
      folder.fault = room ? (room.isLow ? "LOW" : null) : "SLOW";
    } catch (error) {
      folder.freeBytes = await measureDisk(folder.path)
        .then(({ freeBytes }) => freeBytes)
        .catch(() => null);
      folder.fault = storageFaultOf(codeOf(error) ?? "") ?? "FAILED";
      if (folder.fault === "FAILED") this.#log.debug("A disk failed.", { error: toError(error).message });
    }
    if (folder.fault === before) return;
    const { name, path, fault, freeBytes } = folder;
    if (fault === null) this.#log.warn("The disk is well again.", { folder: name, path, freeBytes });
    else this.#log.error("A disk needs help.", { folder: name, path, fault, freeBytes });
  }

  #probe({ path }: FolderState): Promise<DiskRoom> {
    const running = this.#running.get(path);
    if (running) return running;
    const probe = writeProbe(path, join(path, `.probe-${this.#owner.id}`)).finally(() => this.#running.delete(path));
    this.#running.set(path, probe);
    return probe;
  }
}

async function writeProbe(folder: string, path: string): Promise<DiskRoom> {
  await makeFolder(folder);
  const file = await open(path, "w", 0o600);
  try {
    await file.write(PROBE);
    await file.datasync();
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
  return measureDisk(folder);
}
