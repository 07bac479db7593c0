import { sleep } from "#src/platform/kernel/async.ts";
import type { AnsweredBy, AskedAttempt, Carrier, LookUpResult } from "#src/telephony/carriers/carrier.ts";

/** A call that is over; who had answered it by its carrier's last word, null when nobody is known to have. */
type Over = LookUpResult & { kind: "ENDED" } & { answeredBy: AnsweredBy | null };

/** The true state of an uncertain attempt. UNCONFIRMED: it cannot be known any more. */
export type Settled =
  | Exclude<LookUpResult, { kind: "UNCERTAIN" | "ENDED" }>
  | Over
  | { kind: "UNCONFIRMED"; message: string };

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** What the carrier's own events told of an attempt so far, whichever node they reached; null: none came. */
export type ReadAttemptState = () => Promise<AttemptState | null>;

/** The furthest that events tell. */
export interface AttemptState {
  providerCallId: string;
  state: Exclude<Settled, { kind: "ABSENT" | "UNCONFIRMED" }>;
}

/**
 * Finds out about an attempt until something certain is known, or the carrier's horizon has passed: then the attempt
 * is UNCONFIRMED and never dialled again. Events that came tell more than a look-up, and are what is left where a
 * carrier finds a call by nothing but its own id. Absence counts only where the carrier's look-up proves it
 * (reliability 2.1); elsewhere "not found" may mean "not yet", so it is asked again until the horizon.
 */
export async function settle(
  carrier: Carrier,
  attempt: AskedAttempt,
  readAttemptState: ReadAttemptState,
  signal: AbortSignal,
): Promise<Settled> {
  const deadline = performance.now() + carrier.capabilities.horizonMs;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    const reported = await readAttemptState();
    if (reported?.state.kind === "ENDED") return reported.state;
    const providerCallId = attempt.providerCallId ?? reported?.providerCallId ?? null;
    const found = await carrier.lookUp({ ...attempt, providerCallId }, signal);
    if (reported && (found.kind === "ABSENT" || found.kind === "UNCERTAIN")) return reported.state;
    // Where the carrier knows that a call lives, and not that it was answered.
    if (reported?.state.kind === "ANSWERED" && found.kind === "RINGING") return reported.state;
    if (found.kind === "ENDED") return { ...found, answeredBy: answererOf(reported) };
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

function answererOf(reported: AttemptState | null): AnsweredBy | null {
  return reported?.state.kind === "ANSWERED" ? reported.state.answeredBy : null;
}
