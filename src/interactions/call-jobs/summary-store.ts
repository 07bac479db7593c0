import { WAITS_SQL } from "#src/interactions/calls/waiting-rows.ts";
import { all, type Executor, first, sql } from "#src/platform/db/database.ts";
import { countedRows } from "./row-sums.ts";

/** Rows of a job that are alike, or a part of them. */
export interface RowGroup {
  /**
   * COUNTED: over, or waiting for another attempt. DIALLED: under way. OPENING: waiting for a calling window, by the
   * status that the row has beneath; those that wait for another attempt are COUNTED as well. ALL: every row.
   */
  part: "COUNTED" | "DIALLED" | "OPENING" | "ALL";
  status: string;
  /** '' where there is none, as for the error. */
  outcome: string;
  error_code: string;
  attempts_made: number;
  count: number;
  /** Null unless the rows wait for another attempt. */
  first_due: Date | null;
  last_due: Date | null;
}

/** Tells whether the rows of a job are counted (row-sums.ts); undefined when there is no such job. */
export function findCounted(
  tx: Executor,
  workspaceId: string,
  jobId: string,
): Promise<{ has_sums: boolean } | undefined> {
  return first(tx, sql`select has_sums from call_jobs where workspace_id = ${workspaceId} and id = ${jobId}`);
}

/**
 * Groups the rows of a job. A million may be over or wait, so of all these only those that wait for their window are
 * looked at.
 */
export function listRowGroups(tx: Executor, workspaceId: string, jobId: string): Promise<RowGroup[]> {
  const ofJob = sql`r.workspace_id = ${workspaceId} and r.job_id = ${jobId}`;
  const due = (which: string) => sql`
    case when c.status = 'WAITING_FOR_RETRY' then (select ${sql.raw(which)}(r.due_at) from call_rows r
      where ${ofJob} and r.direction = 'OUTBOUND' and r.status = 'WAITING_FOR_RETRY' and r.attempts_made = c.attempts_made) end`;
  return all(
    tx,
    sql`select 'COUNTED' as part, c.*, ${due("min")} as first_due, ${due("max")} as last_due
          from (select status, outcome, error_code, attempts_made, sum(rows)::int as count
                  from ${countedRows(ofJob)} r
                 group by 1, 2, 3, 4 having sum(rows) > 0) c
        union all
        select 'DIALLED', coalesce(case when r.status = 'DIALING' then (select a.state from call_attempts a
                   where a.workspace_id = r.workspace_id and a.id = r.attempt_id
                     and a.state in ('RINGING', 'IN_PROGRESS', 'UNKNOWN')) end, r.status), '', '', 0, count(*), null, null
          from call_rows r where ${ofJob} and r.direction = 'OUTBOUND' and r.status in ('DIALING', 'UNKNOWN') group by 2
        union all
        select 'OPENING', r.status, '', '', 0, count(*), null, null from call_rows r
         where ${ofJob} and ${sql.raw(WAITS_SQL)} and r.window_opens_at = r.due_at and r.due_at > now()
         group by 2
        union all
        select 'ALL', '', '', '', 0, total_rows, null, null from call_jobs
         where workspace_id = ${workspaceId} and id = ${jobId}`,
  );
}

interface JobNumber {
  phoneNumberId: string;
  phoneNumber: string;
  status: string;
  activeCalls: number;
  maxCalls: number | null;
  numberActiveCalls: number;
  numberMaxCalls: number;
}

/** Lists the numbers that a job dials from, each with the job's calls and with all calls. */
export function listJobNumbers(tx: Executor, workspaceId: string, jobId: string): Promise<JobNumber[]> {
  return all(
    tx,
    sql`select p.id as "phoneNumberId", p.number as "phoneNumber", p.status,
          coalesce(l.active_calls, 0) as "activeCalls", j.max_concurrency / cardinality(j.phone_number_ids)
            + (array_position(j.phone_number_ids, p.id) <= j.max_concurrency % cardinality(j.phone_number_ids))::int as "maxCalls",
          p.active_calls as "numberActiveCalls", p.max_concurrent_calls as "numberMaxCalls"
        from call_jobs j
        join phone_numbers p on p.workspace_id = j.workspace_id and p.id = any(j.phone_number_ids)
        left join lanes l on l.workspace_id = j.workspace_id and l.phone_number_id = p.id and l.job_id = j.id
        where j.workspace_id = ${workspaceId} and j.id = ${jobId}
        order by p.id`,
  );
}
