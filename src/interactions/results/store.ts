import type { SuccessCondition } from "#src/authoring/flows/success-condition.ts";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { FIELD_TYPES, type ValueKind } from "./field-values.ts";
import type { ResultFilters } from "./filters.ts";
import { dialsByQuarter, passes, sumsByDay } from "./totals-sql.ts";

/** Sums under one value of one dimension; `level` names the dimension. */
export interface SumGroup {
  level: "ALL" | "VERSION" | "NUMBER" | "OUTCOME" | "REASON";
  flow_api_id: string | null;
  flow_version: number | null;
  phone_number_id: string | null;
  outcome: string | null;
  reason: string | null;
  calls: number;
  dialled: number;
  persons: number;
  machines: number;
  talked: number;
  goals: number;
  call_ms: number;
  billed: string;
  simulated: string;
  dials: number;
  dial_persons: number;
  dial_machines: number;
}

/** Dials of a quarter of an hour. */
export interface DialGroup {
  bucket_at: Date;
  dials: number;
  dial_persons: number;
  dial_machines: number;
}

/** A counted value of a field, or a mark. Texts are the most frequent ones; `of_kind` counts those of the kind left out as well. */
export interface ValueGroup {
  field: string;
  kind: ValueKind;
  value: string;
  calls: number;
  total: string;
  of_kind: number;
}

/** Calls with the value that counts as the goal, by version and number. */
export interface GoalGroup {
  flow_api_id: string | null;
  flow_version: number | null;
  phone_number_id: string | null;
  calls: number;
}

const MOST_TEXTS = 20;
/** Values read at most, over all fields: those of the most frequent. */
const MOST_VALUES = 20_000;

/** Kinds of the values by which a field's calls are found, for `in (…)`. */
export const FIELD_KINDS = sql.join(FIELD_TYPES.map((kind) => sql.lit(kind)));

const added = sql.raw(
  "calls dialled persons machines talked goals call_ms billed simulated dials dial_persons dial_machines"
    .split(" ")
    .map((name) => `coalesce(sum(s.${name}), 0)${/billed|simulated/.test(name) ? "" : "::bigint"} as ${name}`)
    .join(", "),
);

/** Adds up the sums that pass the filters, as a whole and by each dimension. */
export function addUp(db: Executor, filters: ResultFilters): Promise<SumGroup[]> {
  return all(
    db,
    sql`select case grouping(flow_version, phone_number_id, outcome, reason)
            when 15 then 'ALL' when 7 then 'VERSION' when 11 then 'NUMBER' when 13 then 'OUTCOME' else 'REASON' end as level,
          flow_api_id, flow_version, phone_number_id, outcome, reason, ${added}
        from ${sumsByDay(filters)} s
        group by grouping sets ((), (flow_api_id, flow_version), (phone_number_id), (outcome), (reason))`,
  );
}

/** Adds up the dials that pass the filters, by quarter of an hour. */
export function addUpDials(db: Executor, filters: ResultFilters): Promise<DialGroup[]> {
  return all(
    db,
    sql`select bucket_at, sum(dials)::bigint as dials, sum(dial_persons)::bigint as dial_persons,
               sum(dial_machines)::bigint as dial_machines
          from ${dialsByQuarter(filters)} s group by 1 having sum(dials) > 0`,
  );
}

/** Counts the values of fields, and the marks, that pass the filters. */
export function countValues(db: Executor, filters: ResultFilters): Promise<ValueGroup[]> {
  return all(
    db,
    sql`select field, kind, value, calls, total, of_kind from (
          select field, kind, value, sum(calls)::bigint as calls, sum(total) as total,
            sum(sum(calls)) over (partition by field, kind)::bigint as of_kind,
            row_number() over (partition by field, kind order by sum(calls) desc, value) as place
          from result_values s where ${passes(filters)} group by field, kind, value) v
        where place <= case when kind = 'TEXT' then ${MOST_TEXTS}::int else ${MOST_VALUES}::int end
        order by of_kind desc, field, calls desc, value limit ${MOST_VALUES}`,
  );
}

/** Counts the calls whose field has the value that counts as the goal. */
export async function countGoals(db: Executor, filters: ResultFilters): Promise<GoalGroup[] | null> {
  if (filters.goal === null) return null;
  return all(
    db,
    sql`select flow_api_id, flow_version, phone_number_id, sum(calls)::bigint as calls from result_values s
         where ${passes(filters)} and s.field = ${filters.goal.field} and s.value = ${filters.goal.value}
           and s.kind in (${FIELD_KINDS}) group by 1, 2, 3`,
  );
}

/** Most changed calls that are counted. */
const MOST_WAITING = 10_000;

/** Returns the number of calls that ended or changed and wait to be added, and whether calls of earlier versions do. */
export async function countWaiting(db: Executor, workspaceId: string): Promise<{ waiting: number; filling: boolean }> {
  const row = await first<{ waiting: number; filling: boolean }>(
    db,
    sql`select (select count(*)::int from (select 1 from result_changes where workspace_id = ${workspaceId}
             limit ${MOST_WAITING}) c) as waiting,
           exists (select 1 from result_backfill where not is_done)
             or exists (select 1 from result_recounts where workspace_id = ${workspaceId}) as filling`,
  );
  return row as { waiting: number; filling: boolean };
}

/** Returns the numbers of a workspace by id, of those asked for. */
export async function nameNumbers(db: Executor, workspaceId: string, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await all<{ id: string; number: string }>(
    db,
    sql`select id, number from phone_numbers where workspace_id = ${workspaceId} and id = any(${ids}::uuid[])`,
  );
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** A flow with its success condition. */
export interface SuccessRow {
  api_id: string;
  success: SuccessCondition[];
}

/** Returns those of the flows that have a success condition. */
export function listSuccess(db: Executor, workspaceId: string, flowApiIds: string[]): Promise<SuccessRow[]> {
  return all(
    db,
    sql`select api_id, success from flows
         where workspace_id = ${workspaceId} and api_id = any(${flowApiIds}::text[]) and success is not null
         order by api_id`,
  );
}

/** Returns the currency of a workspace's amounts; null where nothing was billed yet. */
export async function findCurrency(db: Executor, workspaceId: string): Promise<string | null> {
  const row = await first<{ currency: string }>(
    db,
    sql`select currency from usage_accounts where workspace_id = ${workspaceId}`,
  );
  return row?.currency ?? null;
}
