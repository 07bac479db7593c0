import type { UseQueryResult } from "@tanstack/react-query";
import { HOME_READS } from "#web/api/home-reads.ts";
import { useRead } from "#web/api/queries.ts";
import { areAllDone, type Overview } from "./overview.ts";

const SOON_MS = 4_000;
const LATER_MS = 30_000;

/** Reads the overview: every 4 s until all first steps are done, then every 30 s, and whenever a call ends. */
export function useOverview(): UseQueryResult<Overview> {
  return useRead<Overview>(HOME_READS.overview.path, undefined, {
    refreshMs: (read) => (read && areAllDone(read.checklist) ? LATER_MS : SOON_MS),
  });
}
