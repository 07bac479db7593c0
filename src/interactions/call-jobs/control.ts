import type { Executor } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { type CallJob, toCallJob } from "./call-jobs.ts";
import { cancelWaiting } from "./cancel-store.ts";
import { type CallJobRow, findJob, lockJob, setLanesOpen, setStatus } from "./store.ts";

/** One job; 404 when there is none. */
export async function getJob(tx: Executor, workspaceId: string, id: string): Promise<CallJob> {
  const row = await findJob(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toCallJob(row);
}

/** Stops new calls of a job while live ones go on. Idempotent; 409 once the job is over. */
export async function pauseJob(tx: Executor, workspaceId: string, id: string): Promise<CallJob> {
  const job = await lockOpenJob(tx, workspaceId, id, ["RUNNING", "PAUSED"]);
  if (job.status === "RUNNING") {
    await setLanesOpen(tx, workspaceId, id, false);
    await setStatus(tx, workspaceId, id, "PAUSED", "USER");
  }
  return getJob(tx, workspaceId, id);
}

/** Keeps a new job from starting until somebody resumes it. */
export async function holdJob(tx: Executor, workspaceId: string, id: string): Promise<void> {
  await setLanesOpen(tx, workspaceId, id, false);
  await setStatus(tx, workspaceId, id, "PAUSED", "NOT_STARTED");
}

/** Resumes a paused job. Idempotent; 409 once the job is over. */
export async function resumeJob(tx: Executor, workspaceId: string, id: string): Promise<CallJob> {
  const job = await lockOpenJob(tx, workspaceId, id, ["RUNNING", "PAUSED"]);
  if (job.status === "PAUSED") {
    await setLanesOpen(tx, workspaceId, id, true);
    await setStatus(tx, workspaceId, id, "RUNNING", null);
  }
  return getJob(tx, workspaceId, id);
}

/** Cancels a job: waiting rows are never dialled, live calls go on to their end. Idempotent; 409 once it is over. */
export async function cancelJob(tx: Executor, workspaceId: string, id: string): Promise<CallJob> {
  const job = await lockOpenJob(tx, workspaceId, id, ["RUNNING", "PAUSED", "CANCELLING"]);
  if (job.status !== "CANCELLING") await cancelWaiting(tx, workspaceId, id);
  return getJob(tx, workspaceId, id);
}

/** Locks a job that is in one of these states; 404 when there is none, 409 in another state. */
export async function lockOpenJob(
  tx: Executor,
  workspaceId: string,
  id: string,
  statuses: CallJobRow["status"][],
): Promise<CallJobRow> {
  const job = await lockJob(tx, workspaceId, id);
  if (!job) throw new AppError("NOT_FOUND");
  if (!statuses.includes(job.status)) throw new AppError("CONFLICT", `The job is ${job.status}.`);
  return job;
}
