import { outcomeOfMachine } from "#src/interactions/calls/session-outcome.ts";
import type { DialResult } from "#src/telephony/carriers/carrier.ts";
import { GATE_REASONS } from "#src/tenancy/compliance/gate.ts";
import type { ClaimedRow, ReapedRow } from "./claim.ts";
import type { CallEnd } from "./finish.ts";
import { endAbsent, endByEvent, endUnanswered } from "./outcome.ts";
import type { LiveState, Settled } from "./reconcile.ts";

/** A dial refused with proof that nobody was rung. */
export type Refusal = DialResult & { kind: "REFUSED" };

/** Returns the end of a row that the compliance gate blocked. */
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

/** Returns the end of a row whose flow was deleted. */
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

/** Error code of a call without speech providers. */
export const NO_SPEECH = "SPEECH_NOT_CONFIGURED";

/** Returns the error of a call without speech providers: an agent that cannot hear or speak must not call anybody. */
export function noSpeech(missing: string): { code: string; message: string } {
  return { code: NO_SPEECH, message: `${missing} The call waits: see docs/speech.md.` };
}

/** Returns the end of a dial that the carrier refused: the row is due again, or the attempt counts. */
export function endRefused(row: ClaimedRow, refusal: Refusal, random: () => number): CallEnd {
  const error = { code: refusal.code, message: refusal.message };
  if (refusal.then === "REQUEUE") {
    return endAbsent(row, refusal.retryAfterMs ?? 1_000, { attemptState: "REFUSED", error });
  }
  const base = { outcome: refusal.outcome, endReason: `CARRIER_${refusal.outcome}`, attemptState: "REFUSED" as const };
  return endUnanswered(row, { ...base, error }, random);
}

/** Returns the end of an attempt whose call was ended on request. Its row is never retried. */
export function notAgain(end: CallEnd): CallEnd {
  if (end.retryMs === null) return end;
  return { ...end, status: "CANCELLED", retryMs: null, outcome: "CANCELLED", endReason: "ENDED_BY_REQUEST" };
}

/** Returns the end of a call that was ended on request before it was answered. */
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

/** Returns the end of a dial whose result can no longer be found out. */
function endUnconfirmed(message: string): CallEnd {
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

/** Returns the end of an uncertain attempt whose call the carrier no longer has. */
export function endSettled(row: ClaimedRow, found: Exclude<Settled, LiveState>, random: () => number): CallEnd {
  switch (found.kind) {
    case "ABSENT":
      return endAbsent(row, 0, { attemptState: "ABSENT", error: null });
    case "UNCONFIRMED":
      return endUnconfirmed(found.message);
    case "ENDED":
      return endByEvent(row, found.event, random, found.answeredBy);
  }
}

/** Returns the end of a call during which this server, or its predecessor, died. */
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
 * Returns the end of a conversation that died with its node. A person who answered is not called again, whatever the
 * carrier reports. If a machine answered, the job's rules apply.
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
