import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What a server has loaded when it is ready; V8 would begin with less, and search it all for garbage at half of that. */
const HEAP_FLAG = "--initial-old-space-size=64";
/**
 * Compiles patterns to machine code at once. By default V8 makes bytecode first, at a cost that grows with the square of
 * a pattern's length, and throws both away when a pattern rests: the first words of a person after a quiet while stopped
 * the service for 60 ms, most of it for the opt-out patterns of their language, and for 9 with this. Set in a process that
 * runs it kills that by a SIGSEGV, as soon as V8 takes the bytecode of a pattern that was used before for machine code.
 */
const PATTERN_FLAG = "--no-regexp-tier-up";

/**
 * Starts a process that waits for what it runs (enter.js). By the channel it also learns that this process died. It has a
 * file of its own because `npm start` does this before it loads all else: the process is up by the time that it is told.
 */
export function spawnServer(node) {
  // Names are looked up on the thread pool that files use too: with 4 threads a few slow name servers stop all I/O.
  const env = { UV_THREADPOOL_SIZE: "16", ...process.env };
  const args = [HEAP_FLAG, PATTERN_FLAG, fileURLToPath(new URL("enter.js", import.meta.url))];
  const child = spawn(node, args, { env, stdio: ["inherit", "inherit", "inherit", "ipc"] });
  child.on("error", () => undefined);
  return child;
}
