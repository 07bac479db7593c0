import { readlinkSync } from "node:fs";
import { constants, getPriority, setPriority } from "node:os";
import { basename } from "node:path";

/** Returns the id that Linux gives to the thread that asks; throws on other systems. */
export function systemThreadId(): number {
  return Number(basename(readlinkSync("/proc/thread-self")));
}

/**
 * Raises the priority of the thread that asks above the others of the process, whose own an operator may have changed, if
 * the system allows it: Linux allows it to root, with CAP_SYS_NICE and within RLIMIT_NICE.
 */
export function raiseThread(): void {
  const { PRIORITY_ABOVE_NORMAL, PRIORITY_HIGHEST } = constants.priority;
  try {
    setPriority(systemThreadId(), Math.max(PRIORITY_HIGHEST, getPriority(process.pid) + PRIORITY_ABOVE_NORMAL));
  } catch {
    // It stays as it is.
  }
}
