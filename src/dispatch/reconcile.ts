import type { Carrier, LookUpResult } from "#src/carriers/carrier.ts";
import { sleep } from "#src/kernel/async.ts";

/** The true state of an uncertain attempt. UNCONFIRMED: it cannot be known any more. */
export type Settled = Exclude<LookUpResult, { kind: "UNCERTAIN" }> | { kind: "UNCONFIRMED"; message: string };

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/**
 * Asks the carrier about an attempt until it gives a certain answer, or its horizon has passed: then the attempt
 * is UNCONFIRMED and never dialled again. Absence counts only where the carrier's look-up proves it (reliability
 * 2.1); elsewhere "not found" may mean "not yet", so it is asked again until the horizon.
 */
export async function settle(carrier: Carrier, attemptId: string, signal: AbortSignal): Promise<Settled> {
  const deadline = performance.now() + carrier.capabilities.horizonMs;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    const found = await carrier.lookUp(attemptId, signal);
    if (found.kind === "ABSENT" && carrier.capabilities.absenceIsProof) return found;
    if (found.kind !== "ABSENT" && found.kind !== "UNCERTAIN") return found;
    if (performance.now() + waitMs > deadline) {
      const message =
        found.kind === "UNCERTAIN" ? found.message : "The carrier does not know the call, which proves nothing.";
      return { kind: "UNCONFIRMED", message };
    }
    await sleep(waitMs, signal);
  }
}
