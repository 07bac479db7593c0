import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { deleteInBites } from "#src/platform/db/delete-in-bites.ts";
import { countOf, isBefore, limitTo, type PageRequest } from "#src/platform/db/paged-lists.ts";
import { DROP_ARTIFACTS_SQL } from "#src/platform/db/retention.ts";
import type { ExportSettings } from "./export-settings.ts";
import type { Schedule } from "./schedule.ts";

export const AUTOMATION_KINDS = ["CALL_JOB_REPORT", "DAILY_DIGEST", "EXPORT"] as const;
export const RUN_TRIGGERS = ["CALL_JOB_COMPLETED", "SCHEDULE", "MANUAL"] as const;
export const RUN_STATUSES = ["QUEUED", "RUNNING", "COMPLETED", "FAILED"] as const;

/** Fields of an automation that the caller sets. */
export interface AutomationFields {
  name: string;
  description: string | null;
  kind: (typeof AUTOMATION_KINDS)[number];
  enabled: boolean;
  call_job_id: string | null;
  schedule: Schedule | null;
  export: ExportSettings | null;
}

export interface AutomationRow extends AutomationFields {
  id: string;
  schedule_token: number;
  next_run_at: Date | null;
  covered_until: Date;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** Subject of a run: a run of a job, or a span of time. */
export interface RunParameters {
  callJobId?: string;
  callJobRun?: number;
  from?: string;
  until?: string;
}

export interface RunRow {
  id: string;
  automation_id: string;
  trigger: (typeof RUN_TRIGGERS)[number];
  parameters: RunParameters;
  status: (typeof RUN_STATUSES)[number];
  artifact_count: number;
  error: { code: string; message: string } | null;
  created_at: Date;
  started_at: Date | null;
  ended_at: Date | null;
}

/** A page of automations, newest first, with one more than asked for. */
export function listAutomations(tx: Executor, workspaceId: string, page: PageRequest): Promise<AutomationRow[]> {
  return all(
    tx,
    sql`select * from automations where workspace_id = ${workspaceId} and ${isBefore(page)}
        order by id desc ${limitTo(page)}`,
  );
}

/** Returns the number of automations in a workspace. */
export function countAutomations(tx: Executor, workspaceId: string): Promise<number> {
  return countOf(tx, sql`automations where workspace_id = ${workspaceId}`);
}

/** One automation. */
export function findAutomation(tx: Executor, workspaceId: string, id: string): Promise<AutomationRow | undefined> {
  return first(tx, sql`select * from automations where workspace_id = ${workspaceId} and id = ${id}`);
}

/** One automation, locked for the change that follows. */
export function lockAutomation(tx: Executor, workspaceId: string, id: string): Promise<AutomationRow | undefined> {
  return first(tx, sql`select * from automations where workspace_id = ${workspaceId} and id = ${id} for update`);
}

/** Stores an automation, new or changed. */
export async function saveAutomation(
  tx: Executor,
  workspaceId: string,
  id: string,
  fields: AutomationFields,
): Promise<void> {
  await all(
    tx,
    sql`insert into automations (workspace_id, id, name, description, kind, enabled, call_job_id, schedule, export)
        values (${workspaceId}, ${id}, ${fields.name}, ${fields.description}, ${fields.kind}, ${fields.enabled},
          ${fields.call_job_id}, ${json(fields.schedule)}, ${json(fields.export)})
        on conflict (workspace_id, id) do update set name = excluded.name, description = excluded.description,
          enabled = excluded.enabled, call_job_id = excluded.call_job_id, schedule = excluded.schedule,
          export = excluded.export, version = automations.version + 1, updated_at = now()`,
  );
}

function json(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Stores the due time of the next digest and the start of its span; returns the token of its schedule task. */
export async function setNextRun(
  tx: Executor,
  workspaceId: string,
  id: string,
  next: { runAt: Date | null; coveredUntil: Date },
): Promise<number> {
  const row = await first<{ schedule_token: number }>(
    tx,
    sql`update automations set next_run_at = ${next.runAt}, covered_until = ${next.coveredUntil},
          schedule_token = schedule_token + 1
        where workspace_id = ${workspaceId} and id = ${id} returning schedule_token`,
  );
  return row?.schedule_token ?? 0;
}

/** Runs, and artifacts, that one statement deletes. */
const BITE = 5_000;

/**
 * Deletes an automation, its runs and artifacts. Runs go first, so that it waits for one in progress. The bytes follow
 * within minutes: a year of reports has gigabytes, and nobody waits for their deletion.
 */
export async function deleteAutomation(tx: Executor, workspaceId: string, id: string): Promise<void> {
  const some = (table: string, after: string) => {
    const of = sql`${sql.raw(table)} where workspace_id = ${workspaceId}`;
    return sql`delete from ${of} and id = any (array(
      select id from ${of} and automation_id = ${id} and id > ${after} order by id limit ${BITE}))`;
  };
  await deleteInBites(BITE, (after) => all(tx, sql`${some("automation_runs", after)} returning id`));
  await deleteInBites(BITE, (after) =>
    all(
      tx,
      sql`with gone as (${some("artifacts", after)} returning workspace_id, id), dropped as (${sql.raw(DROP_ARTIFACTS_SQL)})
          select id from gone`,
    ),
  );
  await all(tx, sql`delete from automations where workspace_id = ${workspaceId} and id = ${id}`);
}

/** True when the workspace has that call job. */
export async function hasCallJob(tx: Executor, workspaceId: string, id: string): Promise<boolean> {
  return (
    (await first(tx, sql`select id from call_jobs where workspace_id = ${workspaceId} and id = ${id}`)) !== undefined
  );
}

/** Stores a new run. */
export async function insertRun(
  tx: Executor,
  workspaceId: string,
  run: Pick<RunRow, "id" | "automation_id" | "trigger" | "parameters">,
): Promise<void> {
  await all(
    tx,
    sql`insert into automation_runs (workspace_id, id, automation_id, trigger, parameters)
        values (${workspaceId}, ${run.id}, ${run.automation_id}, ${run.trigger}, ${JSON.stringify(run.parameters)})`,
  );
}

/** One run. */
export function findRun(tx: Executor, workspaceId: string, id: string): Promise<RunRow | undefined> {
  return first(tx, sql`select * from automation_runs where workspace_id = ${workspaceId} and id = ${id}`);
}

/** A run that has not ended, locked for what follows. */
export function lockOpenRun(tx: Executor, workspaceId: string, id: string): Promise<RunRow | undefined> {
  return first(
    tx,
    sql`select * from automation_runs where workspace_id = ${workspaceId} and id = ${id}
          and status in ('QUEUED', 'RUNNING') for update`,
  );
}

/** A page of an automation's runs, newest first, with one more than asked for. */
export function listRuns(
  tx: Executor,
  workspaceId: string,
  automationId: string,
  page: PageRequest,
): Promise<RunRow[]> {
  return all(
    tx,
    sql`select * from automation_runs where workspace_id = ${workspaceId} and automation_id = ${automationId}
          and ${isBefore(page)} order by id desc ${limitTo(page)}`,
  );
}

/** Returns the number of runs that an automation has. */
export function countRuns(tx: Executor, workspaceId: string, automationId: string): Promise<number> {
  return countOf(tx, sql`automation_runs where workspace_id = ${workspaceId} and automation_id = ${automationId}`);
}

/** Marks a run as RUNNING. */
export async function markRunning(tx: Executor, workspaceId: string, id: string): Promise<void> {
  await all(
    tx,
    sql`update automation_runs set status = 'RUNNING', started_at = coalesce(started_at, now())
        where workspace_id = ${workspaceId} and id = ${id} and status = 'QUEUED'`,
  );
}

/** Ends a run that has not ended yet; false when it had. */
export async function endRun(
  tx: Executor,
  workspaceId: string,
  id: string,
  end: { status: "COMPLETED" | "FAILED"; artifactCount: number; error: RunRow["error"] },
): Promise<boolean> {
  const rows = await all(
    tx,
    sql`update automation_runs set status = ${end.status}, artifact_count = ${end.artifactCount},
          error = ${json(end.error)}, started_at = coalesce(started_at, now()), ended_at = now()
        where workspace_id = ${workspaceId} and id = ${id} and status in ('QUEUED', 'RUNNING') returning id`,
  );
  return rows.length > 0;
}
