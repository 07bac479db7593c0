/** Outcomes of calls in which a person was on the line, as the service counts them. */
export const PERSON_OUTCOMES = ["ANSWERED", "OPTED_OUT", "TRANSFERRED", "INTERRUPTED", "INTERRUPTED_BY_OPERATOR"];

/** Outcomes of calls that a machine answered. */
export const MACHINE_OUTCOMES = ["VOICEMAIL", "CALL_SCREENED", "IVR", "FAX"];

/** Outcomes of calls that nobody answered. */
export const MISSED_OUTCOMES = [
  "BUSY",
  "NO_ANSWER",
  "REJECTED",
  "INVALID_NUMBER",
  "UNREACHABLE",
  "CARRIER_FAILURE",
  "BLOCKED",
  "CANCELLED",
  "UNCONFIRMED",
  "FLOW_MISSING",
];
