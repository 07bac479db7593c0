import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** What a server has loaded when it is ready; V8 would begin with less, and search it all for garbage at half of that. */
const HEAP_FLAG = "--initial-old-space-size=64";

/**
 * Starts a process that waits for what it runs (enter.js). By the channel it also learns that this process died. It has a
 * file of its own because `npm start` does this before it loads all else: the process is up by the time that it is told.
 */
export function spawnServer(node) {
  // Names are looked up on the thread pool that files use too: with 4 threads a few slow name servers stop all I/O.
  const env = { UV_THREADPOOL_SIZE: "16", ...process.env };
  const args = [HEAP_FLAG, fileURLToPath(new URL("enter.js", import.meta.url))];
  const child = spawn(node, args, { env, stdio: ["inherit", "inherit", "inherit", "ipc"] });
  child.on("error", () => undefined);
  return child;
}
