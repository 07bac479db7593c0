import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** Core of the server that is measured, with its database. */
export const SERVER_CORE = "0";
/** Core of what the server is measured with. */
export const CALLERS_CORE = "1";

/** True when this machine has a core for the server and another one for its callers. */
export function canPin(): boolean {
  if (availableParallelism() === 1) return false;
  try {
    execFileSync("taskset", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Returns the arguments before a command that keep it on one core. */
export function pinTo(core: string, isPinned: boolean): string[] {
  return isPinned ? ["taskset", "-c", core] : [];
}

/** Starts a process on its core, as a session leader and with raised priority, as far as the machine allows it. */
export function startPinned(core: string, isPinned: boolean, command: string[]): ChildProcess {
  const [file = "", ...args] = [...pinTo(core, isPinned), ...command];
  const child = spawn(file, args, { stdio: ["pipe", "pipe", "inherit"], detached: true });
  try {
    writeFileSync(`/proc/${child.pid}/autogroup`, "-15");
  } catch {
    // Only root may, and only where sessions are scheduled as groups.
  }
  return child;
}
