import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import { sleep } from "#src/platform/kernel/async.ts";
import type { AskedAttempt, Carrier, LookUpResult } from "#src/telephony/carriers/carrier.ts";
import type { PlacedCall } from "./attempt.ts";

/** A call that is over, with who answered it by the carrier's last report; null when no answer is known. */
type Over = LookUpResult & { kind: "ENDED" } & { answeredBy: AnsweredBy | null };

/** The true state of an uncertain attempt. UNCONFIRMED means that it can no longer be known. */
export type Settled =
  | Exclude<LookUpResult, { kind: "UNCERTAIN" | "ENDED" }>
  | Over
  | { kind: "UNCONFIRMED"; message: string };

/** A settled attempt whose call the carrier still has. */
export type LiveState = Extract<Settled, { kind: "RINGING" | "ANSWERED" }>;

/** True when the carrier still has the call of a settled attempt. */
export function isLive(found: Settled): found is LiveState {
  return found.kind === "RINGING" || found.kind === "ANSWERED";
}

/** Returns the call of a settled attempt that the carrier still has. */
export function toPlacedCall(live: LiveState): PlacedCall {
  return { providerCallId: live.providerCallId, answeredBy: live.kind === "ANSWERED" ? live.answeredBy : null };
}

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** Reads the state of an attempt from the carrier's events, whichever node received them; null when there are none. */
export type ReadReportedAttempt = () => Promise<ReportedAttempt | null>;

/** The furthest state in the events. */
export interface ReportedAttempt {
  providerCallId: string;
  state: Exclude<Settled, { kind: "ABSENT" | "UNCONFIRMED" }>;
}

/**
 * Looks an attempt up until its state is certain or the carrier's horizon has passed; then it is UNCONFIRMED and never
 * dialled again. Events count for more than a look-up, and are all there is if a carrier finds a call only by its own
 * id. Absence counts only if the carrier's look-up proves it (reliability 2.1). Elsewhere "not found" may mean "not
 * yet", so the look-up is repeated until the horizon.
 */
export async function reconcile(
  carrier: Carrier,
  attempt: AskedAttempt,
  readReportedAttempt: ReadReportedAttempt,
  signal: AbortSignal,
): Promise<Settled> {
  const deadline = performance.now() + carrier.capabilities.horizonMs;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    const reported = await readReportedAttempt();
    if (reported?.state.kind === "ENDED") return reported.state;
    const providerCallId = attempt.providerCallId ?? reported?.providerCallId ?? null;
    const found = await carrier.lookUp({ ...attempt, providerCallId }, signal);
    if (reported && (found.kind === "ABSENT" || found.kind === "UNCERTAIN")) return reported.state;
    // For carriers that know that a call is live but not that it was answered.
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

function answererOf(reported: ReportedAttempt | null): AnsweredBy | null {
  return reported?.state.kind === "ANSWERED" ? reported.state.answeredBy : null;
}
