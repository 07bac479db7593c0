import { type CarrierReply, readDialFailure } from "#src/telephony/carriers/carrier-http.ts";
import type { DialRequest, DialResult } from "#src/telephony/carriers/carrier.ts";
import { readSuccess, textOf } from "./twilio-api.ts";
import { readDialRefusal, readFault, TWILIO_NAME } from "./twilio-errors.ts";

/** Twilio rings for ten minutes at most. */
const LONGEST_RING_SECONDS = 600;

/** Settings of a call besides its numbers. */
export interface DialParts {
  markup: string;
  statusUrl: string;
  /** URL for the AMD verdict; null: AMD is off. */
  answeredByUrl: string | null;
}

/** Returns the form that places a call. Twilio reports only the events that the form names. */
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

/** Reads the result of placing a call. */
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

/** Returns the refusal for an unknown code: for this call only, and final. */
function refuse(reply: CarrierReply, fault: { code: string; message: string } | null): DialResult {
  const status = reply.kind === "ANSWER" ? reply.status : 0;
  const code = fault?.code ?? `HTTP_${status}`;
  const message = `${TWILIO_NAME}: ${fault?.message ?? `refused the call with HTTP ${status}.`}`;
  // A proxy between here and Twilio gave up waiting (RFC 9110, 15.5.9): the dial may have arrived.
  if (status === 408) return { kind: "UNCERTAIN", code, message };
  return { kind: "REFUSED", then: "TERMINAL", outcome: "CARRIER_FAILURE", code, message };
}
