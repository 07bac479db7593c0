import type pg from "pg";
import { type Contribution, type CountedCall, type Dimensions, measuresOf, SUM_COLUMNS } from "./contribution.ts";

/** A call on the list of changes. */
export interface Change {
  workspace_id: string;
  row_id: string;
}

/** A changed call as it is now, and what it added before; null for a call that is gone, or that added nothing. */
export interface LoadedCall extends Change {
  call: CountedCall | null;
  fact: Contribution | null;
}

/** A difference of `result_sums`: money as exact decimals, which the database adds up. */
export interface SumRow {
  key: [workspaceId: string, ...Dimensions, outcome: string, reason: string];
  figures: number[];
  money: { sign: 1 | -1; billed: string; simulated: string }[];
}

/** A difference of `result_values`. */
export interface ValueRow {
  key: [workspaceId: string, ...Dimensions, field: string, kind: string, value: string];
  calls: number;
  totals: number[];
}

/** A field under its dimensions. */
export type FieldPlace = [workspaceId: string, ...Dimensions, field: string];

/** Name of the lock that one pass at a time holds, so that no two change the same sums. */
const LOCK = "results.fold";

/** Takes the lock of the sums until the end of the transaction; false while another process has it. */
export async function takeLock(client: pg.ClientBase): Promise<boolean> {
  const found = await client.query<{ held: boolean }>("select pg_try_advisory_xact_lock(hashtext($1)) as held", [LOCK]);
  return found.rows[0]?.held === true;
}

/** Takes the oldest changes off the list; a call that is on it several times is returned once. */
export async function takeChanges(client: pg.ClientBase, most: number): Promise<{ taken: number; changes: Change[] }> {
  const { rows } = await client.query<Change>(
    `delete from result_changes where id = any (array(select id from result_changes order by id limit $1))
     returning workspace_id, row_id`,
    [most],
  );
  const changes = new Map(rows.map((row) => [`${row.workspace_id}|${row.row_id}`, row]));
  return { taken: rows.length, changes: [...changes.values()] };
}

const LOAD = `
select c.workspace_id, c.row_id,
  case when r.id is not null then json_build_object('job_id', r.job_id, 'flow_api_id', r.flow_api_id,
    'flow_version', r.flow_version, 'phone_number_id', r.phone_number_id, 'direction', r.direction, 'status', r.status,
    'outcome', r.outcome,
    'reason', coalesce(r.error ->> 'code', case when r.end_reason like 'LIMIT\\_%' then r.end_reason end),
    'attempts_made', r.attempts_made, 'ended_at', r.ended_at,
    'is_forgotten', r.customer_number = 'ERASED' or coalesce(s.is_forgotten, false),
    'has_spoken', coalesce(t.has_spoken, false),
    'has_outputs', exists (select 1 from json_each(s.structured_outputs)),
    'outputs_fit', not exists (select 1 from json_each(s.structured_outputs) o where o.value ->> 'valid' <> 'true'),
    'human_requested', r.human_requested,
    'tool_lines', coalesce(t.tool_lines, '[]'),
    'extracted_fields', s.extracted_fields, 'duration_ms', s.duration_ms, 'success', w.success,
    'waited_ms', coalesce(t.waited_ms, '[]'),
    'model_ms', s.model_ms, 'billed', coalesce(u.billed, 0)::text, 'simulated', coalesce(u.simulated, 0)::text,
    'dials', coalesce(d.dials, '[]')) end as call,
  case when f.row_id is not null then json_build_object('sums', f.sums, 'values', f.field_values) end as fact
from json_to_recordset($1::json) as c(workspace_id uuid, row_id uuid)
left join call_rows r on r.workspace_id = c.workspace_id and r.id = c.row_id
left join flows w on w.workspace_id = r.workspace_id and w.id = r.flow_id
left join call_results s on s.workspace_id = c.workspace_id and s.row_id = c.row_id
left join lateral (select bool_or(role = 'USER') as has_spoken, json_agg(content) filter (where role = 'TOOL') as tool_lines,
    json_agg((latency ->> 'totalMs')::float8) filter (where latency ->> 'totalMs' is not null) as waited_ms
  from json_to_recordset(s.transcript) as turn(role text, content text, latency json)) t on true
left join call_facts f on f.workspace_id = c.workspace_id and f.row_id = c.row_id
left join lateral (select sum(e.amount) filter (where not e.simulated) as billed, sum(e.amount) filter (where e.simulated) as simulated
  from usage_entries e where e.workspace_id = c.workspace_id and e.subject_id = c.row_id) u on true
left join lateral (select json_agg(json_build_object('at', a.submitted_at, 'phoneNumberId', a.phone_number_id,
    'outcome', a.outcome) order by a.submitted_at, a.id) as dials
  from call_attempts a where a.workspace_id = c.workspace_id and a.row_id = c.row_id
   and a.ended_at is not null and a.state in ('ENDED', 'UNCONFIRMED')) d on true`;

/** Loads changed calls with what they added before. */
export async function loadCalls(client: pg.ClientBase, changes: Change[]): Promise<LoadedCall[]> {
  return (await client.query<LoadedCall>(LOAD, [JSON.stringify(changes)])).rows;
}

const DIMENSIONS = "workspace_id, bucket_at, job_id, flow_api_id, flow_version, phone_number_id, channel";
const DIMENSION_TYPES =
  "workspace_id uuid, bucket_at timestamptz, job_id uuid, flow_api_id text, flow_version int, phone_number_id uuid, channel text";
const DIMENSION_NAMES = DIMENSIONS.split(", ");
const same = (a: string, b: string, columns: string[]) =>
  columns.map((name) => `${a}.${name} = ${b}.${name}`).join(" and ");

