import type { Flow } from "@parley/sdk";
import type { UseQueryResult } from "@tanstack/react-query";
import { useRead } from "#web/api/queries.ts";
import type { Contacts } from "./contacts.ts";
import type { NewJobForm, Preflight } from "./new-job.ts";
import { type Estimate, useEstimate } from "./use-estimate.ts";
import { usePreflight } from "./use-preflight.ts";

/** What is known of a job before it starts. */
export interface JobCheck {
  read: UseQueryResult<Preflight>;
  /** Who would be called. */
  people: number;
  estimate: Estimate | null;
  flow: Flow | undefined;
}

/** Asks who would be called and what that may cost; null contacts: nothing is asked. */
export function useJobCheck(form: NewJobForm, contacts: Contacts | null): JobCheck {
  const read = usePreflight(form, contacts);
  const flow = useRead<Flow>(`/flows/${form.flowId ?? ""}`, undefined, { enabled: form.flowId !== null }).data;
  const people = read.data && contacts ? countCallable(read.data, contacts) : 0;
  const estimate = useEstimate(form.flowId === null ? null : flow?.apiId, people);
  return { read, people, estimate, flow };
}

/** People who would be called; of a long list, as many of the rest as of those that were judged. */
function countCallable({ callableRows, totalRows, rejectedRows }: Preflight, { rows }: Contacts): number {
  return Math.round((rows.length * callableRows) / Math.max(1, totalRows + rejectedRows));
}
