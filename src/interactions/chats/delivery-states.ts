import type { DeliveryState } from "./chat-row.ts";

/** State that a provider reports for a message it accepted. */
export type DeliveryReport = "SENT" | "DELIVERED" | "READ" | "FAILED";

/**
 * States that each report can move a delivery from. Reports come late, twice and out of order, so a delivery only moves
 * forward. A message that reached the phone cannot fail afterwards, and one reported as failed that then arrives is
 * delivered.
 */
const NEXT: Record<DeliveryReport, readonly (DeliveryState | null)[]> = {
  SENT: ["QUEUED", "SENDING"],
  FAILED: ["QUEUED", "SENDING", "SENT"],
  DELIVERED: ["QUEUED", "SENDING", "SENT", "FAILED"],
  READ: ["QUEUED", "SENDING", "SENT", "FAILED", "DELIVERED"],
};

/** Returns the state of a delivery after a report; the same one when the report is stale. */
export function foldDelivery(state: DeliveryState | null, report: DeliveryReport): DeliveryState | null {
  return NEXT[report].includes(state) ? report : state;
}

/** Returns the shown state. A committed intent to send still shows as QUEUED. */
export function shownStatus(state: DeliveryState | null): Exclude<DeliveryState, "SENDING"> | null {
  return state === "SENDING" ? "QUEUED" : state;
}
