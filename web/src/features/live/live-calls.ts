import type { LiveCall } from "#web/api/live-shapes.ts";
import type { FilterValues } from "#web/ui/filters/url-state.ts";

/** A live call as a row of the table. */
export interface LiveRow extends LiveCall {
  id: string;
}

/** The calls that match the filters, longest first. */
export function filterLive(calls: LiveCall[], { search, status }: FilterValues): LiveRow[] {
  const wanted = search?.[0]?.toLowerCase().trim() ?? "";
  return calls
    .filter((call) => status === undefined || status.includes(call.status))
    .filter((call) => wanted === "" || describe(call).includes(wanted))
    .map((call) => ({ ...call, id: call.rowId }))
    .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));
}

function describe({ contactName, customerNumber, fromPhoneNumber }: LiveCall): string {
  return `${contactName ?? ""}\n${customerNumber}\n${fromPhoneNumber}`.toLowerCase();
}

/** Seconds since the answer, or since the dial before the answer. */
export function secondsOf(
  { answeredAt, startedAt }: Pick<LiveCall, "answeredAt" | "startedAt">,
  nowMs: number,
): number {
  return Math.max(0, (nowMs - Date.parse(answeredAt ?? startedAt)) / 1_000);
}
