import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { asObject, type JsonObject } from "#src/platform/kernel/json-object.ts";
import type { CallOutcome, CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { OUTCOME_BY_SIP } from "#src/telephony/carriers/sip-outcomes.ts";
import { asCount, asText } from "#src/telephony/carriers/socket-json.ts";
import type { CallDirection } from "./telnyx-calls.ts";

/** An event as Telnyx sends it. */
export interface TelnyxEvent {
  /** The same for a repeat of the event. */
  id: string;
  /** `call.answered`, `message.finalized`, ... */
  type: string;
  /** ISO 8601 UTC. */
  at: string;
  payload: JsonObject;
}

/** Reads the event in a body; null for anything else. */
export function readEvent(body: unknown): TelnyxEvent | null {
  const data = asObject(asObject(body)?.["data"]);
  const payload = asObject(data?.["payload"]);
  const id = asText(data?.["id"]);
  const type = asText(data?.["event_type"]);
  if (!payload || !id || id.length > 200 || !type) return null;
  return { id, type, at: readTime(data?.["occurred_at"]) ?? now().toISOString(), payload };
}

/** Converts a time of Telnyx's, which has microseconds, to ours; null for anything else. */
export function readTime(value: unknown): string | null {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}

/** The call that an event belongs to. */
export interface EventCall {
  attemptId: string;
  providerCallId: string;
  direction: CallDirection;
}

const MACHINE_RESULTS: Readonly<Record<string, AnsweredBy>> = {
  human: "HUMAN",
  human_residence: "HUMAN",
  human_business: "HUMAN",
  machine: "MACHINE_VOICEMAIL",
  fax_detected: "FAX",
  silence: "UNCERTAIN",
  not_sure: "UNCERTAIN",
  beep_detected: "MACHINE_VOICEMAIL",
  ended: "MACHINE_VOICEMAIL",
  no_beep_detected: "MACHINE_VOICEMAIL",
};
const MACHINE_EVENTS = new Set([
  "call.machine.detection.ended",
  "call.machine.premium.detection.ended",
  "call.machine.greeting.ended",
  "call.machine.premium.greeting.ended",
]);

/** Converts an event of a call; null for one that changes nothing. */
export function toCarrierEvent({ id, type, at, payload }: TelnyxEvent, call: EventCall): CarrierEvent | null {
  const { attemptId, providerCallId, direction } = call;
  const known = { eventKey: id, attemptId, providerCallId, at };
  // Telnyx reports no ringing; its first event means that the call is in progress.
  if (type === "call.initiated") return { ...known, type: "RINGING" };
  if (type === "call.answered") return { ...known, type: "ANSWERED", answeredBy: "UNCERTAIN" };
  if (MACHINE_EVENTS.has(type)) {
    const answeredBy = MACHINE_RESULTS[asText(payload["result"]) ?? ""] ?? "UNCERTAIN";
    return { ...known, type: "ANSWERED", answeredBy };
  }
  return type === "call.hangup" ? { ...known, type: "ENDED", ...readHangup(payload, direction) } : null;
}

type Ending = Pick<CarrierEvent & { type: "ENDED" }, "outcome" | "hungUpBy" | "sipCode" | "reason">;

const OUTCOMES: Readonly<Record<string, CallOutcome>> = {
  normal_clearing: "ANSWERED",
  time_limit: "ANSWERED",
  user_busy: "BUSY",
  no_answer: "NO_ANSWER",
  timeout: "NO_ANSWER",
  originator_cancel: "NO_ANSWER",
  call_rejected: "REJECTED",
  not_found: "INVALID_NUMBER",
};
/** Telnyx also reports the status of the answer itself, and gateway statuses for its routes. */
const OUTCOMES_BY_SIP: Readonly<Record<number, CallOutcome>> = {
  ...OUTCOME_BY_SIP,
  200: "ANSWERED",
  502: "UNREACHABLE",
  503: "UNREACHABLE",
};
const REASONS: Readonly<Record<string, string>> = {
  call_rejected:
    "The call was rejected. A 403 often means that Telnyx itself refused it: see the call's log in the portal (country, calling number, limits).",
  not_found: "The number does not exist or is out of service.",
};

/** Returns the reason for a call's end. The network's SIP code, if any, says more about `unspecified`. */
export function readHangup(payload: JsonObject, direction: CallDirection): Ending {
  const cause = asText(payload["hangup_cause"]) ?? "unspecified";
  const code = asText(payload["sip_hangup_cause"]) ?? asCount(payload["sip_hangup_cause"])?.toString() ?? "";
  const sipCode = /^[1-6]\d\d$/.test(code) ? Number(code) : null;
  const outcome = OUTCOMES[cause] ?? (sipCode === null ? null : OUTCOMES_BY_SIP[sipCode]) ?? "CARRIER_FAILURE";
  const hungUpBy = cause === "time_limit" ? "CARRIER" : readSource(payload["hangup_source"], direction);
  const words = `Telnyx: ${cause}${sipCode === null ? "" : `, SIP ${sipCode}`}.`;
  return { outcome, hungUpBy, sipCode, reason: REASONS[cause] ? `${words} ${REASONS[cause]}` : words };
}

function readSource(source: unknown, direction: CallDirection): Ending["hungUpBy"] {
  if (source !== "caller" && source !== "callee") return "CARRIER";
  return (source === "caller") === (direction === "INBOUND") ? "CUSTOMER" : "AGENT";
}
