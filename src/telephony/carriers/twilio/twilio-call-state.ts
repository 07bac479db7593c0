import type { AnsweredBy, CallOutcome, CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import { OUTCOME_BY_SIP } from "#src/telephony/carriers/sip-outcomes.ts";

const MACHINE = /^machine_(start|end_beep|end_silence|end_other)$/;

/** Who answered, in Twilio's words; a word it does not tell is UNCERTAIN. */
export function readAnsweredBy(word: string | null): AnsweredBy {
  if (word === "human") return "HUMAN";
  if (word === "fax") return "FAX";
  return word !== null && MACHINE.test(word) ? "MACHINE_VOICEMAIL" : "UNCERTAIN";
}

/** Where a call of ours stands, by Twilio's word; null for a word that says nothing. */
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

/** How a call ended, by what Twilio says of it. */
export interface TwilioEnd {
  status: string;
  answeredBy: string | null;
  sipCode: number | null;
  /** We asked Twilio to end it. */
  isOurs: boolean;
}

/** The end of a call in words that hold for every carrier. */
export function toEnd({
  status,
  answeredBy,
  sipCode,
  isOurs,
}: TwilioEnd): Pick<CarrierEvent & { type: "ENDED" }, "outcome" | "hungUpBy" | "sipCode" | "reason"> {
  const outcome = outcomeOf(status, answeredBy, sipCode);
  const reason = `Twilio: ${status}${sipCode === null ? "" : `, SIP ${sipCode}`}`;
  // Twilio does not tell who hung up; what we did not end, the person did.
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
  // Without a code "failed" is, by Twilio's documents, most often a number that does not exist.
  return known ?? (sipCode === null ? "UNREACHABLE" : "CARRIER_FAILURE");
}
