import { isCertain } from "#src/audio/amd/amd-verdict.ts";
import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { AmdVerdict } from "#src/audio/line/line.ts";
import type { SessionEndReason } from "#src/engine/conversation/plan.ts";
import type { RowOutcome } from "./states.ts";

const FAILED_REASONS = new Set<SessionEndReason>([
  "CARRIER_CONNECTION_LOST",
  "ERROR_INTERRUPTED",
  "ERROR_MODEL",
  "ERROR_SPEECH",
  "INTERRUPTED_BY_OPERATOR",
]);

/** True when this end reason means that the call failed rather than that a conversation was held. */
export function hasFailed(endReason: SessionEndReason): boolean {
  return FAILED_REASONS.has(endReason);
}

/** Returns the outcome of a call from the end of its conversation and from who answered. */
export function outcomeOfSession(endReason: SessionEndReason, answeredBy: AnsweredBy): RowOutcome {
  if (endReason === "CUSTOMER_OPTED_OUT") return "OPTED_OUT";
  if (endReason === "AGENT_TRANSFERRED_CALL") return "TRANSFERRED";
  if (endReason === "INTERRUPTED_BY_OPERATOR") return outcomeOfMachine(answeredBy) ?? "INTERRUPTED_BY_OPERATOR";
  if (endReason === "CARRIER_CONNECTION_LOST" || endReason === "ERROR_INTERRUPTED") return "INTERRUPTED";
  if (answeredBy === "MACHINE_SCREENING") return "CALL_SCREENED";
  if (answeredBy === "MACHINE_IVR") return "IVR";
  return outcomeOfMachine(answeredBy) ?? "ANSWERED";
}

/**
 * Returns the outcome of a call that a machine answered for good; null where a person answered or may yet answer behind
 * the machine.
 */
export function outcomeOfMachine(answeredBy: AnsweredBy): "FAX" | "VOICEMAIL" | null {
  if (answeredBy === "FAX") return "FAX";
  return answeredBy === "MACHINE_VOICEMAIL" || answeredBy === "MACHINE_UNAVAILABLE" ? "VOICEMAIL" : null;
}

/**
 * Returns who answered, from the carrier's report and our own AMD. A certain AMD verdict takes precedence, because the
 * conversation follows it. SILENCE and UNCERTAIN leave the carrier's report.
 */
export function answererOf(answered: AnsweredBy, verdict: AmdVerdict | null): AnsweredBy {
  const heard = isCertain(verdict) ? verdict.answeredBy : undefined;
  return heard === undefined || heard === "SILENCE" || heard === "UNCERTAIN" ? answered : heard;
}
