import type { Executor } from "#src/platform/db/database.ts";
import { AppError } from "#src/platform/kernel/errors.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { type CallJob, toCallJob } from "./call-jobs.ts";
import { beginCancel } from "./cancel-task.ts";
import { NAMES_TASK } from "./learn-names.ts";
import { lockList } from "./run-store.ts";
import { allowsOnJob, isDoneOnJob, type JobAction } from "./states.ts";
import { type CallJobRow, findJob, lockJob, setLanesOpen, setStatus } from "./store.ts";

/** Returns one job; 404 when there is none. */
export async function getJob(tx: Executor, workspaceId: string, id: string): Promise<CallJob> {
  const row = await findJob(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toCallJob(row);
}

/** Stops new calls of a job while live ones go on. Idempotent; 409 once the job is over. */
export async function pauseJob(tx: Executor, workspaceId: string, id: string): Promise<CallJob> {
  const job = await lockJobFor(tx, workspaceId, id, "pause");
  if (!isDoneOnJob(job.status, "pause")) {
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
  const job = await lockJobFor(tx, workspaceId, id, "resume");
  if (!isDoneOnJob(job.status, "resume")) {
    await setLanesOpen(tx, workspaceId, id, true);
    await setStatus(tx, workspaceId, id, "RUNNING", null);
  }
  return getJob(tx, workspaceId, id);
}

/**
 * Cancels a job: waiting rows are never dialled, live calls go on to their end, and the rest of a list that is being
 * imported is not read. Where very many rows wait, a task ends the others. Idempotent; 409 once it has ended otherwise.
 */
export async function cancelJob(tx: Executor, workspaceId: string, id: string): Promise<CallJob> {
  await lockList(tx, workspaceId, id);
  const job = await lockJobFor(tx, workspaceId, id, "cancel");
  if (!isDoneOnJob(job.status, "cancel")) await beginCancel(tx, workspaceId, id);
  // The rows that are there are found by their names, too.
  if (job.status === "IMPORTING") await addTask(tx, workspaceId, { kind: NAMES_TASK, subjectId: id, payload: {} });
  return getJob(tx, workspaceId, id);
}

/** Locks a job for an action; 404 when there is none, 409 when its state does not permit the action. */
export async function lockJobFor(
  tx: Executor,
  workspaceId: string,
  id: string,
  action: JobAction,
): Promise<CallJobRow> {
  const job = await lockJob(tx, workspaceId, id);
  if (!job) throw new AppError("NOT_FOUND");
  assertPermits(job, action);
  return job;
}

/** Throws the 409 for an action that a job's state does not permit. A repeat of what was done passes. */
export function assertPermits({ status }: Pick<CallJobRow, "status">, action: JobAction): void {
  if (allowsOnJob(status, action) || isDoneOnJob(status, action)) return;
  throw new AppError("CONFLICT", `The job is ${status}.`);
}
