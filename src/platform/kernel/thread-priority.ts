import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { basename } from "node:path";

/** Returns the id that Linux gives to the thread that asks; throws on other systems. */
export function systemThreadId(): number {
  return Number(basename(readlinkSync("/proc/thread-self")));
}

/**
 * Raises the priority of the thread that asks above the others of the process, if the system allows it: Linux allows it
 * to root, with CAP_SYS_NICE and within RLIMIT_NICE.
 */
export function raiseThread(): void {
  try {
    setPriority(systemThreadId(), constants.priority.PRIORITY_ABOVE_NORMAL);
  } catch {
    // It stays as it is.
  }
}
