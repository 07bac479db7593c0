import type pg from "pg";
import { inTransaction } from "#src/platform/db/database.ts";
import { eachApart } from "#src/platform/db/each-apart.ts";
import { fillTotals } from "./fill-totals.ts";
import { HAS_SUMS_SQL, takeLock } from "./fold-store.ts";

/** Calls that are looked at in one step. */
const BITE = 2_000;
const STATEMENT_TIMEOUT_MS = 15_000;

/** A step in the caller's transaction; true while more of its kind may be left. */
type Step = (client: pg.ClientBase) => Promise<boolean>;

const stepBy =
  (text: string): Step =>
  async (client) =>
    (await client.query<{ left: boolean }>(text, [BITE])).rows.some(({ left }) => left);

/**
 * Goes on with what is to be counted anew or for the first time, in bites: calls of earlier versions, in the order of
 * their keys; calls of flows whose success condition changed; the places and the measures of facts of earlier versions;
 * the totals of sums of earlier versions. False when nothing is left, or another process does so. A step that the
 * database refuses, or ends for its time, holds up no other; its fault is thrown at the end.
 */
export async function backfillSome(pool: pg.Pool): Promise<boolean> {
  const lefts: boolean[] = [];
  const [waiting] = (await pool.query<{ names: string[] }>({ name: "results-to-fill", text: WAITING })).rows;
  const steps = STEPS.filter(([name]) => waiting?.names.includes(name));
  await eachApart(steps, async ([, step]) => void lefts.push(await takeStep(pool, step)));
  return lefts.includes(true);
}

function takeStep(pool: pg.Pool, step: Step): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    return (await takeLock(client)) && step(client);
  });
}

const BACKFILL = `
with place as materialized (
  select workspace_id, row_id from result_backfill where not is_done for update skip locked
),
found as materialized (
  select r.workspace_id, r.id, r.ended_at, r.attempts_made from place p cross join lateral (
    select r.workspace_id, r.id, r.ended_at, r.attempts_made from call_rows r
     where (r.workspace_id, r.id) > (p.workspace_id, p.row_id) order by r.workspace_id, r.id limit $1) r
),
noted as (
  insert into result_changes (workspace_id, row_id)
  select workspace_id, id from found where ended_at is not null or attempts_made > 0
),
moved as (
  update result_backfill b
     set workspace_id = coalesce(l.workspace_id, b.workspace_id), row_id = coalesce(l.id, b.row_id), is_done = l.id is null
    from place p left join lateral (select workspace_id, id from found order by workspace_id desc, id desc limit 1) l on true
  returning b.is_done
)
select not is_done as left from moved`;

/** All calls of the workspace are looked through, because an index by flow would slow every dial down. */
const RECOUNT = `
with place as materialized (
  select workspace_id, flow_id, row_id from result_recounts order by workspace_id, flow_id limit 1 for update skip locked
),
found as materialized (
  select r.id, r.flow_id, r.ended_at from place p cross join lateral (
    select r.id, r.flow_id, r.ended_at from call_rows r
     where r.workspace_id = p.workspace_id and r.id > p.row_id order by r.id limit $1) r
),
noted as (
  insert into result_changes (workspace_id, row_id)
  select p.workspace_id, f.id from place p join found f on f.flow_id = p.flow_id where f.ended_at is not null
),
moved as (
  update result_recounts c set row_id = (select max(id::text)::uuid from found) from place p
   where c.workspace_id = p.workspace_id and c.flow_id = p.flow_id and exists (select 1 from found)
),
gone as (
  delete from result_recounts c using place p
   where c.workspace_id = p.workspace_id and c.flow_id = p.flow_id and not exists (select 1 from found)
)
select true as left from place`;

const LIST_FACTS = `
with place as materialized (
  select workspace_id, row_id from result_listing where not is_done for update skip locked
),
found as materialized (
  select f.workspace_id, f.row_id, f.sums from place p cross join lateral (
    select f.workspace_id, f.row_id, f.sums from call_facts f
     where (f.workspace_id, f.row_id) > (p.workspace_id, p.row_id) order by f.workspace_id, f.row_id limit $1) f
),
listed as (
  insert into result_calls (workspace_id, bucket_at, row_id)
  select distinct f.workspace_id, (p.part -> 'key' ->> 0)::timestamptz, f.row_id
    from found f cross join lateral jsonb_array_elements(case when ${HAS_SUMS_SQL} then f.sums else '[]' end) p(part)
  on conflict do nothing
),
moved as (
  update result_listing l
     set workspace_id = coalesce(f.workspace_id, l.workspace_id), row_id = coalesce(f.row_id, l.row_id),
         is_done = f.row_id is null
    from place p left join lateral (
      select workspace_id, row_id from found order by workspace_id desc, row_id desc limit 1) f on true
  returning l.is_done
)
select not is_done as left from moved`;

/** Calls that a version without measures has added up are added up once more. */
const MEASURE = `
with noted as (
  insert into result_changes (workspace_id, row_id)
  select workspace_id, row_id from call_facts f where cost is null and ${HAS_SUMS_SQL}
   order by workspace_id, row_id limit $1
  returning row_id
)
select count(*) > 0 as left from noted`;

const STEPS: readonly [name: string, step: Step][] = [
  ["CALLS", stepBy(BACKFILL)],
  ["RECOUNTS", stepBy(RECOUNT)],
  ["PLACES", stepBy(LIST_FACTS)],
  ["MEASURES", stepBy(MEASURE)],
  ["TOTALS", fillTotals],
];

/** Names of the steps that have something to do, in one statement: hardly ever has one. */
const WAITING = `
select array(
  (select 'CALLS' from result_backfill where not is_done) union all
  (select 'RECOUNTS' from result_recounts limit 1) union all
  (select 'PLACES' from result_listing where not is_done) union all
  (select 'MEASURES' from call_facts f where cost is null and ${HAS_SUMS_SQL} order by workspace_id, row_id limit 1) union all
  (select 'TOTALS' from result_filling where not is_done)) as names`;
