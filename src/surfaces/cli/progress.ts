import type { CallJob } from "@parley/sdk";
import type { Run } from "./run.ts";
import { printable } from "./table.ts";

/** Number of finished rows at a moment. */
export interface Sample {
  atMs: number;
  done: number;
}

/** Older samples are dropped from the estimate of the current pace. */
const PACE_WINDOW_MS = 60_000;
const LINE_EVERY_MS = 5_000;
const BAR_CELLS = 15;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/** Returns a bar of `cells` characters, exact to an eighth of one. */
export function renderBar(done: number, total: number, cells: number): string {
  const share = total > 0 ? Math.min(1, Math.max(0, done / total)) : 0;
  const eighths = Math.floor(share * cells * 8);
  const bar = "█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
  return bar + "·".repeat(cells - bar.length);
}

/** Formats seconds as 0:21, 12:05 or 1:02:03. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = `${String(rest).padStart(2, "0")}`;
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${tail}` : `${minutes}:${tail}`;
}

/** Returns the seconds until all rows are done at the samples' pace; undefined while there is no pace. */
export function estimateSecondsLeft(samples: Sample[], total: number): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || last.done <= first.done || last.atMs <= first.atMs) return undefined;
  const rowsPerMs = (last.done - first.done) / (last.atMs - first.atMs);
  return (total - last.done) / rowsPerMs / 1000;
}

/** Counts of a job that its line shows; a server that does not send the last two has them left out. */
export type ShownJob = Pick<
  CallJob,
  "name" | "status" | "processedRows" | "totalRows" | "successfulRows" | "errorRows"
> &
  Partial<Pick<CallJob, "waitingForRetryRows" | "inProgressRows">>;

/** Returns one line about a job: bar, counts, time left. Counts that the server does not send are left out. */
export function renderProgress(job: ShownJob, secondsLeft: number | undefined, columns: number): string {
  const counts = [
    `${job.processedRows}/${job.totalRows}`,
    ` ok ${job.successfulRows}`,
    job.waitingForRetryRows === undefined ? "" : ` retry ${job.waitingForRetryRows}`,
    ` failed ${job.errorRows}`,
    job.inProgressRows === undefined ? "" : ` live ${job.inProgressRows}`,
    job.status === "RUNNING" ? "" : ` ${job.status}`,
    secondsLeft === undefined || job.status !== "RUNNING" ? "" : ` ETA ${formatDuration(secondsLeft)}`,
  ].filter(Boolean);
  const tail = `${renderBar(job.processedRows, job.totalRows, BAR_CELLS)} ${counts.join(" ")}`;
  // One column stays free: a full line would wrap, and could not be redrawn.
  const room = columns - tail.length - 3;
  if (room < 4) return tail.slice(0, columns - 1);
  const name = printable(job.name);
  return `${name.length > room ? `${name.slice(0, room - 1)}…` : name}  ${tail}`;
}

/** Shows a job's progress on standard error: one line redrawn on a terminal, else a line every few seconds. */
export class ProgressDisplay {
  readonly #run: Run;
  #samples: Sample[] = [];
  #lastLineMs = Number.NEGATIVE_INFINITY;
  #isDrawn = false;

  constructor(run: Run) {
    this.#run = run;
  }

  /** Shows the current state of the job. */
  show(job: ShownJob): void {
    const { system, options } = this.#run;
    const nowMs = system.nowMs();
    this.#samples.push({ atMs: nowMs, done: job.processedRows });
    while ((this.#samples[0]?.atMs ?? nowMs) < nowMs - PACE_WINDOW_MS) this.#samples.shift();
    if (options.quiet || options.json) return;
    const isAnimated = system.isTerminal;
    if (!isAnimated && nowMs - this.#lastLineMs < LINE_EVERY_MS) return;
    this.#lastLineMs = nowMs;
    const line = renderProgress(
      job,
      estimateSecondsLeft(this.#samples, job.totalRows),
      isAnimated ? system.columns() : 120,
    );
    system.writeErr(isAnimated ? `\r\u001b[2K${line}` : `${line}\n`);
    this.#isDrawn = isAnimated;
  }

  /** Ends the drawn line, so that later output starts on its own line. */
  end(): void {
    if (this.#isDrawn) this.#run.system.writeErr("\n");
    this.#isDrawn = false;
  }
}
