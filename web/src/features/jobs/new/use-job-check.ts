import type { UseQueryResult } from "@tanstack/react-query";
import { type Estimate, useEstimate } from "#web/domain/call/use-estimate.ts";
import type { Contacts } from "./contacts.ts";
import type { NewJobForm, Preflight } from "./new-job.ts";
import { usePreflight } from "./use-preflight.ts";

/** Result of a job's check before it starts. */
export interface JobCheck {
  read: UseQueryResult<Preflight>;
  /** Number of people who would be called. */
  people: number;
  estimate: Estimate | null;
}

/** Checks who would be called and estimates the cost; sends nothing while contacts are null. */
export function useJobCheck(form: NewJobForm, contacts: Contacts | null): JobCheck {
  const read = usePreflight(form, contacts);
  const people = read.data && contacts ? countCallable(read.data, contacts) : 0;
  const estimate = useEstimate(read.data?.firstCall?.flowApiId, people);
  return { read, people, estimate };
}

/** Number of people who would be called; in a long list, the checked part is extrapolated to the rest. */
function countCallable({ callableRows, totalRows, rejectedRows }: Preflight, { rows }: Contacts): number {
  return Math.round((rows.length * callableRows) / Math.max(1, totalRows + rejectedRows));
}
