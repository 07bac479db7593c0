import { hasPendingOutputs } from "#src/interactions/calls/output-fill.ts";
import { type Database, type Executor, isDiskFull, isUnavailable, retryTransient } from "#src/platform/db/database.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { AppError, toError } from "#src/platform/kernel/errors.ts";
import type { TaskEnd, TaskHandler } from "#src/platform/queue/queue.ts";
import { putNextDigest, SCHEDULE_TASK } from "./automations.ts";
import { completeRun, failRun, startRun } from "./runs.ts";
import { findRun, lockAutomation, markRunning } from "./store.ts";
import { RUN_TASK } from "./trigger-cte.ts";

/** Number of attempts for a run that fails for an unknown reason. */
const MAX_TRIES = 4;
const PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;
/** Interval at which a run that waits for the outputs of its calls looks again. */
const PENDING_MS = 2_000;

/** Task handlers of automations, by kind. */
export function createAutomationTasks(database: Database): [string, TaskHandler][] {
  return [
    [RUN_TASK, createRunHandler(database)],
    [SCHEDULE_TASK, createScheduleHandler(database)],
  ];
}

function createRunHandler({ db }: Database): TaskHandler {
  return async ({ workspaceId, subjectId: runId, attempt }, signal): Promise<TaskEnd> => {
    try {
      if (await waitsForOutputs(db, workspaceId, runId)) return { kind: "LATER", afterMs: PENDING_MS };
      await markRunning(db, workspaceId, runId);
      // The whole report reads one snapshot, so that its table and its sums agree while calls go on.
      await retryTransient(() =>
        db
          .transaction()
          .setIsolationLevel("repeatable read")
          .execute((tx) => completeRun(tx, workspaceId, runId, signal)),
      );
      return { kind: "DONE" };
    } catch (thrown) {
      const error = toError(thrown).message;
      if (signal.aborted) return { kind: "RETRY", afterMs: 0, error };
      const afterMs = Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** Math.min(attempt, 6));
      const mayPass = isUnavailable(thrown) || isDiskFull(thrown);
      if (mayPass || (!(thrown instanceof AppError) && attempt < MAX_TRIES)) return { kind: "RETRY", afterMs, error };
      const fault = thrown instanceof AppError ? thrown : new AppError("INTERNAL");
      await db
        .transaction()
        .execute((tx) => failRun(tx, workspaceId, runId, { code: fault.code, message: fault.message }));
      return { kind: "DEAD", error };
    }
  };
}

/**
 * True while outputs of a run's calls are being filled, which takes minutes where a model is busy: its artifacts would
 * lack them for good. Who starts a run by hand wants what is there.
 */
async function waitsForOutputs(db: Executor, workspaceId: string, runId: string): Promise<boolean> {
  const run = await findRun(db, workspaceId, runId);
  if (!run || run.trigger === "MANUAL") return false;
  const { callJobId: jobId, until } = run.parameters;
  if (jobId !== undefined) return hasPendingOutputs(db, workspaceId, { jobId });
  return until !== undefined && hasPendingOutputs(db, workspaceId, { endedBefore: until });
}

function createScheduleHandler({ db }: Database): TaskHandler {
  return async ({ workspaceId, subjectId, payload }): Promise<TaskEnd> => {
    const { token, runAt } = payload as { token: number; runAt: string };
    await db.transaction().execute((tx) => takeDigest(tx, workspaceId, subjectId, token, new Date(runAt)));
    return { kind: "DONE" };
  };
}

/**
 * Starts the digest that is due and schedules the next one. The token makes a task count once: after a crash or a
 * change of the schedule it no longer matches the automation's. Occurrences that passed while the service was down are
 * not made up one by one; one digest covers them all.
 */
async function takeDigest(tx: Executor, workspaceId: string, id: string, token: number, runAt: Date): Promise<void> {
  const automation = await lockAutomation(tx, workspaceId, id);
  if (!automation || !automation.enabled || automation.schedule_token !== token) return;
  const at = now();
  const until = runAt < at ? runAt : at;
  const from = automation.covered_until;
  await startRun(tx, workspaceId, id, "SCHEDULE", { from: from.toISOString(), until: until.toISOString() });
  await putNextDigest(tx, workspaceId, id, automation, runAt > at ? runAt : at, until);
}
