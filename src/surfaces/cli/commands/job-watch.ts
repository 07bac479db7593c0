import type { CallJob } from "@parley/sdk";
import type { ApiSession } from "#src/surfaces/cli/api-session.ts";
import { EXIT } from "#src/surfaces/cli/exit-codes.ts";
import { formatDuration, ProgressDisplay } from "#src/surfaces/cli/progress.ts";
import { follow, type Run } from "#src/surfaces/cli/run.ts";
import { printable } from "#src/surfaces/cli/table.ts";

/** Shows a job's progress until its run has ended, then its result. Sets exit code 6 when rows failed. */
export async function watchJob(run: Run, { client }: ApiSession, id: string): Promise<void> {
  const display = new ProgressDisplay(run);
  let written = Promise.resolve();
  const onProgress = (job: CallJob) => {
    display.show(job);
    if (run.options.json) written = written.then(() => run.print({ type: "progress", job }, ""));
  };
  let job: CallJob;
  try {
    job = await follow(run, "the job", `parley jobs watch ${id}`, (signal) =>
      client.jobs.wait(id, { onProgress, signal }),
    );
  } finally {
    display.end();
  }
  await written;
  await run.print({ type: "ended", job }, renderResult(run, job));
  run.hint(`Next: parley jobs rows ${id}    parley jobs export ${id} > rows.csv`);
  if (job.status !== "COMPLETED" || job.errorRows > 0) run.exitCode = EXIT.ENDED_WITH_FAILURES;
}

function renderResult(run: Run, job: CallJob): string {
  const isGood = job.status === "COMPLETED" && job.errorRows === 0;
  const status = run.system.style(isGood ? "green" : "yellow", job.status, "OUT");
  const took =
    job.startedAt && job.completedAt
      ? `  in ${formatDuration((Date.parse(job.completedAt) - Date.parse(job.startedAt)) / 1000)}`
      : "";
  const people =
    job.reachedRows === undefined ? "" : ` (${job.reachedRows} reached a person, ${job.machineRows ?? 0} a machine)`;
  return `${printable(job.name)}  ${status}  ${job.totalRows} rows: ${job.successfulRows} ok, ${job.errorRows} failed${people}${took}`;
}