/** Returns the kept values of fields, by the JSON of their places. */
export async function listKept(client: pg.ClientBase, places: FieldPlace[]): Promise<Map<string, Set<string>>> {
  const kept = new Map<string, Set<string>>();
  if (places.length === 0) return kept;
  const columns = [...DIMENSION_NAMES, "field"];
  const records = places.map((place, i) => ({ ...named(columns, place), place: i }));
  const { rows } = await client.query<{ place: number; names: string[] }>(
    `select g.place, array_agg(v.kind || '|' || v.value) as names
       from json_to_recordset($1::json) as g(${DIMENSION_TYPES}, field text, place int)
       join result_values v on ${same("v", "g", columns)} and v.kind <> 'REST' group by 1`,
    [JSON.stringify(records)],
  );
  for (const { place, names } of rows) kept.set(JSON.stringify(places[place]), new Set(names));
  return kept;
}

const SUM_KEY = [...DIMENSION_NAMES, "outcome", "reason"];
const MONEY = ["billed", "simulated"];
const ADDED = [...SUM_COLUMNS, ...MONEY];

/** Adds differences to `result_sums`, and deletes the rows that are empty afterwards. */
export async function addSums(client: pg.ClientBase, rows: SumRow[]): Promise<void> {
  if (rows.length === 0) return;
  const records = rows.map(({ key, figures, money }) => ({
    ...named(SUM_KEY, key),
    ...named([...SUM_COLUMNS], figures),
    money,
  }));
  const types = `${DIMENSION_TYPES}, outcome text, reason text, ${SUM_COLUMNS.map((name) => `${name} bigint`).join(", ")}`;
  const text = JSON.stringify(records);
  await client.query(
    `insert into result_sums as s (${[...SUM_KEY, ...ADDED].join(", ")})
     select ${[...SUM_KEY, ...SUM_COLUMNS].map((name) => `x.${name}`).join(", ")}, m.billed, m.simulated
       from json_to_recordset($1::json) as x(${types}, money json)
      cross join lateral (select coalesce(sum((e ->> 'sign')::int * (e ->> 'billed')::numeric), 0) as billed,
          coalesce(sum((e ->> 'sign')::int * (e ->> 'simulated')::numeric), 0) as simulated
        from json_array_elements(x.money) e) m
     on conflict (${SUM_KEY.join(", ")}) do update
        set ${ADDED.map((name) => `${name} = s.${name} + excluded.${name}`).join(", ")}`,
    [text],
  );
  if (!rows.some(({ money }) => money.some(({ sign }) => sign < 0))) return;
  await client.query(
    `delete from result_sums s using json_to_recordset($1::json) as x(${types})
      where ${same("s", "x", SUM_KEY)} and s.calls = 0 and s.dials = 0`,
    [text],
  );
}

const VALUE_KEY = [...DIMENSION_NAMES, "field", "kind", "value"];

/** Adds differences to `result_values`, and deletes the rows that are empty afterwards. */
export async function addValues(client: pg.ClientBase, rows: ValueRow[]): Promise<void> {
  if (rows.length === 0) return;
  const records = rows.map(({ key, calls, totals }) => ({ ...named(VALUE_KEY, key), calls, totals }));
  const types = `${DIMENSION_TYPES}, field text, kind text, value text, calls bigint`;
  const text = JSON.stringify(records);
  await client.query(
    `insert into result_values as v (${VALUE_KEY.join(", ")}, calls, total)
     select ${VALUE_KEY.map((name) => `x.${name}`).join(", ")}, x.calls,
            (select coalesce(sum(e::numeric), 0) from json_array_elements_text(x.totals) e)
       from json_to_recordset($1::json) as x(${types}, totals json)
     on conflict (${VALUE_KEY.join(", ")}) do update set calls = v.calls + excluded.calls, total = v.total + excluded.total`,
    [text],
  );
  if (!rows.some(({ calls }) => calls < 0)) return;
  await client.query(
    `delete from result_values v using json_to_recordset($1::json) as x(${types})
      where ${same("v", "x", VALUE_KEY)} and v.calls = 0`,
    [text],
  );
}

/** Stores what calls add now and their measures, and deletes the facts of those that add nothing. */
export async function saveFacts(
  client: pg.ClientBase,
  loaded: LoadedCall[],
  fresh: ReadonlyMap<string, Contribution>,
): Promise<void> {
  const records = loaded.map(({ workspace_id, row_id, call }) => {
    const fact = fresh.get(`${workspace_id}|${row_id}`);
    const measures = call && measuresOf(call);
    return { workspace_id, row_id, sums: fact?.sums ?? null, field_values: fact?.values ?? null, ...measures };
  });
  await client.query(
    `with x as materialized (
       select * from json_to_recordset($1::json) as x(workspace_id uuid, row_id uuid, sums jsonb, field_values jsonb,
         duration_ms int, latency_ms float8, cost json)
     ),
     gone as (
       delete from call_facts f using x where f.workspace_id = x.workspace_id and f.row_id = x.row_id and x.sums is null
     )
     insert into call_facts (workspace_id, row_id, sums, field_values, duration_ms, latency_ms, cost)
     select workspace_id, row_id, sums, coalesce(field_values, 'null'), duration_ms, latency_ms,
            (cost ->> 0)::numeric + (cost ->> 1)::numeric from x where sums is not null
     on conflict (workspace_id, row_id) do update set sums = excluded.sums, field_values = excluded.field_values,
       duration_ms = excluded.duration_ms, latency_ms = excluded.latency_ms, cost = excluded.cost`,
    [JSON.stringify(records)],
  );
}

function named(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name, i) => [name, values[i]]));
}
