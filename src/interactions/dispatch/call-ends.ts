import { outcomeOfMachine } from "#src/interactions/calls/session-outcome.ts";
import type { DialResult } from "#src/telephony/carriers/carrier.ts";
import { GATE_REASONS } from "#src/tenancy/compliance/gate.ts";
import type { ClaimedRow, ReapedRow } from "./claim.ts";
import type { CallEnd } from "./finish.ts";
import { endAbsent, endByEvent, endUnanswered } from "./outcome.ts";
import type { Settled } from "./reconcile.ts";

/** A dial that proves to have rung nobody. */
export type Refusal = DialResult & { kind: "REFUSED" };

/** The compliance gate forbade the dial. */
export function endBlocked(row: ClaimedRow): CallEnd {
  const code = row.blocked ?? "COUNTRY_NOT_ENABLED";
  const error = { code, message: GATE_REASONS[code] };
  return {
    status: "SKIPPED",
    retryMs: null,
    outcome: "BLOCKED",
    endReason: `GATE_${code}`,
    error,
    attemptState: "ENDED",
  };
}

/** The flow of the row is gone. */
export function endWithoutFlow(): CallEnd {
  const error = { code: "FLOW_MISSING", message: "The flow was deleted before the call was placed." };
  return {
    status: "FAILED",
    retryMs: null,
    outcome: "FLOW_MISSING",
    endReason: "ERROR_FLOW_MISSING",
    error,
    attemptState: "ABSENT",
  };
}

/** Nobody is rung by an agent that can neither hear nor speak. */
export function noSpeech(missing: string): { code: string; message: string } {
  return { code: "SPEECH_NOT_CONFIGURED", message: `${missing} The call waits: see docs/speech.md.` };
}

/** The carrier refused the dial: the row is due again, or its attempt is used up. */
export function endRefused(row: ClaimedRow, refusal: Refusal, random: () => number): CallEnd {
  const error = { code: refusal.code, message: refusal.message };
  if (refusal.then === "REQUEUE") {
    return endAbsent(row, refusal.retryAfterMs ?? 1_000, { attemptState: "REFUSED", error });
  }
  const base = { outcome: refusal.outcome, endReason: `CARRIER_${refusal.outcome}`, attemptState: "REFUSED" as const };
  return endUnanswered(row, { ...base, error }, random);
}

/** The end of an attempt whose call somebody ended: whatever became of it, nobody is rung again. */
export function notAgain(end: CallEnd): CallEnd {
  if (end.retryMs === null) return end;
  return { ...end, status: "CANCELLED", retryMs: null, outcome: "CANCELLED", endReason: "ENDED_BY_REQUEST" };
}

/** Somebody ended the call before it was answered. */
export function endGivenUp(providerCallId: string): CallEnd {
  return {
    status: "CANCELLED",
    retryMs: null,
    outcome: "CANCELLED",
    endReason: "ENDED_BY_REQUEST",
    error: null,
    attemptState: "ENDED",
    providerCallId,
  };
}

/** Nobody can tell any more what became of the dial. */
export function endUnconfirmed(message: string): CallEnd {
  const error = { code: "UNCONFIRMED", message };
  return {
    status: "UNCONFIRMED",
    retryMs: null,
    outcome: "UNCONFIRMED",
    endReason: "CARRIER_UNCONFIRMED",
    error,
    attemptState: "UNCONFIRMED",
  };
}

/** This server, or the one before it, stopped in the middle of the call. */
export function endInterrupted(providerCallId: string): CallEnd {
  const error = { code: "INTERRUPTED", message: "The server stopped during the call." };
  return {
    status: "FAILED",
    retryMs: null,
    outcome: "INTERRUPTED",
    endReason: "ERROR_INTERRUPTED",
    error,
    attemptState: "ENDED",
    providerCallId,
  };
}

/**
 * The end of a conversation that died with its node. Whoever picked up is not rung again, whatever the carrier makes of
 * the call or has forgotten of it; where it was a machine, the job's rules hold.
 */
export function endLostConversation(row: ReapedRow, found: Settled, random: () => number): CallEnd {
  if (found.kind === "UNCONFIRMED") return endUnconfirmed(found.message);
  const lost = endInterrupted(row.provider_call_id ?? (row.attempt_id as string));
  if (found.kind === "ENDED") {
    const end = endByEvent(row, found.event, random, found.answeredBy ?? "UNCERTAIN");
    return end.outcome === "INTERRUPTED" ? { ...end, ...lost, providerCallId: found.event.providerCallId } : end;
  }
  const outcome = found.kind === "ANSWERED" ? outcomeOfMachine(found.answeredBy) : null;
  return outcome === null ? lost : endUnanswered(row, { ...lost, outcome, endReason: `CARRIER_${outcome}` }, random);
}
