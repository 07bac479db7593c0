import type { Executor } from "#src/platform/db/database.ts";
import { assertUnchanged } from "#src/platform/http/precondition.ts";
import { nullable, oneOf, type Static, Timestamp, Type, Uuid } from "#src/platform/http/schemas.ts";
import { now } from "#src/platform/kernel/clock.ts";
import { AppError, fieldError, missing } from "#src/platform/kernel/errors.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { addTask } from "#src/platform/queue/queue.ts";
import { getWorkspace } from "#src/tenancy/workspaces/workspaces.ts";
import { ExportSettings, ExportSettingsInput, readExportSettings } from "./export-settings.ts";
import { nextOccurrence, readSchedule, Schedule, ScheduleInput } from "./schedule.ts";
import {
  AUTOMATION_KINDS,
  type AutomationFields,
  type AutomationRow,
  countAutomations,
  deleteAutomation,
  findAutomation,
  hasCallJob,
  lockAutomation,
  saveAutomation,
  setNextRun,
} from "./store.ts";

/**
 * An automation that makes artifacts: a report of each finished call job, a digest on a schedule, or an export on
 * request.
 */
export const Automation = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    description: nullable(Type.String()),
    kind: oneOf(
      AUTOMATION_KINDS,
      "CALL_JOB_REPORT: a job finished. DAILY_DIGEST: on its schedule. EXPORT: when asked.",
    ),
    enabled: Type.Boolean({ description: "A disabled one starts by no trigger; it still runs when asked." }),
    callJobId: nullable(Uuid),
    schedule: nullable(Schedule),
    export: nullable(ExportSettings),
    nextRunAt: nullable(Timestamp),
    version: Type.Integer(),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { $id: "Automation" },
);
export type Automation = Static<typeof Automation>;

/** Body of a create or change request. Server-owned fields are ignored. */
export const AutomationInput = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.Optional(nullable(Type.String({ maxLength: 10_000 }))),
    kind: oneOf(AUTOMATION_KINDS, "Fixed when it is made."),
    enabled: Type.Optional(Type.Boolean({ description: "Default true." })),
    callJobId: Type.Optional(
      nullable(
        Type.Unsafe<string>({
          ...Uuid,
          description: "Reports: this job's runs only; null: every job's. Exports: this job's rows; null: the history.",
        }),
      ),
    ),
    schedule: Type.Optional(nullable(ScheduleInput)),
    export: Type.Optional(nullable(ExportSettingsInput)),
  },
  { $id: "AutomationInput" },
);
export type AutomationInput = Static<typeof AutomationInput>;

/** Request body of an automation's change: the fields that change. */
export const AutomationChange = Type.Partial(AutomationInput, { $id: "AutomationChange" });
export type AutomationChange = Static<typeof AutomationChange>;

/** Task that starts a digest when it is due and schedules the next one. */
export const SCHEDULE_TASK = "automation.schedule";
/** Delay after a digest's time before it begins, so that every call that had ended by then is stored. */
const SETTLE_MS = 30_000;
/** Limit of automations in a workspace, because each report runs at each completion of a job. */
const MAX_AUTOMATIONS = 1_000;

