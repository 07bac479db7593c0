import type { Executor } from "#src/platform/db/database.ts";
import { appendEvents } from "#src/platform/events/events.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { AppError, fieldError, missing } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { createAutomation } from "./automations.ts";
import { makeArtifacts } from "./make-artifacts.ts";
import {
  type AutomationRow,
  endRun,
  findAutomation,
  findRun,
  hasCallJob,
  insertRun,
  lockOpenRun,
  RUN_STATUSES,
  RUN_TRIGGERS,
  type RunParameters,
  type RunRow,
} from "./store.ts";
import { RUN_TASK } from "./trigger-cte.ts";

/** One run of an automation: its trigger, its subject and its end. */
export const AutomationRun = Type.Object(
  {
    id: Uuid,
    automationId: Uuid,
    trigger: oneOf(RUN_TRIGGERS),
    status: oneOf(RUN_STATUSES),
    callJobId: nullable(Uuid),
    callJobRun: nullable(Type.Integer()),
    from: nullable(Timestamp),
    until: nullable(Timestamp),
    artifactCount: Type.Integer(),
    error: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
    createdAt: Timestamp,
    startedAt: nullable(Timestamp),
    endedAt: nullable(Timestamp),
  },
  { $id: "AutomationRun" },
);
export type AutomationRun = Static<typeof AutomationRun>;

/** Queues a run on request. `callJobId` names the job for a report automation that covers every job. */
export async function runAutomation(
  tx: Executor,
  workspaceId: string,
  automationId: string,
  callJobId: string | undefined,
): Promise<AutomationRun> {
  const automation = await findAutomation(tx, workspaceId, automationId);
  if (!automation) throw new AppError("NOT_FOUND");
  const parameters = await readParameters(tx, workspaceId, automation, callJobId?.toLowerCase());
  const id = await startRun(tx, workspaceId, automation.id, "MANUAL", parameters);
  return toRun((await findRun(tx, workspaceId, id)) as RunRow);
}

async function readParameters(
  tx: Executor,
  workspaceId: string,
  { kind, call_job_id: ownJobId, covered_until: coveredUntil }: AutomationRow,
  callJobId: string | undefined,
): Promise<RunParameters> {
  if (kind !== "CALL_JOB_REPORT") {
    if (callJobId !== undefined) throw fieldError("callJobId", "NOT_ALLOWED", "is for CALL_JOB_REPORT only.");
    return kind === "EXPORT" ? {} : { from: coveredUntil.toISOString(), until: now().toISOString() };
  }
  const wanted = callJobId ?? ownJobId;
  if (wanted === null) throw fieldError("callJobId", "REQUIRED", "is required: this automation reports on every job.");
  if (ownJobId !== null && wanted !== ownJobId) {
    throw fieldError("callJobId", "NOT_ALLOWED", "is another job than the one this automation reports on.");
  }
  if (!(await hasCallJob(tx, workspaceId, wanted))) throw missing(`Call job ${wanted}`);
  return { callJobId: wanted };
}

/** Stores a run and the task that executes it. */
export async function startRun(
  tx: Executor,
  workspaceId: string,
  automationId: string,
  trigger: RunRow["trigger"],
  parameters: RunParameters,
): Promise<string> {
  const id = uuidv7();
  await insertRun(tx, workspaceId, { id, automation_id: automationId, trigger, parameters });
  await addTask(tx, workspaceId, { kind: RUN_TASK, subjectId: id, payload: {} });
  return id;
}

/**
 * Executes a run in the caller's transaction: its artifacts, its end and its event. A crash leaves none of them or all,
 * and a second worker on the same run finds it ended. Returns the artifacts' ids.
 */
export async function completeRun(
  tx: Executor,
  workspaceId: string,
  runId: string,
  signal: AbortSignal,
): Promise<string[]> {
  const run = await lockOpenRun(tx, workspaceId, runId);
  if (!run) return [];
  const automation = await findAutomation(tx, workspaceId, run.automation_id);
  if (!automation) throw new AppError("NOT_FOUND", "The automation was deleted.");
  const artifactIds = await makeArtifacts({ tx, workspaceId, automation, run, signal });
  await storeEnd(tx, workspaceId, runId, { status: "COMPLETED", artifactCount: artifactIds.length, error: null });
  return artifactIds;
}

/** Ends a run that cannot be completed. */
export function failRun(tx: Executor, workspaceId: string, runId: string, error: RunRow["error"]): Promise<void> {
  return storeEnd(tx, workspaceId, runId, { status: "FAILED", artifactCount: 0, error });
}

async function storeEnd(tx: Executor, workspaceId: string, runId: string, end: Parameters<typeof endRun>[3]) {
  if (!(await endRun(tx, workspaceId, runId, end))) return;
  const { status, artifactCount } = end;
  await appendEvents(tx, workspaceId, [
    { type: "automation.run_ended", subjectId: runId, data: { status, artifactCount } },
  ]);
}

/** The run as the API shows it. */
export function toRun(row: RunRow): AutomationRun {
  const { callJobId, callJobRun, from, until } = row.parameters;
  return {
    id: row.id,
    automationId: row.automation_id,
    trigger: row.trigger,
    status: row.status,
    callJobId: callJobId ?? null,
    callJobRun: callJobRun ?? null,
    from: from ?? null,
    until: until ?? null,
    artifactCount: row.artifact_count,
    error: row.error,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

/**
 * Creates a workspace's first digest and runs it at once in the caller's transaction, so that it has artifacts from the
 * start.
 */
export async function createSampleAutomation(
  tx: Executor,
  workspaceId: string,
): Promise<{ id: string; artifactId: string }> {
  const { id } = await createAutomation(tx, workspaceId, { name: "Daily digest", kind: "DAILY_DIGEST" });
  const automation = (await findAutomation(tx, workspaceId, id)) as AutomationRow;
  const runId = uuidv7();
  const parameters = await readParameters(tx, workspaceId, automation, undefined);
  await insertRun(tx, workspaceId, { id: runId, automation_id: id, trigger: "MANUAL", parameters });
  const [artifactId] = await completeRun(tx, workspaceId, runId, new AbortController().signal);
  return { id, artifactId: artifactId as string };
}
