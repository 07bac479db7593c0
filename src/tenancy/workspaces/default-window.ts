import type { Executor } from "#src/platform/db/database.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { type CallingWindow, WEEKDAYS } from "#src/tenancy/compliance/calling-window.ts";
import { WindowCheck } from "#src/tenancy/compliance/window-check.ts";

/** Window of a LIVE workspace until the operator sets another: 08:00 to 21:00 by the called person's clock. */
export const DEFAULT_CALLING_WINDOW: CallingWindow = {
  timeZoneMode: "RECIPIENT",
  timeZone: null,
  windows: [{ days: [...WEEKDAYS], start: "08:00", end: "21:00" }],
  excludeDates: [],
};

/**
 * Throws 422 when a workspace's window never opens for somebody in its countries (null: in any). Checked when window or
 * countries are set, so that rows need no check and none waits for ever.
 */
export async function assertOpensEverywhere(
  tx: Executor,
  rules: CallingWindow | null,
  countries: string[] | null,
): Promise<void> {
  const check = await WindowCheck.load(tx, rules);
  const closed = (countries ?? check.countries).find((country) => !check.everOpens(null, country));
  if (closed === undefined && check.everOpens("UTC", "ZZ")) return;
  throw fieldError(
    "callingWindow",
    "WINDOW_NEVER_OPENS",
    closed === undefined ? "is never open." : `is never open in all zones of ${closed} at once.`,
  );
}
