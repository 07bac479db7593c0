import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { AmdVerdict } from "#src/audio/line/line.ts";
import type { SessionOutcome } from "#src/engine/conversation/plan.ts";
import { retryDelayMs, type RetryConfig } from "#src/interactions/calls/retry.ts";
import { answererOf, hasFailed, outcomeOfMachine, outcomeOfSession } from "#src/interactions/calls/session-outcome.ts";
import type { RowOutcome } from "#src/interactions/calls/states.ts";
import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { type ClaimedRow, isSimulated } from "./claim.ts";
import type { CallEnd, CallResult } from "./finish.ts";
import type { SpeechUsed } from "./open-line.ts";

/** Returns the end of an attempt that was not answered or was refused: retried by the job's rules, or final. */
export function endUnanswered(
  row: ClaimedRow,
  end: Omit<CallEnd, "status" | "retryMs"> & { outcome: RowOutcome },
  random: () => number,
): CallEnd {
  const delayMs = retryDelayMs(retryOf(row), end.outcome, row.attempts_made, random);
  if (delayMs === null) return { ...end, status: "FAILED", retryMs: null };
  return { ...end, status: "WAITING_FOR_RETRY", retryMs: scaleMs(row, delayMs) };
}

/** Returns the end of an attempt that rang nobody: the row is due again and the attempt does not count. */
export function endAbsent(row: ClaimedRow, delayMs: number, end: Pick<CallEnd, "attemptState" | "error">): CallEnd {
  return { ...end, status: "QUEUED", retryMs: scaleMs(row, delayMs), uncount: true, outcome: null, endReason: null };
}

const SPOKEN = new Set<RowOutcome>(["ANSWERED", "CALL_SCREENED", "IVR"]);

/**
 * Returns the end from a carrier's ENDED event, for a call whose end came from no conversation of ours. Once the call
 * is `answered`, the carrier's outcome counts only if it or the answer names a machine.
 */
export function endByEvent(
  row: ClaimedRow,
  event: CarrierEvent & { type: "ENDED" },
  random: () => number,
  answered: AnsweredBy | null = null,
): CallEnd {
  const byMachine = answered === null ? null : outcomeOfMachine(answered);
  const isMachine = event.outcome === "VOICEMAIL" || event.outcome === "FAX" || byMachine !== null;
  const spoken = !isMachine && (answered !== null || SPOKEN.has(event.outcome));
  const outcome = byMachine !== null && SPOKEN.has(event.outcome) ? byMachine : event.outcome;
  const base = {
    endReason: spoken ? "ERROR_INTERRUPTED" : `CARRIER_${outcome}`,
    attemptState: "ENDED" as const,
    sipCode: event.sipCode,
    providerCallId: event.providerCallId,
    carrierEndedAt: event.at,
    error: { code: spoken ? "INTERRUPTED" : outcome, message: event.reason },
  };
  // Somebody answered, so a retry must not call this person again.
  if (spoken) return { ...base, status: "FAILED", retryMs: null, outcome: "INTERRUPTED" };
  return endUnanswered(row, { ...base, outcome }, random);
}

/** A session, with the seconds of speech that its line used besides its tokens. */
export type TalkedSession = Omit<SessionOutcome, "usage"> & { usage: SessionOutcome["usage"] & SpeechUsed };

/** Call data that the end of a conversation needs. */
export interface TalkedCall {
  /** The carrier's report of who answered. */
  answered: AnsweredBy;
  /** AMD verdict, which takes precedence; null when AMD did not run. */
  verdict: AmdVerdict | null;
  providerCallId: string;
  recorded: boolean;
}

/** Returns the end of a call from its conversation. */
export function endBySession(
  row: ClaimedRow,
  session: TalkedSession,
  { answered, verdict, providerCallId, recorded }: TalkedCall,
  random: () => number,
): CallEnd {
  const answeredBy = answererOf(answered, verdict);
  const base = {
    endReason: session.endReason,
    answeredBy,
    attemptState: "ENDED" as const,
    providerCallId,
    error: session.error,
    result: { ...toResult(session, recorded), answer: verdict },
    humanRequested: session.humanRequested,
    doubt: session.doubt,
  };
  const outcome = outcomeOfSession(session.endReason, answeredBy);
  const wasCutAtMachine = session.endReason === "INTERRUPTED_BY_OPERATOR" && outcome !== "INTERRUPTED_BY_OPERATOR";
  if (session.endReason === "AGENT_HUNG_UP_ON_MACHINE" || wasCutAtMachine)
    return endUnanswered(row, { ...base, outcome }, random);
  const failed = hasFailed(session.endReason);
  return { ...base, status: failed ? "FAILED" : "COMPLETED", retryMs: null, outcome };
}

/** Returns the part of a session that is stored on the row. */
export function toResult(session: TalkedSession, recorded: boolean): CallResult {
  return {
    transcript: session.turns,
    structuredOutputs: session.outputs as unknown as Record<string, unknown>,
    extractedFields: session.extractedFields,
    durationMs: session.durationMs,
    modelMs: session.modelMs.map((ms) => Math.round(ms * 10) / 10),
    usage: session.usage,
    recorded,
    answer: null,
    stagePath: session.stagePath,
  };
}

const SINGLE_ATTEMPT: RetryConfig = { maxAttempts: 1, retryOn: [], delaysSeconds: [], jitterPercent: 0 };

function retryOf(row: ClaimedRow): RetryConfig {
  return row.retry ?? SINGLE_ATTEMPT;
}

/** Scales a wait in a simulated call to the sandbox's speed; "instant" does not wait. */
export function scaleMs(row: ClaimedRow, ms: number): number {
  if (!isSimulated(row)) return ms;
  return row.sandbox_speed === null ? 0 : ms / row.sandbox_speed;
}
