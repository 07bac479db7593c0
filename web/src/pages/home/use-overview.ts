import type { UseQueryResult } from "@tanstack/react-query";
import { useRead } from "#web/api/queries.ts";
import type { Overview } from "./overview.ts";

const SOON_MS = 4_000;
const LATER_MS = 30_000;

/** Reads the overview; often while first steps are left to tick, and whenever a call ends. */
export function useOverview(): UseQueryResult<Overview> {
  return useRead<Overview>("/overview", undefined, {
    refreshMs: (read) => (read && Object.values(read.checklist).every(Boolean) ? LATER_MS : SOON_MS),
  });
}
