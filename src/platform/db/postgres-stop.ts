import { sleep } from "#src/platform/kernel/async.ts";
import { codeOf } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import { PostgresFault } from "./postgres-fault.ts";
import { findPostmaster, isPostmaster, openPostgresFolder } from "./postgres-folder.ts";

const STOP_DEADLINE_MS = 10_000;
const POLL_MS = 10;

/** Stops the embedded server of a data folder, which a killed program left running; does nothing when none runs. */
export async function stopLeftPostgres(dataDir: string, log: Log): Promise<void> {
  const { data } = openPostgresFolder(dataDir);
  const postmaster = findPostmaster(data);
  if (postmaster) await stopPostmaster(postmaster.pid, data, log);
}

/** Ends the server `pid` of the folder `data`, open transactions rolled back. Throws `PostgresFault` if it stays. */
export async function stopPostmaster(pid: number, data: string, log: Log): Promise<void> {
  if (await endWith(pid, data, "SIGINT")) return;
  log.warn("The embedded database did not stop in time; it is stopped without a checkpoint.", { pid });
  if (await endWith(pid, data, "SIGQUIT")) return;
  throw new PostgresFault("STOP_FAILED", `The embedded database (process ${pid}) does not stop.`);
}

/** Sends a signal to the server `pid` of the folder `data`; returns false when it is still there after ten seconds. */
export async function endWith(pid: number, data: string, signal: NodeJS.Signals): Promise<boolean> {
  const deadline = performance.now() + STOP_DEADLINE_MS;
  if (!isPostmaster(pid, data)) return true;
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== "ESRCH") throw error;
  }
  while (isPostmaster(pid, data)) {
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
