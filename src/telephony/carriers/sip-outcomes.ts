import type { CallOutcome } from "./carrier.ts";

/**
 * What a final response to an INVITE says of the person who was called, whoever passes it on (RFC 3261 section 21, 8197,
 * 8688). 480 is what networks send for a phone that is switched off. Any other status is the carrier's failure.
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
