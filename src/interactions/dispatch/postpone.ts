import type pg from "pg";
import { NO_JOB } from "#src/interactions/calls/new-row.ts";
import { LOOK_IN_TIME_SQL, WAITS_SQL } from "#src/interactions/calls/waiting-rows.ts";
import { retryTransient } from "#src/platform/db/database.ts";
import { nowMs } from "#src/platform/kernel/clock.ts";
import { FICTIONAL_PATTERN } from "#src/platform/kernel/e164.ts";
import { type CallingWindow, nextOpening } from "#src/tenancy/compliance/calling-window.ts";
import type { HoldReason } from "#src/tenancy/compliance/opt-out-hold.ts";
import { nextDay, type PaceReason } from "#src/tenancy/compliance/person-pace.ts";

/** Maximum number of siblings moved with one waiting row, in one statement. */
const MAX_SIBLINGS = 5_000;
/** Shortest delay, because the database's clock and rules may differ a little from this process's. */
const AGAIN_MS = 1_000;
/**
 * First part of the `with` of what follows a claim: no lock is waited for longer, because the claims of this node wait as
 * long. Somebody may be changing the window of a job or a workspace. The rows then stay as the claim left them. Set within
 * the statement, as NOT_FLUSHED is.
 */
export const PATIENCE = "patience as materialized (select set_config('lock_timeout', '250ms', true))";
/** Delay when a window never opens. The row is checked again in case the rules of its zone change. */
const NEVER_MS = 24 * 3_600_000;

/**
 * A due row that the claim left alone: it is outside its calling window, its number must not be dialled yet, or its
 * number is held.
 */
export interface WaitingRow {
  waits: true;
  workspace_id: string;
  id: string;
  phone_number_id: string;
  job_id: string;
  customer_number: string;
  time_zone: string | null;
  number_country: string;
  was_due_at: Date;
  window_rules: CallingWindow | null;
  window_zones: string[];
  /** Null when it waits for the window alone. */
  pace: PaceReason | HoldReason | null;
  person_zones: string[] | null;
  gap_ends_at: Date | null;
  max_attempts_per_day: number | null;
  attempt_gap_minutes: number | null;
}

/**
 * Moves rows to the opening of their window. A row that waits for the window alone takes along the rows of its job,
 * number and zone that are due, too: otherwise the claim would pick them up batch by batch only to put them back. One
 * that waits for a retry stays until that is due, because a change of the window makes all rows that were moved due at
 * once. They keep their order (a head start is at most a second). Workspace and job are locked so that the window cannot
 * change in the meantime. Rows locked elsewhere are skipped. Those that the claim let wait for five minutes may be due
 * earlier now, and their lane may rest as long by then.
 * $1 the rows as JSON, $2 siblings at most.
 */
