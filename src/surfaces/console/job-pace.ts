import type { JobState } from "./feed-sql.ts";

/** A job's state, and how fast it goes. */
export interface JobProgress extends JobState {
  ratePerMinute: number | null;
  etaSeconds: number | null;
}

/** The pace is that of the last half minute; a job just begun has none yet. */
const WINDOW_MS = 30_000;
const MIN_SPAN_MS = 2_000;
const OVER = new Set(["COMPLETED", "CANCELLED", "FAILED"]);

interface Tracked {
  progress: JobProgress;
  text: string;
  points: { atMs: number; processed: number }[];
}

/** Follows the jobs of a workspace from look to look. */
export class JobPace {
  readonly #jobs = new Map<string, Tracked>();

  /** The jobs that were under way at the last look. */
  get known(): string[] {
    return [...this.#jobs.keys()];
  }

  /** All of them, as they were then. */
  get all(): JobProgress[] {
    return [...this.#jobs.values()].map(({ progress }) => progress);
  }

  /** Takes note of the jobs at a moment; those that changed. One that is over is told once and forgotten. */
  take(jobs: JobState[], nowMs: number): JobProgress[] {
    const changed: JobProgress[] = [];
    for (const job of jobs) {
      const earlier = this.#jobs.get(job.jobId);
      const text = JSON.stringify(job);
      const points = follow(earlier?.points ?? [], job, nowMs);
      const progress = { ...job, ...paceOf(points, job) };
      if (earlier?.text !== text) changed.push(progress);
      if (OVER.has(job.status)) this.#jobs.delete(job.jobId);
      else this.#jobs.set(job.jobId, { progress, text, points });
    }
    return changed;
  }
}

/** A run that begins anew counts from there. */
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
