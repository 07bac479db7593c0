import type { AnsweredBy } from "#src/audio/line/answered-by.ts";
import type { CallOutcome, CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { OUTCOME_BY_SIP } from "#src/telephony/carriers/sip-outcomes.ts";

const MACHINE = /^machine_(start|end_beep|end_silence|end_other)$/;

/** Converts Twilio's AMD verdict; an unknown word is UNCERTAIN. */
export function readAnsweredBy(word: string | null): AnsweredBy {
  if (word === "human") return "HUMAN";
  if (word === "fax") return "FAX";
  return word !== null && MACHINE.test(word) ? "MACHINE_VOICEMAIL" : "UNCERTAIN";
}

/** Returns the stage of a call by Twilio's status; null for a status without a stage. */
export function readStage(status: string | null): "RINGING" | "ANSWERED" | "ENDED" | null {
  switch (status) {
    case "queued":
    case "initiated":
    case "ringing":
      return "RINGING";
    case "in-progress":
    case "answered":
      return "ANSWERED";
    case "completed":
    case "busy":
    case "no-answer":
    case "failed":
    case "canceled":
      return "ENDED";
    default:
      return null;
  }
}

/** Twilio's data about the end of a call. */
export interface TwilioEnd {
  status: string;
  answeredBy: string | null;
  sipCode: number | null;
  /** We asked Twilio to end it. */
  isOurs: boolean;
}

/** Converts the end of a call to terms that hold for every carrier. */
export function toEnd({
  status,
  answeredBy,
  sipCode,
  isOurs,
}: TwilioEnd): Pick<CarrierEvent & { type: "ENDED" }, "outcome" | "hungUpBy" | "sipCode" | "reason"> {
  const outcome = outcomeOf(status, answeredBy, sipCode);
  const reason = `Twilio: ${status}${sipCode === null ? "" : `, SIP ${sipCode}`}`;
  // Twilio does not report who hung up; an end that we did not request was the person's.
  const hungUpBy = isOurs ? "AGENT" : status === "completed" || status === "busy" ? "CUSTOMER" : "CARRIER";
  return { outcome, hungUpBy, sipCode, reason };
}

function outcomeOf(status: string, answeredBy: string | null, sipCode: number | null): CallOutcome {
  const known = sipCode === null ? undefined : OUTCOME_BY_SIP[sipCode];
  if (status === "completed") {
    const who = readAnsweredBy(answeredBy);
    if (who === "FAX") return "FAX";
    return who === "MACHINE_VOICEMAIL" ? "VOICEMAIL" : "ANSWERED";
  }
  if (status === "busy") return known === "REJECTED" ? "REJECTED" : "BUSY";
  if (status === "no-answer" || status === "canceled") return "NO_ANSWER";
  // By Twilio's documentation, "failed" without a code is most often a number that does not exist.
  return known ?? (sipCode === null ? "UNREACHABLE" : "CARRIER_FAILURE");
}
