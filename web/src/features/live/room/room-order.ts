import type { AlertKind, RoomCall } from "#web/api/live-shapes.ts";
import { t } from "#web/i18n/t.ts";
import type { FilterValues } from "#web/ui/filters/url-state.ts";

/** Names of the alerts on tiles and in announcements. */
export const ALERT_NAMES: Record<AlertKind, string> = {
  LONG_SILENCE: t`Long silence`,
  ANGER: t`Anger`,
  OPT_OUT_DOUBTFUL: t`Opt-out unclear`,
  TOOL_FAILING: t`Tool failing`,
};

/** Returns the name under which people know the call. */
export function nameOf({ contactName, customerNumber }: Pick<RoomCall, "contactName" | "customerNumber">): string {
  return contactName ?? customerNumber;
}

/** Returns the rows of the calls that match the filters: alerts first, the oldest alert first, then the longest call. */
export function orderRoom(calls: RoomCall[], { search, status, alert }: FilterValues): string[] {
  const wanted = search?.[0]?.toLowerCase().trim() ?? "";
  return calls
    .filter((call) => status === undefined || status.includes(call.status))
    .filter((call) => alert === undefined || call.alerts.some(({ kind }) => alert.includes(kind)))
    .filter(
      (call) => wanted === "" || `${call.contactName ?? ""}\n${call.customerNumber}`.toLowerCase().includes(wanted),
    )
    .toSorted((a, b) => compare(a.alerts[0]?.raisedAt, b.alerts[0]?.raisedAt) || a.startedAt.localeCompare(b.startedAt))
    .map(({ rowId }) => rowId);
}

function compare(a: string | undefined, b: string | undefined): number {
  if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
  return a.localeCompare(b);
}

/** Returns the index that an arrow key leads to in a grid of so many columns; the same one at an edge. */
export function moveIn(
  index: number,
  key: "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown",
  { count, columns }: { count: number; columns: number },
): number {
  if (index < 0) return count > 0 ? 0 : -1;
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key];
  const next = index + step;
  if (next >= 0 && next < count) return next;
  // The last row may be short: down from above its gap leads to its last tile.
  const hasRowBelow = Math.floor(index / columns) < Math.floor((count - 1) / columns);
  return key === "ArrowDown" && hasRowBelow ? count - 1 : index;
}

/** Returns what to announce of alerts that are new since the calls before; empty for none. */
export function announceAlerts(before: RoomCall[], after: RoomCall[]): string {
  const known = new Set(
    before.flatMap(({ rowId, alerts }) => alerts.map(({ kind, raisedAt }) => `${rowId}${kind}${raisedAt}`)),
  );
  const fresh = after.flatMap((call) =>
    call.alerts
      .filter(({ kind, raisedAt }) => !known.has(`${call.rowId}${kind}${raisedAt}`))
      .map(({ kind }) => `${nameOf(call)}: ${ALERT_NAMES[kind]}`),
  );
  if (fresh.length <= 3) return fresh.join(". ");
  return t`${fresh.slice(0, 3).join(". ")}. And ${fresh.length - 3} more alerts.`;
}
