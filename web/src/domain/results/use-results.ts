import type { Results } from "@parley/sdk";
import type { Query } from "#web/api/http.ts";
import { useRead } from "#web/api/queries.ts";
import { type Drill, toDrillHref } from "./drill.ts";

/** Milliseconds between reads while ended calls wait to be added. */
const WAITING_MS = 4_000;

/** Reads results of calls, again and again while calls that just ended are being added, or every `refreshMs`. */
export function useResults(query: Query, refreshMs?: number) {
  return useRead<Results>("/results", query, {
    refreshMs: (data) => (data && data.waiting > 0 ? WAITING_MS : (refreshMs ?? false)),
  });
}

/** Returns the function that gives the address of a figure's calls, of exactly the days that the results count. */
export function toCallsOf({ from, to, timeZone }: Results, query: Query): (drill: Drill) => string {
  const scope = { ...query, lastDays: undefined, from: from ?? undefined, to, timeZone };
  return (drill) => toDrillHref(scope, drill);
}
