import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { CallOutcome } from "#src/telephony/carriers/carrier.ts";

/** The people and machines that answer sandbox calls. */
export type PersonaName =
  | "AGREES"
  | "DECLINES"
  | "ASKS_BACK"
  | "INTERRUPTS"
  | "SILENT"
  | "FOREIGN"
  | "WANTS_HUMAN"
  | "WRONG_PERSON"
  | "CALL_LATER"
  | "BAD_DATA"
  | "VOICEMAIL"
  | "VOICEMAIL_FULL"
  | "IVR"
  | "FAX"
  | "SCREENER"
  | "HANGS_UP_AT_ONCE"
  | "HANGS_UP_MID_SENTENCE"
  | "SLOW"
  | "NEVER_STOPS"
  | "HOLDS";

/** Fault of the carrier on a call that itself goes well. */
export type CarrierFault = "DIAL_TIMES_OUT" | "DIAL_ERRORS" | "EVENTS_TWICE" | "EVENTS_OUT_OF_ORDER";

/** Behaviour of a dialled number. Times are milliseconds of call time. */
export type Behaviour = { code: number | null; to: string } & (
  | {
      kind: "ANSWERS";
      ringMs: number;
      answeredBy: AnsweredBy;
      persona: PersonaName;
      /** Milliseconds that HOLDS keeps the agent waiting. */
      holdMs?: number;
      /** The media path breaks at this time after the answer. */
      dropAtMs?: number;
      /** The other end hangs up at this time after the answer, whatever is said. */
      endsAtMs?: number;
      fault?: CarrierFault;
    }
  | {
      kind: "FAILS";
      ringMs: number;
      outcome: CallOutcome;
      hungUpBy: "CUSTOMER" | "CARRIER";
      sipCode: number;
      reason: string;
    }
  | { kind: "REFUSES"; why: "UNAVAILABLE" | "THROTTLED" | "CREDENTIALS" }
  | { kind: "NO_EVENTS" }
);

/** Behaviour of a number when the carrier accepts the dial. */
export type AcceptedBehaviour = Exclude<Behaviour, { kind: "REFUSES" }>;

/** A behaviour without the number it belongs to. */
export type Script = Behaviour extends infer One ? (One extends Behaviour ? Omit<One, "code" | "to"> : never) : never;

/** Returns the script of a person or machine that answers after `ringMs`. */
export function answers(persona: PersonaName, more: Partial<Extract<Script, { kind: "ANSWERS" }>> = {}): Script {
  return { kind: "ANSWERS", ringMs: 2_000, answeredBy: "HUMAN", persona, ...more };
}

/** Longer than any ring timeout: rings until the caller gives up. */
const RINGS_ON_MS = 3_600_000;

/** The ways a call ends without an answer, with the SIP codes of RFC 3261 section 21. */
export const FAILURES = {
  BUSY: failure(1_000, "BUSY", "CUSTOMER", 486, "The line is busy."),
  NO_ANSWER: failure(RINGS_ON_MS, "NO_ANSWER", "CARRIER", 487, "Nobody answered."),
  REJECTED: failure(3_000, "REJECTED", "CUSTOMER", 603, "The call was rejected."),
  INVALID_NUMBER: failure(0, "INVALID_NUMBER", "CARRIER", 404, "The number is not allocated."),
  UNREACHABLE: failure(1_000, "UNREACHABLE", "CARRIER", 480, "The phone is switched off or out of reach."),
  CARRIER_FAILURE: failure(500, "CARRIER_FAILURE", "CARRIER", 500, "The network failed to put the call through."),
} as const;

function failure(
  ringMs: number,
  outcome: CallOutcome,
  hungUpBy: "CUSTOMER" | "CARRIER",
  sipCode: number,
  reason: string,
): Script {
  return { kind: "FAILS", ringMs, outcome, hungUpBy, sipCode, reason };
}
