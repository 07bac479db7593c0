import type { RowOutcome } from "./states.ts";

/** Party on the line of a call that is over: a person, a machine, or nobody. */
export type Answered = "PERSON" | "MACHINE" | "NOBODY";

/** Party on the line by outcome. A conversation that broke off had begun with a person. */
export const ANSWERED: Record<RowOutcome, Answered> = {
  ANSWERED: "PERSON",
  OPTED_OUT: "PERSON",
  TRANSFERRED: "PERSON",
  INTERRUPTED: "PERSON",
  INTERRUPTED_BY_OPERATOR: "PERSON",
  VOICEMAIL: "MACHINE",
  CALL_SCREENED: "MACHINE",
  IVR: "MACHINE",
  FAX: "MACHINE",
  BUSY: "NOBODY",
  NO_ANSWER: "NOBODY",
  REJECTED: "NOBODY",
  INVALID_NUMBER: "NOBODY",
  UNREACHABLE: "NOBODY",
  CARRIER_FAILURE: "NOBODY",
  BLOCKED: "NOBODY",
  CANCELLED: "NOBODY",
  UNCONFIRMED: "NOBODY",
  FLOW_MISSING: "NOBODY",
};

/** Returns the party on the line by a row's outcome; NOBODY for null or an unknown outcome. */
export function answeredBy(outcome: string | null): Answered {
  return outcome === null ? "NOBODY" : ((ANSWERED as Record<string, Answered>)[outcome] ?? "NOBODY");
}

/**
 * Returns the SQL condition that the outcome in `column` is one of `answered`. Both must come from the program, never
 * from a caller.
 */
export function answeredSql(column: string, answered: Answered): string {
  const outcomes = Object.entries(ANSWERED).filter(([, who]) => who === answered);
  return `${column} in (${outcomes.map(([outcome]) => `'${outcome}'`).join(", ")})`;
}
