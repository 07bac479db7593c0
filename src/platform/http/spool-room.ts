import { rmSync } from "node:fs";
import { makeFolder } from "#src/platform/files/folder.ts";
import { measureDisk } from "#src/platform/files/storage-fault.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { Budget } from "./body-budget.ts";

const MIB = 1024 * 1024;
/** Bytes of an upload between checks of the free disk space. */
const LOOK_EVERY_BYTES = 8 * MIB;

/**
 * The folder in which uploads wait, and the bytes of disk that they may take: `maxBytes` all together, half of it those
 * of one caller.
 */
export class SpoolRoom {
  readonly folder: string;
  readonly #budget: Budget;
  readonly #callerBytes: number;

  constructor(folder: string, maxBytes: number) {
    this.folder = folder;
    this.#callerBytes = Math.ceil(maxBytes / 2);
    this.#budget = new Budget({ total: maxBytes, caller: this.#callerBytes });
  }

  /** Empties the folder. One server at a time owns it, so its files were left by a killed one. */
  empty(): this {
    rmSync(this.folder, { recursive: true, force: true });
    return this;
  }

  /** Begins to count an upload of `caller`. */
  open(caller: string): SpoolShare {
    return new SpoolShare(this.folder, this.#budget, { caller, most: this.#callerBytes });
  }
}

/** The part of the room that one upload takes. */
export class SpoolShare {
  readonly #folder: string;
  readonly #budget: Budget;
  readonly #limits: { caller: string; most: number };
  #taken = 0;
  #lookAt = 0;

  constructor(folder: string, budget: Budget, limits: { caller: string; most: number }) {
    this.#folder = folder;
    this.#budget = budget;
    this.#limits = limits;
  }

  /**
   * Takes bytes before they are written. Throws UNAVAILABLE while other uploads take the room, PAYLOAD_TOO_LARGE for an
   * upload that would never fit, STORAGE_FULL when the disk itself has no space left.
   */
  async take(bytes: number): Promise<void> {
    const { caller, most } = this.#limits;
    if (this.#taken + bytes > most) {
      throw new AppError("PAYLOAD_TOO_LARGE", `This server takes uploads of at most ${most} bytes (UPLOAD_SPOOL_MIB).`);
    }
    if (!this.#budget.take(caller, bytes)) {
      throw new AppError("UNAVAILABLE", "Too many uploads are being worked on. Try again in a moment.");
    }
    this.#taken += bytes;
    if (this.#taken < this.#lookAt) return;
    this.#lookAt = this.#taken + LOOK_EVERY_BYTES;
    await assertDisk(this.#folder);
  }

  /** Gives all bytes back; a second call does nothing. */
  give(): void {
    this.#budget.give(this.#limits.caller, this.#taken);
    this.#taken = 0;
  }
}

async function assertDisk(folder: string): Promise<void> {
  await makeFolder(folder);
  if ((await measureDisk(folder)).isLow) throw new AppError("STORAGE_FULL");
}
