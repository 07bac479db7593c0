import type pg from "pg";
import { inTransaction } from "#src/platform/db/database.ts";
import { HAS_SUMS_SQL, takeLock } from "./fold-store.ts";

/** Calls that are looked at in one step. */
const BITE = 2_000;
const STATEMENT_TIMEOUT_MS = 15_000;

/**
 * Goes on with what is to be counted anew or for the first time, in bites: calls of earlier versions, in the order of
 * their keys; calls of flows whose success condition changed; the places and the measures of facts of earlier versions; the
 * totals of sums of earlier versions, a day of a workspace a step. False when nothing is left, or another process does so.
 */
export async function backfillSome(pool: pg.Pool): Promise<boolean> {
  const lefts = await inTransaction(pool, async (client) => {
    await client.query(`set local statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    const left: boolean[] = [];
    if (!(await takeLock(client))) return left;
    for (const step of [BACKFILL, RECOUNT, LIST_FACTS, MEASURE, ADD_TOTALS]) {
      const { rows } = await client.query<{ left: boolean }>(step, step === ADD_TOTALS ? [] : [BITE]);
      left.push(rows.some((row) => row.left));
    }
    return left;
  });
  return lefts.includes(true);
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

const ADD_TOTALS = `
with place as materialized (
  select workspace_id, day from result_filling where not is_done
),
found as materialized (
  select s.workspace_id, date_trunc('day', s.bucket_at, 'UTC') as day from place p cross join lateral (
    select s.workspace_id, s.bucket_at from result_sums s
     where (s.workspace_id, s.bucket_at) >= (p.workspace_id, p.day + interval '24 hours')
     order by s.workspace_id, s.bucket_at limit 1) s
),
moved as (
  update result_filling b
     set workspace_id = coalesce(f.workspace_id, b.workspace_id), day = coalesce(f.day, b.day), is_done = f.day is null
    from place p left join found f on true
  returning b.is_done
)
select not m.is_done as left, (select fill_result_totals(f.workspace_id, f.day) from found f) as filled from moved m`;
