import type { CallOutcome } from "./carrier.ts";

/**
 * Outcome of a call by the final response to its INVITE, whichever carrier passes it on (RFC 3261 section 21, 8197,
 * 8688). Networks send 480 for a phone that is switched off. Any other status is the carrier's failure.
 */
export const OUTCOME_BY_SIP: Readonly<Record<number, CallOutcome>> = {
  403: "REJECTED",
  404: "INVALID_NUMBER",
  408: "NO_ANSWER",
  410: "INVALID_NUMBER",
  480: "UNREACHABLE",
  484: "INVALID_NUMBER",
  485: "INVALID_NUMBER",
  486: "BUSY",
  487: "NO_ANSWER",
  600: "BUSY",
  603: "REJECTED",
  604: "INVALID_NUMBER",
  607: "REJECTED",
  608: "REJECTED",
};
