import type { JobState } from "./feed-sql.ts";

/** A job's state and pace. */
export interface JobProgress extends JobState {
  ratePerMinute: number | null;
  etaSeconds: number | null;
}

/** The pace covers the last half minute; a job that just began has none yet. */
const WINDOW_MS = 30_000;
const MIN_SPAN_MS = 2_000;
const OVER = new Set(["COMPLETED", "CANCELLED", "FAILED"]);

interface Tracked {
  progress: JobProgress;
  text: string;
  points: { atMs: number; processed: number }[];
}

/** Follows the jobs of a workspace from tick to tick. */
export class JobPace {
  readonly #jobs = new Map<string, Tracked>();

  /** Ids of the jobs under way at the last tick. */
  get known(): string[] {
    return [...this.#jobs.keys()];
  }

  /** All of these jobs, with their state at that tick. */
  get all(): JobProgress[] {
    return [...this.#jobs.values()].map(({ progress }) => progress);
  }

  /**
   * Records the jobs at a moment and returns those that changed or came to a stop. A finished job is reported once and
   * forgotten.
   */
  take(jobs: JobState[], nowMs: number): JobProgress[] {
    const changed: JobProgress[] = [];
    for (const job of jobs) {
      const earlier = this.#jobs.get(job.jobId);
      const text = JSON.stringify(job);
      const points = follow(earlier?.points ?? [], job, nowMs);
      const progress = { ...job, ...paceOf(points, job) };
      const hasStopped = progress.ratePerMinute === 0 && earlier?.progress.ratePerMinute !== 0;
      if (earlier?.text !== text || hasStopped) changed.push(progress);
      if (OVER.has(job.status)) this.#jobs.delete(job.jobId);
      else this.#jobs.set(job.jobId, { progress, text, points });
    }
    return changed;
  }
}

/** Adds a point to a job's history. A new run of the job starts a new history. */
function follow(points: Tracked["points"], job: JobState, nowMs: number): Tracked["points"] {
  const last = points.at(-1);
  const kept = last && last.processed > job.processedRows ? [] : points.filter(({ atMs }) => nowMs - atMs <= WINDOW_MS);
  return [...kept, { atMs: nowMs, processed: job.processedRows }];
}

function paceOf(points: Tracked["points"], job: JobState): Pick<JobProgress, "ratePerMinute" | "etaSeconds"> {
  const first = points[0];
  const last = points.at(-1);
  const none = { ratePerMinute: null, etaSeconds: null };
  if (!first || !last || last.atMs - first.atMs < MIN_SPAN_MS || job.status === "SCHEDULED" || OVER.has(job.status))
    return none;
  const perMs = (last.processed - first.processed) / (last.atMs - first.atMs);
  if (perMs <= 0) return { ratePerMinute: 0, etaSeconds: null };
  const left = Math.max(0, job.totalRows - job.processedRows);
  return { ratePerMinute: Math.round(perMs * 60_000 * 10) / 10, etaSeconds: Math.ceil(left / perMs / 1_000) };
}
