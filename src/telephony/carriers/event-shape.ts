import { ANSWERED_BY } from "#src/audio/line/answered-by.ts";
import { isUuid } from "#src/platform/kernel/id.ts";
import { CALL_OUTCOMES, type CarrierEvent } from "./carrier.ts";

/** True when a value from outside has the shape of a carrier event. */
export function isCarrierEvent(value: unknown): value is CarrierEvent {
  if (value === null || typeof value !== "object") return false;
  const event = value as Record<string, unknown>;
  const texts = [event.eventKey, event.providerCallId, event.at];
  if (!texts.every((text) => typeof text === "string" && text.length > 0 && text.length <= 200)) return false;
  if (typeof event.attemptId !== "string" || !isUuid(event.attemptId) || Number.isNaN(Date.parse(String(event.at))))
    return false;
  switch (event.type) {
    case "RINGING":
      return true;
    case "ANSWERED":
      return (ANSWERED_BY as readonly unknown[]).includes(event.answeredBy);
    case "ENDED":
      return (CALL_OUTCOMES as readonly unknown[]).includes(event.outcome);
    default:
      return false;
  }
}
