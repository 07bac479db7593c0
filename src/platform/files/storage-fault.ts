import { statfs } from "node:fs/promises";
import { AppError, codeOf } from "#src/platform/kernel/errors.ts";

const MIB = 1024 * 1024;
/**
 * Disk space that is left to everything else, including the database: so many bytes, or this share of a smaller disk.
 */
const RESERVE_BYTES = 256 * MIB;
const RESERVE_SHARE = 0.05;

/** Room on the disk of a folder. */
export interface DiskRoom {
  freeBytes: number;
  /** True when less is free than is left to the database and to recordings. */
  isLow: boolean;
}

/** Measures the disk of a folder. */
export async function measureDisk(folder: string): Promise<DiskRoom> {
  const { bavail, blocks, bsize } = await statfs(folder);
  const freeBytes = bavail * bsize;
  return { freeBytes, isLow: freeBytes < Math.min(RESERVE_BYTES, blocks * bsize * RESERVE_SHARE) };
}

/** Faults of a disk, by the codes that the system gives for them. */
const FAULTS = {
  FULL: ["ENOSPC", "EDQUOT"],
  READ_ONLY: ["EROFS", "EACCES", "EPERM"],
  SLOW: ["ETIMEDOUT"],
  FAILED: ["EIO", "ENXIO", "ESTALE"],
} as const;
export type StorageFault = keyof typeof FAULTS;

/** Returns the fault of a disk for a code of the system; null for another code. */
export function storageFaultOf(code: string): StorageFault | null {
  return (Object.keys(FAULTS) as StorageFault[]).find((fault) => FAULTS[fault].some((of) => of === code)) ?? null;
}

/** Converts an error of writing a file into the answer to the request that caused it; null for another error. */
export function toStorageError(thrown: unknown): AppError | null {
  const fault = storageFaultOf(codeOf(thrown) ?? "");
  if (fault === null) return null;
  if (fault === "FULL") return new AppError("STORAGE_FULL");
  return new AppError("UNAVAILABLE", "The disk of this server cannot be written. Try again in a moment.");
}
