import { type CarrierReply, readDialFailure } from "#src/telephony/carriers/carrier-http.ts";
import type { DialRequest, DialResult } from "#src/telephony/carriers/carrier.ts";
import { readSuccess, textOf } from "./twilio-api.ts";
import { readDialRefusal, readFault, TWILIO_NAME } from "./twilio-errors.ts";

/** Twilio rings for ten minutes at most. */
const LONGEST_RING_SECONDS = 600;

/** What a call is placed with besides its numbers. */
export interface DialParts {
  markup: string;
  statusUrl: string;
  /** Where the verdict on who answered goes; null: nobody asks. */
  answeredByUrl: string | null;
}

/** The form that places a call. Twilio tells of each event only when it is named. */
export function writeDial(
  { from, to, ringTimeoutSeconds }: Pick<DialRequest, "from" | "to" | "ringTimeoutSeconds">,
  { markup, statusUrl, answeredByUrl }: DialParts,
): (readonly [string, string])[] {
  const detection = [
    ["MachineDetection", "Enable"],
    ["AsyncAmd", "true"],
    ["AsyncAmdStatusCallback", answeredByUrl ?? ""],
    ["AsyncAmdStatusCallbackMethod", "POST"],
  ] as const;
  return [
    ["To", to],
    ["From", from],
    ["Twiml", markup],
    ["Timeout", String(Math.min(LONGEST_RING_SECONDS, Math.max(1, Math.round(ringTimeoutSeconds))))],
    ["StatusCallback", statusUrl],
    ["StatusCallbackMethod", "POST"],
    ...["initiated", "ringing", "answered", "completed"].map((event) => ["StatusCallbackEvent", event] as const),
    ...(answeredByUrl === null ? [] : detection),
  ];
}

/** What came of placing a call. */
export function readDial(reply: CarrierReply): DialResult {
  const success = readSuccess(reply);
  const sid = success && textOf(success, "sid");
  if (sid) return { kind: "ACCEPTED", providerCallId: sid };
  if (reply.kind === "ANSWER" && reply.status >= 200 && reply.status < 300) {
    return { kind: "UNCERTAIN", code: "UNREADABLE", message: `${TWILIO_NAME} took the dial and told no call's id.` };
  }
  const fault = readFault(reply);
  return readDialRefusal(reply) ?? readDialFailure(reply, TWILIO_NAME, fault) ?? refuse(reply, fault);
}

/** A refusal that no table knows: of this call alone, and for good. */
function refuse(reply: CarrierReply, fault: { code: string; message: string } | null): DialResult {
  const status = reply.kind === "ANSWER" ? reply.status : 0;
  const code = fault?.code ?? `HTTP_${status}`;
  const message = `${TWILIO_NAME}: ${fault?.message ?? `refused the call with HTTP ${status}.`}`;
  // A server between here and Twilio gave up waiting (RFC 9110, 15.5.9): what came through to Twilio, nobody knows.
  if (status === 408) return { kind: "UNCERTAIN", code, message };
  return { kind: "REFUSED", then: "TERMINAL", outcome: "CARRIER_FAILURE", code, message };
}