const POSTPONE = `
with ${PATIENCE},
x as materialized (
  select * from json_to_recordset($1::json) as x(workspace_id uuid, phone_number_id uuid, job_id uuid, time_zone text,
    number_country text, rules jsonb, opens_at timestamptz, first_due_at timestamptz, ids uuid[], due_ats timestamptz[],
    pace text, max_attempts_per_day int, attempt_gap_minutes int)
),
homes as materialized (
  select w.id, w.calling_window, w.max_attempts_per_day, w.attempt_gap_minutes from workspaces w
   where w.id in (select workspace_id from x) and (select count(*) from patience) = 1
   order by w.id for share of w
),
jobs as materialized (
  select j.workspace_id, j.id, j.calling_window from call_jobs j
   where exists (select 1 from x where x.workspace_id = j.workspace_id and x.job_id = j.id)
     and (select count(*) from homes) >= 0
   order by j.id for share of j
),
mine as materialized (
  select r.workspace_id, r.id, x.opens_at, x.first_due_at, i.due_at
    from x cross join lateral unnest(x.ids, x.due_ats) as i(id, due_at)
    join call_rows r on r.workspace_id = x.workspace_id and r.id = i.id
    join homes w on w.id = x.workspace_id
    left join jobs j on j.workspace_id = x.workspace_id and j.id = x.job_id
   where ${WAITS_SQL} and r.window_opens_at = r.due_at
     and coalesce(r.calling_window, j.calling_window, w.calling_window) is not distinct from x.rules
     and (x.pace is null or (w.max_attempts_per_day is not distinct from x.max_attempts_per_day
                             and w.attempt_gap_minutes is not distinct from x.attempt_gap_minutes))
     for update of r skip locked
),
siblings as materialized (
  select s.workspace_id, s.id, x.opens_at, x.first_due_at, s.due_at
    from x join homes w on w.id = x.workspace_id
    join jobs j on j.workspace_id = x.workspace_id and j.id = x.job_id
     and coalesce(j.calling_window, w.calling_window) = x.rules and x.pace is null
   cross join lateral (
      select r.workspace_id, r.id, r.due_at from call_rows r
       where r.phone_number_id = x.phone_number_id and r.job_id = x.job_id
         and ${WAITS_SQL} and r.due_at <= now() and not r.id = any (x.ids)
         and r.time_zone is not distinct from x.time_zone and r.number_country = x.number_country
         and r.customer_number !~ '${FICTIONAL_PATTERN}'
       order by r.due_at, r.id limit $2 for update of r skip locked) s
   where s.workspace_id = x.workspace_id
),
moved as materialized (
  select workspace_id, id, opens_at + least(interval '1 s', greatest(interval '0', due_at - first_due_at)) as due_at
    from (select * from mine union all select * from siblings) m
),
moved_rows as (
  update call_rows r set due_at = m.due_at, window_opens_at = m.due_at
    from moved m where r.workspace_id = m.workspace_id and r.id = m.id
  returning r.workspace_id, r.phone_number_id, r.job_id, r.due_at
)${LOOK_IN_TIME_SQL}`;

/**
 * Moves rows that the claim found outside their window, or too soon for their person, to the time at which they may be
 * dialled.
 */
export async function postponeRows(pool: pg.Pool, rows: WaitingRow[], atMs: number = nowMs()): Promise<void> {
  const groups = new Map<string, WaitingRow[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row)) ?? [];
    group.push(row);
    groups.set(keyOf(row), group);
  }
  const moves = [...groups.values()].map((group) => toMove(group, atMs));
  const values = [JSON.stringify(moves), MAX_SIBLINGS];
  await retryTransient(() => pool.query({ name: "postpone-rows", text: POSTPONE, values }));
}

/**
 * Returns the key of rows that open together: one job, number and zone. A single call has its own window, and each
 * person their own day.
 */
function keyOf(row: WaitingRow): string {
  if (row.job_id === NO_JOB || row.pace !== null) return row.id;
  return [row.workspace_id, row.phone_number_id, row.job_id, row.time_zone, row.number_country].join("|");
}

function toMove(group: WaitingRow[], nowMs: number): object {
  const [row] = group as [WaitingRow];
  const opensAtMs = opensAt(row, nowMs);
  const firstDueMs = Math.min(...group.map((each) => each.was_due_at.getTime()));
  return {
    workspace_id: row.workspace_id,
    phone_number_id: row.phone_number_id,
    job_id: row.job_id,
    time_zone: row.time_zone,
    number_country: row.number_country,
    rules: row.window_rules,
    opens_at: new Date(Math.max(opensAtMs, nowMs + AGAIN_MS)),
    first_due_at: new Date(firstDueMs),
    ids: group.map((each) => each.id),
    due_ats: group.map((each) => each.was_due_at),
    pace: row.pace,
    max_attempts_per_day: row.max_attempts_per_day,
    attempt_gap_minutes: row.attempt_gap_minutes,
  };
}

function opensAt(row: WaitingRow, nowMs: number): number {
  const { pace, person_zones: zones, gap_ends_at: gapEndsAt, window_rules: rules } = row;
  const dayMs = pace === "ATTEMPTS_PER_DAY" ? nextDay(zones ?? [], nowMs) : nowMs;
  const freeMs = Math.max(dayMs, gapEndsAt?.getTime() ?? nowMs);
  if (rules === null) return freeMs;
  return nextOpening(rules, row.window_zones, freeMs) ?? nowMs + NEVER_MS;
}
