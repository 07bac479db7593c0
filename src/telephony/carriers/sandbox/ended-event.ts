import type { CarrierEvent } from "#src/telephony/carriers/carrier.ts";
import type { LedgerLine } from "./ledger.ts";

export type EndedEvent = CarrierEvent & { type: "ENDED" };

const CALL_ID_PREFIX = "sbx-";

/** Returns the carrier's id of an attempt's call. */
export function callIdOf(attemptId: string): string {
  return CALL_ID_PREFIX + attemptId;
}

/** Returns the attempt of a call id, or undefined when it is not one of ours. */
export function attemptIdOf(providerCallId: string): string | undefined {
  return providerCallId.startsWith(CALL_ID_PREFIX) ? providerCallId.slice(CALL_ID_PREFIX.length) : undefined;
}

/** Returns the ENDED event for an END line. */
export function toEndedEvent(line: LedgerLine): EndedEvent {
  return {
    type: "ENDED",
    eventKey: `${line.providerCallId}:ENDED`,
    attemptId: line.attemptId,
    providerCallId: line.providerCallId,
    at: line.at,
    outcome: line.outcome ?? "CARRIER_FAILURE",
    hungUpBy: line.hungUpBy ?? "CARRIER",
    sipCode: line.sipCode ?? null,
    reason: line.reason ?? "",
  };
}
