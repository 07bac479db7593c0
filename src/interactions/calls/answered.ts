import type { RowOutcome } from "./states.ts";

/** Who was on the line of a call that is over: a person, a machine, or nobody. */
export type Answered = "PERSON" | "MACHINE" | "NOBODY";

/** Outcomes by who was on the line; a conversation that broke off had begun with somebody. */
export const ANSWERED: Record<RowOutcome, Answered> = {
  ANSWERED: "PERSON",
  OPTED_OUT: "PERSON",
  TRANSFERRED: "PERSON",
  INTERRUPTED: "PERSON",
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

/** Returns who was on the line by a row's outcome; NOBODY for none and for one that is not known. */
export function answeredBy(outcome: string | null): Answered {
  return outcome === null ? "NOBODY" : ((ANSWERED as Record<string, Answered>)[outcome] ?? "NOBODY");
}

/** Returns the SQL condition that the outcome in `column` is one of `answered`. Both are of the program, never of a caller. */
export function answeredSql(column: string, answered: Answered): string {
  const outcomes = Object.entries(ANSWERED).filter(([, who]) => who === answered);
  return `${column} in (${outcomes.map(([outcome]) => `'${outcome}'`).join(", ")})`;
}
