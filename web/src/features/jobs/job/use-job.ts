import type { CallJob, CallJobSummary } from "@parley/sdk";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { JobProgress } from "#web/api/live-shapes.ts";
import { useRead } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";

const MOVING = new Set(["IMPORTING", "RUNNING", "CANCELLING"]);
const STANDING = new Set(["SCHEDULED", "PAUSED"]);
/** Summing up a long job costs the server more. */
const LONG_JOB_ROWS = 50_000;

/** How often lists of the job are read again: seldom while it stands still, never once it is over. */
export function refreshOf({ status, totalRows }: CallJob): number | undefined {
  if (MOVING.has(status)) return totalRows > LONG_JOB_ROWS ? 10_000 : 3_000;
  return STANDING.has(status) ? 30_000 : undefined;
}

/** The job; live events keep its counts fresh, and where they cannot arrive it is read now and then. */
export function useJob(jobId: string): UseQueryResult<CallJob> {
  const first = useRead<CallJob>(`/call-jobs/${jobId}`);
  return useRead<CallJob>(
    `/call-jobs/${jobId}`,
    undefined,
    first.data && refreshOf(first.data) !== undefined ? { refreshMs: 15_000 } : {},
  );
}

/** Counts of its rows by status and outcome. */
export function useJobSummary(job: CallJob): UseQueryResult<CallJobSummary> {
  const refreshMs = refreshOf(job);
  return useRead<CallJobSummary>(
    `/call-jobs/${job.id}/summary`,
    undefined,
    refreshMs === undefined ? {} : { refreshMs },
  );
}

/** Pace and time left, as the last live event told; undefined until one came. */
export function useJobPace(jobId: string): JobProgress | undefined {
  const { id } = useWorkspace();
  return useQuery<JobProgress>({
    queryKey: [id, "live", "job", jobId],
    enabled: false,
    queryFn: () => Promise.reject(new Error()),
  }).data;
}
