import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { CallOutcome, CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { OUTCOME_BY_SIP } from "#src/telephony/carriers/sip-outcomes.ts";
import { asText, asTime, type Json } from "./vonage-json.ts";

/** Data about a call that its event does not hold. */
export interface EventBase {
  eventKey: string;
  attemptId: string;
  providerCallId: string;
  /** ISO 8601 UTC: used when the event has no time. */
  now: string;
  /** True when we asked for its end. */
  isHungUp: boolean;
}

interface Ending {
  outcome: CallOutcome;
  /** For people. */
  meaning: string;
}

/** End of a call, by its status and, where Vonage adds one, its detail. */
const ENDINGS: Readonly<Record<string, Ending>> = {
  completed: { outcome: "ANSWERED", meaning: "The call is over." },
  busy: { outcome: "BUSY", meaning: "The line was busy." },
  cancelled: { outcome: "NO_ANSWER", meaning: "The call was given up before it was answered." },
  timeout: { outcome: "NO_ANSWER", meaning: "Nobody answered." },
  unanswered: { outcome: "NO_ANSWER", meaning: "Nobody answered." },
  "unanswered unavailable": { outcome: "UNREACHABLE", meaning: "The phone cannot be reached." },
  rejected: { outcome: "REJECTED", meaning: "The call was rejected." },
  "rejected declined": { outcome: "REJECTED", meaning: "The person declined the call." },
  "rejected invalid_number": { outcome: "INVALID_NUMBER", meaning: "The number is not valid." },
  "rejected restricted": {
    outcome: "CARRIER_FAILURE",
    meaning:
      "Vonage does not let this account place this call: see that the caller's number is its own, that the destination is open to it, and, for a trial account, that the number is on its list of test numbers.",
  },
  failed: { outcome: "CARRIER_FAILURE", meaning: "Vonage could not connect the call." },
  "failed cannot_route": { outcome: "UNREACHABLE", meaning: "Vonage has no route to the number." },
  "failed number_out_of_service": { outcome: "INVALID_NUMBER", meaning: "The number is out of service." },
  "failed internal_error": { outcome: "CARRIER_FAILURE", meaning: "Vonage failed inside." },
};

const ANSWERS: Readonly<Record<string, AnsweredBy>> = {
  answered: "UNCERTAIN",
  human: "HUMAN",
  machine: "MACHINE_VOICEMAIL",
};

/** Converts an event of a call, or a listed call; null for one that changes nothing. */
export function readCallEvent(json: Json, base: EventBase): CarrierEvent | null {
  const { eventKey, attemptId, providerCallId, now, isHungUp } = base;
  const status = asText(json.status) ?? "";
  const ending = endingOf(json, status);
  const at = asTime(json.timestamp) ?? asTime(ending ? json.end_time : json.start_time) ?? now;
  const shared = { eventKey, attemptId, providerCallId, at };
  if (status === "ringing") return { ...shared, type: "RINGING" };
  const answeredBy = Object.hasOwn(ANSWERS, status) ? ANSWERS[status] : undefined;
  if (answeredBy) return { ...shared, type: "ANSWERED", answeredBy };
  if (!ending) return null;
  const hungUpBy = hungUpByOf(json, status, isHungUp);
  const sipCode = sipCodeOf(json);
  const detail = asText(json.detail);
  const reason = `${ending.meaning} (Vonage: ${detail ? `${status}, ${detail}` : status})`.slice(0, 500);
  return { ...shared, type: "ENDED", outcome: ending.outcome, hungUpBy, sipCode, reason };
}

function endingOf(json: Json, status: string): Ending | null {
  const detailed = `${status} ${asText(json.detail) ?? ""}`;
  const known = Object.hasOwn(ENDINGS, detailed) ? ENDINGS[detailed] : undefined;
  const ending = known ?? (Object.hasOwn(ENDINGS, status) ? ENDINGS[status] : undefined);
  if (!ending || known || (status !== "failed" && status !== "rejected")) return ending ?? null;
  const outcome = OUTCOME_BY_SIP[sipCodeOf(json) ?? 0];
  return outcome ? { ...ending, outcome } : ending;
}

function sipCodeOf(json: Json): number | null {
  const code = Number(asText(json.sip_code) ?? Number.NaN);
  return Number.isInteger(code) && code >= 100 && code < 700 ? code : null;
}

/** Returns who hung up: by `disconnected_by` where it is sent; without it the person, unless we ordered the end. */
function hungUpByOf(json: Json, status: string, isHungUp: boolean): "CUSTOMER" | "AGENT" | "CARRIER" {
  if (status === "cancelled") return "AGENT";
  if (status !== "completed") return status === "failed" || status === "timeout" ? "CARRIER" : "CUSTOMER";
  const by = asText(json.disconnected_by);
  if (by === "user") return "CUSTOMER";
  return by === "platform" || isHungUp ? "AGENT" : "CUSTOMER";
}
