import { WAITS_SQL } from "#src/interactions/calls/waiting-rows.ts";
import { all, type Executor, sql } from "#src/platform/db/database.ts";

/** Limits of a number and of its carrier's account. */
export interface NumberLimits {
  id: string;
  number: string;
  max_concurrent_calls: number;
  calls_per_second: number | null;
  account_id: string | null;
  account_calls_per_second: number | null;
}

/** Returns the limits of those of the given numbers that are ACTIVE. */
export function listLimits(tx: Executor, workspaceId: string, ids: string[]): Promise<NumberLimits[]> {
  return all(
    tx,
    sql`select p.id, p.number, p.max_concurrent_calls, p.calls_per_second::float8 as calls_per_second,
               a.id as account_id, a.calls_per_second::float8 as account_calls_per_second
          from phone_numbers p
          left join carrier_accounts a on a.workspace_id = p.workspace_id and a.id = p.carrier_account_id
         where p.workspace_id = ${workspaceId} and p.id = any(${ids}::uuid[]) and p.status = 'ACTIVE' order by p.id`,
  );
}

/** Counts the waiting rows of a job by the zones whose clocks their windows follow; null when the zones are unknown. */
export function countWaitingByZones(
  tx: Executor,
  workspaceId: string,
  jobId: string,
): Promise<{ zones: string[] | null; count: number }[]> {
  return all(
    tx,
    sql`select zones, count(*)::int as count from (
          select calling_zones(coalesce(r.calling_window, j.calling_window, w.calling_window), r.time_zone,
                   r.number_country) as zones
            from call_rows r
            join workspaces w on w.id = r.workspace_id
            join call_jobs j on j.workspace_id = r.workspace_id and j.id = r.job_id
           where r.workspace_id = ${workspaceId} and r.job_id = ${jobId}
             and ${sql.raw(WAITS_SQL)}) judged
         group by zones order by count(*) desc, zones`,
  );
}

/** Returns the zones of a country. */
export async function findZones(tx: Executor, country: string): Promise<string[]> {
  const rows = await all<{ zones: string[] }>(tx, sql`select zones from country_time_zones where country = ${country}`);
  return rows[0]?.zones ?? [];
}
