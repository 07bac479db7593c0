import { sleep } from "#src/platform/kernel/async.ts";

const FIRST_MS = 250;
/** Each refusal of the same caller that waits already adds this: 50 connections get 40 answers a second. */
const EACH_MS = 20;
const LONGEST_MS = 2_000;

/** Refusals that wait, by caller. */
const waiting = new Map<string, number>();

/**
 * Waits before a caller, by workspace or address, is refused for too many requests. So clients that retry at once, on
 * many connections, do not take time from the others.
 */
export async function delayRefusal(key: string): Promise<void> {
  const before = waiting.get(key) ?? 0;
  waiting.set(key, before + 1);
  await sleep(Math.min(LONGEST_MS, FIRST_MS + before * EACH_MS));
  const left = (waiting.get(key) ?? 0) - 1;
  if (left > 0) waiting.set(key, left);
  else waiting.delete(key);
}
