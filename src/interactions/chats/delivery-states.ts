import type { DeliveryState } from "./chat-row.ts";

/** What a provider reports of a message that it took. */
export type DeliveryReport = "SENT" | "DELIVERED" | "READ" | "FAILED";

/**
 * Where a report leads from each state. Reports come late, twice and out of order, so a delivery only moves forward: what
 * reached the phone did not fail, whatever is reported afterwards, and what was reported as failed but then arrives did.
 */
const NEXT: Record<DeliveryReport, readonly (DeliveryState | null)[]> = {
  SENT: ["QUEUED", "SENDING"],
  FAILED: ["QUEUED", "SENDING", "SENT"],
  DELIVERED: ["QUEUED", "SENDING", "SENT", "FAILED"],
  READ: ["QUEUED", "SENDING", "SENT", "FAILED", "DELIVERED"],
};

/** The state of a delivery after a report; the same one when the report is stale. */
export function foldDelivery(state: DeliveryState | null, report: DeliveryReport): DeliveryState | null {
  return NEXT[report].includes(state) ? report : state;
}

/** The state as it is shown: the committed intent to send is still QUEUED. */
export function shownStatus(state: DeliveryState | null): Exclude<DeliveryState, "SENDING"> | null {
  return state === "SENDING" ? "QUEUED" : state;
}
