import type { RawBuilder } from "kysely";
import type pg from "pg";
import { all, type Executor, retryTransient, sql } from "#src/platform/db/database.ts";
import { runBounded } from "#src/platform/db/housekeeping.ts";

const BITE = 20_000;

/** Batches of one run. The next run continues; every sum is exact meanwhile. */
const MOST_BITES = 20;

const KEY = "workspace_id, job_id, status, outcome, error_code, attempts_made";

/** Rolls up one batch of deltas, as ROLL_UP of the usage does. $1 deltas at most. */
const ROLL_UP = `
with taken as (
  delete from job_row_deltas where ctid = any (array(
    select ctid from job_row_deltas order by workspace_id, job_id limit $1 for update skip locked))
  returning ${KEY}, rows
),
sums as (
  insert into job_row_sums as s (${KEY}, rows)
  select ${KEY}, sum(rows) from taken group by ${KEY} having sum(rows) <> 0 order by ${KEY}
  on conflict (${KEY}) do update set rows = s.rows + excluded.rows
)
select count(*)::int as taken from taken`;

/** Counts of rows r that are over or wait for another attempt, by KEY: each count is the sum of its rows here. */
export const countedRows = (ofJob: RawBuilder<unknown>) =>
  sql`(select * from job_row_sums r where ${ofJob} union all select * from job_row_deltas r where ${ofJob})`;

/** Moves changes of the counts of jobs' rows into their sums, in statements that keep each count exact throughout. */
export async function rollUpRows(pool: pg.Pool, signal?: AbortSignal): Promise<void> {
  for (let bites = 0; bites < MOST_BITES && !signal?.aborted; bites++) {
    const { rows } = await retryTransient(() => runBounded<{ taken: number }>(pool, ROLL_UP, [BITE]));
    if ((rows[0]?.taken ?? 0) < BITE) return;
  }
}

/**
 * Counts the rows of a job of an earlier version. What triggers have noted of them meanwhile is part of what is there,
 * so only the difference is added; of two who count at once, the second one adds nothing.
 */
export async function countOnce(tx: Executor, workspaceId: string, jobId: string): Promise<void> {
  const ofJob = sql`workspace_id = ${workspaceId} and job_id = ${jobId}`;
  const key = sql.raw(KEY);
  await all(
    tx,
    sql`with missing as materialized (
          select ${key}, sum(rows)::int as rows from (
            select workspace_id, job_id, status, coalesce(outcome, '') as outcome,
                   counted_error(status, error) as error_code, attempts_made, count(*) as rows
              from call_rows where ${ofJob} and status not in ('QUEUED', 'DIALING', 'UNKNOWN') group by 1, 2, 3, 4, 5, 6
            union all
            select ${key}, -rows from job_row_sums where ${ofJob}
            union all
            select ${key}, -rows from job_row_deltas where ${ofJob}) c
           group by ${key} having sum(rows) <> 0
        ),
        marked as (
          update call_jobs set has_sums = true
           where workspace_id = ${workspaceId} and id = ${jobId} and not has_sums and (select count(*) from missing) >= 0
          returning id
        )
        insert into job_row_deltas (${key}, rows) select ${key}, rows from missing where exists (select from marked)`,
  );
}
