import type { Query } from "#web/api/http.ts";
import type { FilterValues } from "#web/ui/filters/url-state.ts";

/** Names of the filters of results in the address. */
export const RESULT_FILTERS = [
  "from",
  "to",
  "lastDays",
  "timeZone",
  "flowApiId",
  "flowVersion",
  "jobId",
  "phoneNumberId",
  "channel",
  "goal",
];

/** Cards of the results, in their usual order. */
export const RESULT_CARDS = ["FUNNEL", "OUTCOMES", "HOURS", "FIELDS", "VERSIONS", "NUMBERS", "TOOLS"] as const;
export type ResultCard = (typeof RESULT_CARDS)[number];

/**
 * Returns the filters as the API takes them. `ownZone` is the workspace's, which holds unless another one is chosen;
 * `jobId` is the job whose page shows the results.
 */
export function toResultsQuery(values: FilterValues, ownZone: string, jobId?: string): Query {
  const only = (name: string) => values[name]?.[0];
  const goal = readGoal(only("goal"));
  return {
    jobId: jobId ?? only("jobId"),
    from: only("from"),
    to: only("to"),
    // A first day that was chosen takes the place of a number of days.
    lastDays: only("from") === undefined ? only("lastDays") : undefined,
    timeZone: only("timeZone") ?? ownZone,
    flowApiId: only("flowApiId"),
    flowVersion: only("flowApiId") === undefined ? undefined : only("flowVersion"),
    phoneNumberId: only("phoneNumberId"),
    channel: only("channel"),
    goalField: goal?.field,
    goalValue: goal?.value,
  };
}

/** Reads a goal, written as field=value; null for none. */
function readGoal(text: string | undefined): { field: string; value: string } | null {
  const split = text?.indexOf("=") ?? -1;
  if (text === undefined || split < 1 || split === text.length - 1) return null;
  return { field: text.slice(0, split), value: text.slice(split + 1) };
}
