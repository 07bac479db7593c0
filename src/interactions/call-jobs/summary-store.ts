import type { RowStatus } from "#src/interactions/calls/states.ts";
import { all, type Executor, sql } from "#src/platform/db/database.ts";

/** Number of a job's rows with the same status, outcome, error code and attempts. */
export interface RowGroupCount {
  status: RowStatus;
  /** Waits for another attempt, whether its status shows that or a calling window. */
  is_retry: boolean;
  /** Null until the row is over. */
  outcome: string | null;
  code: string | null;
  attempts_made: number;
  count: number;
  first_due: Date;
  last_due: Date;
}

/** Groups the rows of a job by shown status and outcome. */
export function listRowGroups(tx: Executor, workspaceId: string, jobId: string): Promise<RowGroupCount[]> {
  return all(
    tx,
    sql`select
          case when r.status = 'DIALING' then coalesce((select a.state from call_attempts a
                 where a.workspace_id = r.workspace_id and a.id = r.attempt_id
                   and a.state in ('RINGING', 'IN_PROGRESS', 'UNKNOWN')), 'DIALING')
               when r.status in ('QUEUED', 'WAITING_FOR_RETRY') and r.window_opens_at = r.due_at and r.due_at > now()
                 then 'WAITING_FOR_WINDOW'
               else r.status end as status,
          r.status = 'WAITING_FOR_RETRY' as is_retry,
          case when r.ended_at is not null and r.status not in ('QUEUED', 'WAITING_FOR_RETRY', 'DIALING')
               then r.outcome end as outcome,
          r.error ->> 'code' as code, r.attempts_made,
          count(*)::int as count, min(r.due_at) as first_due, max(r.due_at) as last_due
        from call_rows r
        where r.workspace_id = ${workspaceId} and r.job_id = ${jobId}
        group by 1, 2, 3, 4, 5`,
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
