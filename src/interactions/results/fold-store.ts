import type pg from "pg";
import { type Contribution, type CountedCall, type Dimensions, measuresOf, SUM_COLUMNS } from "./contribution.ts";
import { type Conversation, conversationOf, type FilledOutputs, type TranscriptLine } from "./conversation.ts";

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

/** Calls whose conversations are in memory at a time. */
const SLICE = 100;

const LOAD = `
select c.workspace_id, c.row_id, r.job_id, r.flow_api_id, r.flow_version, r.phone_number_id, r.direction, r.status, r.outcome,
       coalesce(r.error ->> 'code', case when r.end_reason like 'LIMIT\\_%' then r.end_reason end) as reason,
       r.attempts_made, r.ended_at, r.customer_number = 'ERASED' or coalesce(s.is_forgotten, false) as is_forgotten,
       r.human_requested, s.transcript, s.structured_outputs, s.extracted_fields, s.duration_ms, w.success, s.model_ms,
       coalesce(u.billed, 0) as billed, coalesce(u.simulated, 0) as simulated, d.dials, f.sums, f.field_values
  from unnest($1::uuid[], $2::uuid[]) as c(workspace_id, row_id)
  left join call_rows r on r.workspace_id = c.workspace_id and r.id = c.row_id
  left join flows w on w.workspace_id = r.workspace_id and w.id = r.flow_id
  left join call_results s on s.workspace_id = c.workspace_id and s.row_id = c.row_id
  left join call_facts f on f.workspace_id = c.workspace_id and f.row_id = c.row_id
  left join lateral (select sum(e.amount) filter (where not e.simulated) as billed, sum(e.amount) filter (where e.simulated) as simulated
    from usage_entries e where e.workspace_id = c.workspace_id and e.subject_id = c.row_id) u on true
  left join lateral (select json_agg(json_build_array(a.submitted_at, a.phone_number_id, a.outcome) order by a.submitted_at, a.id) as dials
    from call_attempts a where a.workspace_id = c.workspace_id and a.row_id = c.row_id
     and a.ended_at is not null and a.state in ('ENDED', 'UNCONFIRMED')) d on true`;

interface StoredCall extends Change, Omit<CountedCall, keyof Conversation | "job_id" | "dials"> {
  /** Null for a call that is gone. */
  job_id: string | null;
  transcript: TranscriptLine[] | null;
  structured_outputs: FilledOutputs | null;
  dials: [at: string, phoneNumberId: string, outcome: string | null][] | null;
  sums: Contribution["sums"] | null;
  field_values: Contribution["values"];
}

/** Loads changed calls with what they added before. */
export async function loadCalls(client: pg.ClientBase, changes: Change[]): Promise<LoadedCall[]> {
  const loaded: LoadedCall[] = [];
  for (let from = 0; from < changes.length; from += SLICE) {
    const slice = changes.slice(from, from + SLICE);
    const values = [slice.map((one) => one.workspace_id), slice.map((one) => one.row_id)];
    for (const stored of (await client.query<StoredCall>({ name: "load-results", text: LOAD, values })).rows)
      loaded.push(loadedOf(stored));
  }
  return loaded;
}

function loadedOf(stored: StoredCall): LoadedCall {
  const { workspace_id, row_id, transcript, structured_outputs: outputs, sums, field_values: values, ...rest } = stored;
  const fact = sums && { sums, values };
  if (rest.job_id === null) return { workspace_id, row_id, call: null, fact };
  const dials = (rest.dials ?? []).map(([at, phoneNumberId, outcome]) => ({
    at: new Date(at),
    phoneNumberId,
    outcome,
  }));
  const conversation = conversationOf(transcript ?? [], outputs ?? {});
  return { workspace_id, row_id, call: { ...rest, job_id: rest.job_id, dials, ...conversation }, fact };
}

/** True for a fact `f` whose sums can be read; the triggers refuse to write any other. */
export const HAS_SUMS_SQL = "jsonb_typeof(f.sums) = 'array'";

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
  const rows = loaded.map(({ workspace_id, row_id, call }) => {
    const fact = fresh.get(`${workspace_id}|${row_id}`);
    const measures = call && measuresOf(call);
    const [billed, simulated] = measures?.cost ?? [];
    const contribution = [json(fact?.sums), json(fact?.values)];
    return [workspace_id, row_id, ...contribution, measures?.duration_ms, measures?.latency_ms, billed, simulated];
  });
  const columns = Array.from({ length: 8 }, (_, i) => rows.map((row) => row[i] ?? null));
  await client.query(
    `with x as materialized (
       select * from unnest($1::uuid[], $2::uuid[], $3::jsonb[], $4::jsonb[], $5::int[], $6::float8[], $7::numeric[], $8::numeric[])
         as x(workspace_id, row_id, sums, field_values, duration_ms, latency_ms, billed, simulated)
     ),
     gone as (
       delete from call_facts f using x where f.workspace_id = x.workspace_id and f.row_id = x.row_id and x.sums is null
     )
     insert into call_facts (workspace_id, row_id, sums, field_values, duration_ms, latency_ms, cost)
     select workspace_id, row_id, sums, coalesce(field_values, 'null'), duration_ms, latency_ms, billed + simulated
       from x where sums is not null
     on conflict (workspace_id, row_id) do update set sums = excluded.sums, field_values = excluded.field_values,
       duration_ms = excluded.duration_ms, latency_ms = excluded.latency_ms, cost = excluded.cost`,
    columns,
  );
}

const json = (value: unknown) => (value === undefined || value === null ? null : JSON.stringify(value));

/** Marks what is kept of calls as measured, so that they do not come back onto the list of changes for it. */
export async function leaveMeasured(client: pg.ClientBase, changes: Change[]): Promise<void> {
  await client.query(
    `update call_facts f set cost = 0 from json_to_recordset($1::json) as x(workspace_id uuid, row_id uuid)
      where f.workspace_id = x.workspace_id and f.row_id = x.row_id and f.cost is null and ${HAS_SUMS_SQL}`,
    [JSON.stringify(changes)],
  );
}

function named(names: readonly string[], values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name, i) => [name, values[i]]));
}
