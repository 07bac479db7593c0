import type { AmdVerdict } from "#src/audio/line/line.ts";
import type { SessionOutcome } from "#src/engine/conversation/plan.ts";
import { retryDelayMs, type RetryConfig } from "#src/interactions/calls/retry.ts";
import { answererOf, hasFailed, outcomeOfMachine, outcomeOfSession } from "#src/interactions/calls/session-outcome.ts";
import type { RowOutcome } from "#src/interactions/calls/states.ts";
import type { AnsweredBy, CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { type ClaimedRow, isSimulated } from "./claim.ts";
import type { CallEnd, CallResult } from "./finish.ts";
import type { SpeechUsed } from "./open-line.ts";

/** The end of an attempt that was not answered, or was refused: retried by the job's rules, or final. */
export function endUnanswered(
  row: ClaimedRow,
  end: Omit<CallEnd, "status" | "retryMs"> & { outcome: RowOutcome },
  random: () => number,
): CallEnd {
  const delayMs = retryDelayMs(retryOf(row), end.outcome, row.attempts_made, random);
  if (delayMs === null) return { ...end, status: "FAILED", retryMs: null };
  return { ...end, status: "WAITING_FOR_RETRY", retryMs: scaleMs(row, delayMs) };
}

/** An attempt that rang nobody and is due again without having been used up. */
export function endAbsent(row: ClaimedRow, delayMs: number, end: Pick<CallEnd, "attemptState" | "error">): CallEnd {
  return { ...end, status: "QUEUED", retryMs: scaleMs(row, delayMs), uncount: true, outcome: null, endReason: null };
}

const SPOKEN = new Set<RowOutcome>(["ANSWERED", "CALL_SCREENED", "IVR"]);

/**
 * The end that a carrier's ENDED event tells, for a call on which no conversation of ours took its end. Once somebody
 * `answered`, the carrier's word counts only where it, or the answer, says that a machine took the call.
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
  // Somebody picked up: whatever became of it, this person is not rung again by a retry.
  if (spoken) return { ...base, status: "FAILED", retryMs: null, outcome: "INTERRUPTED" };
  return endUnanswered(row, { ...base, outcome }, random);
}

/** A session, with the seconds of speech that its line used beside its tokens. */
export type TalkedSession = Omit<SessionOutcome, "usage"> & { usage: SessionOutcome["usage"] & SpeechUsed };

/** The call of a conversation. */
export interface TalkedCall {
  /** The carrier's word on who answered. */
  answered: AnsweredBy;
  /** What was heard of who answered, which is the better word; null where nobody listened for it. */
  verdict: AmdVerdict | null;
  providerCallId: string;
  recorded: boolean;
}

/** The end that a conversation came to. */
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
  if (session.endReason === "AGENT_HUNG_UP_ON_MACHINE") return endUnanswered(row, { ...base, outcome }, random);
  const failed = hasFailed(session.endReason);
  return { ...base, status: failed ? "FAILED" : "COMPLETED", retryMs: null, outcome };
}

/** What of a session is kept on the row. */
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
  };
}

const SINGLE_ATTEMPT: RetryConfig = { maxAttempts: 1, retryOn: [], delaysSeconds: [], jitterPercent: 0 };

function retryOf(row: ClaimedRow): RetryConfig {
  return row.retry ?? SINGLE_ATTEMPT;
}

/** Waits in a simulated call pass at the sandbox's speed; "instant" does not wait. */
export function scaleMs(row: ClaimedRow, ms: number): number {
  if (!isSimulated(row)) return ms;
  return row.sandbox_speed === null ? 0 : ms / row.sandbox_speed;
}
