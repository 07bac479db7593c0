import type { RowStatus } from "#src/interactions/calls/states.ts";
import { all, type Executor, sql } from "#src/platform/db/database.ts";

/** Number of a job's rows with the same status and outcome; of those that are called again, also with the same attempts. */
export interface RowGroupCount {
  status: RowStatus;
  /** Waits for another attempt, whether its status shows that or a calling window. */
  is_retry: boolean;
  /** Null until the row is over. */
  outcome: string | null;
  attempts_made: number;
  count: number;
  first_due: Date | null;
  last_due: Date | null;
}

/**
 * Groups the rows of a job by shown status and outcome. A job may have a million rows, of which the indexes of states
 * and of retries tell all that counts; only rows that are dialled or wait for their window are looked at.
 */
export function listRowGroups(tx: Executor, workspaceId: string, jobId: string): Promise<RowGroupCount[]> {
  const ofJob = sql`r.workspace_id = ${workspaceId} and r.job_id = ${jobId}`;
  const opens = sql`r.window_opens_at = r.due_at and r.due_at > now()`;
  return all(
    tx,
    sql`with opening as materialized (
          select count(*) as n from call_rows r where ${ofJob} and r.status = 'QUEUED' and ${opens}
        ),
        still as (
          select r.status, r.outcome, count(*) as n from call_rows r
           where ${ofJob} and r.status not in ('WAITING_FOR_RETRY', 'DIALING') group by 1, 2
        ),
        dialled as (
          select coalesce((select a.state from call_attempts a
                   where a.workspace_id = r.workspace_id and a.id = r.attempt_id
                     and a.state in ('RINGING', 'IN_PROGRESS', 'UNKNOWN')), 'DIALING') as status, count(*)::int as n
            from call_rows r where ${ofJob} and r.status = 'DIALING' group by 1
        ),
        retried as (
          select (${opens}) is true as waits, r.attempts_made, count(*)::int as n, min(r.due_at) as first_due,
              max(r.due_at) as last_due
            from call_rows r where ${ofJob} and r.direction = 'OUTBOUND' and r.status = 'WAITING_FOR_RETRY' group by 1, 2
        )
        select status, false as is_retry, case when status <> 'QUEUED' then outcome end as outcome, 0 as attempts_made,
               sum(n)::int as count, null::timestamptz as first_due, null::timestamptz as last_due
          from (select * from still
                union all select 'QUEUED', null, -n from opening
                union all select 'WAITING_FOR_WINDOW', null, n from opening) counted
         group by 1, 3 having sum(n) > 0
        union all
        select status, false, null, 0, n, null, null from dialled
        union all
        select case when waits then 'WAITING_FOR_WINDOW' else 'WAITING_FOR_RETRY' end, true, null, attempts_made, n, first_due,
               last_due from retried`,
  );
}

/** Lists the most frequent error codes of a job's rows that are over. */
export function listErrorCodes(
  tx: Executor,
  workspaceId: string,
  jobId: string,
  limit: number,
): Promise<{ code: string; count: number }[]> {
  return all(
    tx,
    sql`select r.error ->> 'code' as code, count(*)::int as count from call_rows r
         where r.workspace_id = ${workspaceId} and r.job_id = ${jobId} and r.error is not null
           and r.ended_at is not null and r.outcome is not null
           and r.status not in ('QUEUED', 'WAITING_FOR_RETRY', 'DIALING') and r.error ->> 'code' is not null
         group by 1 order by 2 desc, (r.error ->> 'code') collate "C" limit ${limit}`,
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
