import { sleep } from "#src/platform/kernel/async.ts";
import type { TaskEnd } from "./queue.ts";

/**
 * Does work on very many rows in short transactions, and rests after each for as long as it took. `takeBite` gets how far
 * the work came, and returns how far it is now; null when it is done. A process that stops leaves the rest to the next.
 */
export async function inBites<Progress>(
  progress: Progress,
  takeBite: (progress: Progress) => Promise<Progress | null>,
  signal: AbortSignal,
): Promise<TaskEnd> {
  let left: Progress | null = progress;
  while (left !== null) {
    if (signal.aborted) return { kind: "LATER", afterMs: 0 };
    const since = performance.now();
    left = await takeBite(left);
    await sleep(performance.now() - since, signal).catch(() => undefined);
  }
  return { kind: "DONE" };
}

const LONGEST_PAUSE_MS = 60_000;

/** Schedule after errors of a task that never gives up: a second, and twice as long after each, up to a minute. */
export const afterAnyCrashMs = (attempt: number): number => Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** attempt);
