import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import type { CallingWindow } from "#src/tenancy/compliance/calling-window.ts";

export interface WorkspaceRow {
  id: string;
  name: string;
  mode: "SANDBOX" | "LIVE";
  sandbox_speed: number | null;
  rate_capacity: number;
  rate_refill: number;
  rate_period_seconds: number;
  default_flow_id: string | null;
  default_phone_number_id: string | null;
  enabled_countries: string[] | null;
  time_zone: string;
  calling_window: CallingWindow | null;
  max_attempts_per_day: number | null;
  attempt_gap_minutes: number | null;
  recording_retention_days: number | null;
  conversation_retention_days: number | null;
  requires_second_factor: boolean;
  credential_days: number | null;
  created_at: Date;
}

/** Stores a new workspace. */
export async function insertWorkspace(
  tx: Executor,
  row: Omit<
    WorkspaceRow,
    | "created_at"
    | "default_flow_id"
    | "default_phone_number_id"
    | "recording_retention_days"
    | "conversation_retention_days"
    | "requires_second_factor"
    | "credential_days"
  >,
): Promise<void> {
  await all(
    tx,
    sql`insert into workspaces (id, name, mode, sandbox_speed, rate_capacity, rate_refill, rate_period_seconds,
                                enabled_countries, time_zone, calling_window, max_attempts_per_day, attempt_gap_minutes)
        values (${row.id}, ${row.name}, ${row.mode}, ${row.sandbox_speed}, ${row.rate_capacity}, ${row.rate_refill},
                ${row.rate_period_seconds}, ${row.enabled_countries}, ${row.time_zone}, ${toJson(row.calling_window)},
                ${row.max_attempts_per_day}, ${row.attempt_gap_minutes})`,
  );
}

/** One workspace by id. */
export function findWorkspace(tx: Executor, id: string): Promise<WorkspaceRow | undefined> {
  return first<WorkspaceRow>(tx, sql`select * from workspaces where id = ${id}`);
}

/** Returns one workspace, locked until the transaction ends: other changes of it wait. */
export function lockWorkspace(tx: Executor, id: string): Promise<WorkspaceRow | undefined> {
  return first<WorkspaceRow>(tx, sql`select * from workspaces where id = ${id} for no key update`);
}

/** True once the installation has a workspace. */
export async function hasWorkspace(tx: Executor): Promise<boolean> {
  return (await first(tx, sql`select 1 from workspaces limit 1`)) !== undefined;
}

/** All workspaces, oldest first. For the operator only. */
export function listWorkspaces(tx: Executor): Promise<WorkspaceRow[]> {
  return all<WorkspaceRow>(tx, sql`select * from workspaces order by created_at, id`);
}

/** Writes the changeable settings of a workspace. */
export async function updateWorkspace(tx: Executor, row: WorkspaceRow): Promise<void> {
  await all(
    tx,
    sql`update workspaces set name = ${row.name}, sandbox_speed = ${row.sandbox_speed},
          rate_capacity = ${row.rate_capacity}, rate_refill = ${row.rate_refill},
          rate_period_seconds = ${row.rate_period_seconds}, default_flow_id = ${row.default_flow_id},
          default_phone_number_id = ${row.default_phone_number_id},
          enabled_countries = ${row.enabled_countries}, time_zone = ${row.time_zone},
          calling_window = ${toJson(row.calling_window)}, max_attempts_per_day = ${row.max_attempts_per_day},
          attempt_gap_minutes = ${row.attempt_gap_minutes},
          recording_retention_days = ${row.recording_retention_days},
          conversation_retention_days = ${row.conversation_retention_days},
          requires_second_factor = ${row.requires_second_factor}, credential_days = ${row.credential_days}
        where id = ${row.id}`,
  );
}

function toJson(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
