import type { AnsweredBy } from "#src/carriers/carrier.ts";
import type { SessionEndReason } from "#src/conversation/plan.ts";
import type { AnswerFinding } from "#src/media/line.ts";
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
  if (answeredBy === "FAX") return "FAX";
  if (answeredBy === "MACHINE_VOICEMAIL" || answeredBy === "MACHINE_UNAVAILABLE") return "VOICEMAIL";
  if (answeredBy === "MACHINE_SCREENING") return "CALL_SCREENED";
  return answeredBy === "MACHINE_IVR" ? "IVR" : "ANSWERED";
}

/** Who answered, by the carrier's word and by what was heard, which is the better word; silence says nothing. */
export function answererOf(answered: AnsweredBy, finding: AnswerFinding | null): AnsweredBy {
  const heard = finding?.answeredBy;
  return heard === undefined || heard === "SILENCE" || heard === "UNCERTAIN" ? answered : heard;
}
