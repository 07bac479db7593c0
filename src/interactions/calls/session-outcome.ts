import { isCertain } from "#src/audio/amd/amd-verdict.ts";
import type { AmdVerdict } from "#src/audio/line/line.ts";
import type { SessionEndReason } from "#src/engine/conversation/plan.ts";
import type { AnsweredBy } from "#src/telephony/carriers/carrier.ts";
import type { RowOutcome } from "./states.ts";

const FAILED_REASONS = new Set<SessionEndReason>([
  "CARRIER_CONNECTION_LOST",
  "ERROR_INTERRUPTED",
  "ERROR_MODEL",
  "ERROR_SPEECH",
]);

/** Whether a conversation that ended like this is no conversation: its call has failed. */
export function hasFailed(endReason: SessionEndReason): boolean {
  return FAILED_REASONS.has(endReason);
}

/** The outcome of a call by how its conversation ended and who answered. */
export function outcomeOfSession(endReason: SessionEndReason, answeredBy: AnsweredBy): RowOutcome {
  if (endReason === "CUSTOMER_OPTED_OUT") return "OPTED_OUT";
  if (endReason === "AGENT_TRANSFERRED_CALL") return "TRANSFERRED";
  if (endReason === "CARRIER_CONNECTION_LOST" || endReason === "ERROR_INTERRUPTED") return "INTERRUPTED";
  if (answeredBy === "MACHINE_SCREENING") return "CALL_SCREENED";
  if (answeredBy === "MACHINE_IVR") return "IVR";
  return outcomeOfMachine(answeredBy) ?? "ANSWERED";
}

/** The outcome of a call that a machine took for good; null where a person answered or may stand behind the machine. */
export function outcomeOfMachine(answeredBy: AnsweredBy): "FAX" | "VOICEMAIL" | null {
  if (answeredBy === "FAX") return "FAX";
  return answeredBy === "MACHINE_VOICEMAIL" || answeredBy === "MACHINE_UNAVAILABLE" ? "VOICEMAIL" : null;
}

/**
 * Returns who answered, by the carrier's word and by what was heard, which is the better word where it is certain: the
 * conversation goes by no less. Silence says nothing.
 */
export function answererOf(answered: AnsweredBy, verdict: AmdVerdict | null): AnsweredBy {
  const heard = isCertain(verdict) ? verdict.answeredBy : undefined;
  return heard === undefined || heard === "SILENCE" || heard === "UNCERTAIN" ? answered : heard;
}
