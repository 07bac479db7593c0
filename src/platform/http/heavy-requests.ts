import { AppError } from "#src/platform/kernel/errors.ts";
import { Turns } from "#src/platform/kernel/turns.ts";

/** A body of this size or more is processed in turns. */
const HEAVY_BYTES = 256 * 1024;
/** Turns of requests with such bodies: two at once in this process, one of each workspace. */
const turns = new Turns({ slots: 2, perKey: 1 });
const MAX_WAIT_MS = 20_000;

/**
 * Runs the work of a request with a body of `bytes`. Work on a large body waits for its turn, taken by workspace,
 * before it takes a connection; other work does not wait. Throws UNAVAILABLE when no turn came within 20 s.
 */
export function runInTurn<T>(workspaceId: string, bytes: number, work: () => Promise<T>): Promise<T> {
  if (bytes < HEAVY_BYTES) return work();
  const tooLate = () => new AppError("UNAVAILABLE", "Other large requests are being worked on. Try again in a moment.");
  return turns.run(workspaceId, work, { maxWaitMs: MAX_WAIT_MS, tooLate });
}
