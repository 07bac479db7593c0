import type { CallJob, CallJobSummary } from "@parley/sdk";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import type { JobProgress } from "#web/api/live-shapes.ts";
import { useRead } from "#web/api/queries.ts";
import { useWorkspace } from "#web/api/workspace.tsx";

const MOVING = new Set(["IMPORTING", "RUNNING", "CANCELLING"]);
const STANDING = new Set(["SCHEDULED", "PAUSED"]);
/** Rows above which a job is read less often, because its summary costs the server more. */
const LONG_JOB_ROWS = 50_000;

/** Milliseconds between reads of the job's lists: longer while it stands still, undefined once it is over. */
export function refreshOf({ status, totalRows }: CallJob): number | undefined {
  if (MOVING.has(status)) return totalRows > LONG_JOB_ROWS ? 10_000 : 3_000;
  return STANDING.has(status) ? 30_000 : undefined;
}

/**
 * Reads the job. Live events update its counts; in case they cannot arrive, it is also read every 15 s until it is
 * over.
 */
export function useJob(jobId: string): UseQueryResult<CallJob> {
  const first = useRead<CallJob>(`/call-jobs/${jobId}`);
  return useRead<CallJob>(
    `/call-jobs/${jobId}`,
    undefined,
    first.data && refreshOf(first.data) !== undefined ? { refreshMs: 15_000 } : {},
  );
}

/** Reads the counts of the job's rows by status and outcome. */
export function useJobSummary(job: CallJob): UseQueryResult<CallJobSummary> {
  const refreshMs = refreshOf(job);
  return useRead<CallJobSummary>(
    `/call-jobs/${job.id}/summary`,
    undefined,
    refreshMs === undefined ? {} : { refreshMs },
  );
}

/** Pace and time left from the last live event; undefined until one arrived. */
export function useJobPace(jobId: string): JobProgress | undefined {
  const { id } = useWorkspace();
  return useQuery<JobProgress>({
    queryKey: [id, "live", "job", jobId],
    enabled: false,
    queryFn: () => Promise.reject(new Error()),
  }).data;
}