/** One automation; 404 when there is none. */
export async function getAutomation(db: Executor, workspaceId: string, id: string): Promise<Automation> {
  const row = await findAutomation(db, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  return toAutomation(row);
}

/** Creates an automation and schedules its first digest. */
export async function createAutomation(tx: Executor, workspaceId: string, input: AutomationInput): Promise<Automation> {
  if ((await countAutomations(tx, workspaceId)) >= MAX_AUTOMATIONS) {
    throw new AppError("CONFLICT", `A workspace has at most ${MAX_AUTOMATIONS} automations.`);
  }
  const fields = await readFields(tx, workspaceId, input, {
    name: input.name,
    description: null,
    kind: input.kind,
    enabled: true,
    call_job_id: null,
    schedule: null,
    export: null,
  });
  const id = uuidv7();
  await saveAutomation(tx, workspaceId, id, fields);
  if (fields.kind === "DAILY_DIGEST" && fields.enabled) await putNextDigest(tx, workspaceId, id, fields, now());
  return getAutomation(tx, workspaceId, id);
}

/** Merges the fields of the request into an automation. */
export async function changeAutomation(
  tx: Executor,
  workspaceId: string,
  id: string,
  input: AutomationChange,
  ifUpdatedAt?: string,
): Promise<Automation> {
  const row = await lockAutomation(tx, workspaceId, id);
  if (!row) throw new AppError("NOT_FOUND");
  assertUnchanged(row.updated_at, ifUpdatedAt);
  if (input.kind !== undefined && input.kind !== row.kind) {
    throw fieldError("kind", "IMMUTABLE", "cannot be changed. Make another automation.");
  }
  const fields = await readFields(tx, workspaceId, input, row);
  await saveAutomation(tx, workspaceId, id, fields);
  await moveSchedule(tx, workspaceId, row, fields);
  return getAutomation(tx, workspaceId, id);
}

/** Deletes an automation with its runs and artifacts for good; 404 when there is none. */
export async function removeAutomation(tx: Executor, workspaceId: string, id: string): Promise<void> {
  if (!(await findAutomation(tx, workspaceId, id))) throw new AppError("NOT_FOUND");
  await deleteAutomation(tx, workspaceId, id);
}

/**
 * Schedules the next digest. Its token makes it the only schedule task that counts from now on. `covered` is the moment
 * at which that digest will begin.
 */
export async function putNextDigest(
  tx: Executor,
  workspaceId: string,
  id: string,
  { schedule }: Pick<AutomationFields, "schedule">,
  after: Date,
  covered: Date = after,
): Promise<void> {
  if (!schedule) return;
  const runAt = nextOccurrence(schedule, after);
  const token = await setNextRun(tx, workspaceId, id, { runAt, coveredUntil: covered });
  await addTask(tx, workspaceId, {
    kind: SCHEDULE_TASK,
    subjectId: id,
    payload: { token, runAt: runAt.toISOString() },
    dueAt: new Date(runAt.getTime() + SETTLE_MS),
  });
}

/** Reschedules a digest after a change. One that is switched on again covers the time from then on, not the pause. */
async function moveSchedule(
  tx: Executor,
  workspaceId: string,
  old: AutomationRow,
  fields: AutomationFields,
): Promise<void> {
  if (fields.kind !== "DAILY_DIGEST") return;
  const at = now();
  if (!fields.enabled) {
    if (old.enabled) await setNextRun(tx, workspaceId, old.id, { runAt: null, coveredUntil: at });
    return;
  }
  if (old.enabled && JSON.stringify(old.schedule) === JSON.stringify(fields.schedule)) return;
  await putNextDigest(tx, workspaceId, old.id, fields, at, old.enabled ? old.covered_until : at);
}

async function readFields(
  tx: Executor,
  workspaceId: string,
  input: AutomationChange,
  old: AutomationFields,
): Promise<AutomationFields> {
  const { kind } = old;
  const callJobId = input.callJobId === undefined ? old.call_job_id : (input.callJobId?.toLowerCase() ?? null);
  if (kind === "DAILY_DIGEST" && callJobId !== null) {
    throw fieldError("callJobId", "NOT_ALLOWED", "is for reports and exports; a digest covers every job.");
  }
  if (callJobId !== null && callJobId !== old.call_job_id && !(await hasCallJob(tx, workspaceId, callJobId))) {
    throw missing(`Call job ${callJobId}`);
  }
  assertFits(kind, input);
  return {
    name: input.name ?? old.name,
    description: input.description === undefined ? old.description : input.description,
    kind,
    enabled: input.enabled ?? old.enabled,
    call_job_id: callJobId,
    schedule: kind === "DAILY_DIGEST" ? await nextSchedule(tx, workspaceId, input, old) : null,
    export: kind === "EXPORT" ? nextExport(input, old) : null,
  };
}

function assertFits(kind: AutomationFields["kind"], { schedule, export: exported }: AutomationChange): void {
  if (schedule && kind !== "DAILY_DIGEST") throw fieldError("schedule", "NOT_ALLOWED", "is for DAILY_DIGEST only.");
  if (exported && kind !== "EXPORT") throw fieldError("export", "NOT_ALLOWED", "is for EXPORT only.");
}

async function nextSchedule(tx: Executor, workspaceId: string, input: AutomationChange, old: AutomationFields) {
  if (input.schedule === undefined && old.schedule) return old.schedule;
  return readSchedule(input.schedule, (await getWorkspace(tx, workspaceId)).timeZone);
}

function nextExport(input: AutomationChange, old: AutomationFields): ExportSettings {
  return input.export === undefined && old.export ? old.export : readExportSettings(input.export);
}

/** The automation as the API shows it. */
export function toAutomation(row: AutomationRow): Automation {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    kind: row.kind,
    enabled: row.enabled,
    callJobId: row.call_job_id,
    schedule: row.schedule,
    export: row.export,
    nextRunAt: row.next_run_at?.toISOString() ?? null,
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
