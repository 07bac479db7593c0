import type pg from "pg";
import { WAITS_IN_LANE_SQL } from "#src/interactions/calls/waiting-rows.ts";
import { runBounded } from "#src/platform/db/housekeeping.ts";
import { NIL_UUID } from "#src/platform/kernel/id.ts";

/** The most rows that one count reads; a larger number shows as this one. */
const MOST_COUNTED = 10_000;
/** Time limit of the statement, which takes milliseconds. */
const TIMEOUT_MS = 1_000;

/**
 * Reads what waits, for monitoring: the oldest due row of each open lane with a free slot and the oldest due task of
 * each kind, each by one step of an index; slots of the active numbers; and counts that end at 10,000 rows. Each
 * `order by` is that of an index, so the cost does not grow with what is stored. Jobs have their rows counted already.
 * `unserved` begins when the number was last served: a list of a million rows is old, and still not stuck. $1 kinds.
 */
export const QUEUE_FIGURES = `
with numbers as materialized (
  select workspace_id, id, provider, active_calls, max_concurrent_calls, served_at from phone_numbers
   where status = 'ACTIVE'
),
heads as materialized (
  select r.due_at, greatest(r.due_at, n.served_at) as unserved_since
    from numbers n
    join lanes l on l.workspace_id = n.workspace_id and l.phone_number_id = n.id
   cross join lateral (
      select r.due_at from call_rows r where ${WAITS_IN_LANE_SQL} and r.due_at <= now() order by r.due_at, r.id limit 1) r
   where n.active_calls < n.max_concurrent_calls and l.is_open and (l.max_calls is null or l.active_calls < l.max_calls)
),
retries as (
  select r.due_at from call_rows r where r.status = 'WAITING_FOR_RETRY' and r.direction = 'OUTBOUND'
   order by r.workspace_id, r.job_id limit ${MOST_COUNTED}
),
jobs as (
  select j.status, j.total_rows - j.processed_rows as rows from call_jobs j
   where j.status in ('IMPORTING', 'RUNNING', 'PAUSED', 'CANCELLING') order by j.workspace_id, j.id limit ${MOST_COUNTED}
),
singles as (
  select 1 from lanes l
   cross join lateral (
      select 1 from call_rows r where ${WAITS_IN_LANE_SQL}
       order by r.due_at, r.id limit (select ${MOST_COUNTED})) r
   where l.job_id = '${NIL_UUID}' and l.is_open limit ${MOST_COUNTED}
),
chats as (
  select s.status from chat_sessions s where s.status in ('ACTIVE', 'HANDED_OFF')
   order by s.workspace_id, s.id limit ${MOST_COUNTED}
)
select
  (select coalesce(extract(epoch from now() - min(due_at)), 0)::float8 from heads) as "oldestDueSeconds",
  (select coalesce(greatest(0, extract(epoch from now() - min(unserved_since))), 0)::float8 from heads) as "unservedSeconds",
  (select count(*)::int from retries where due_at <= now()) as "retriesDue",
  (select coalesce(json_agg(s), '[]') from (
     select provider, sum(active_calls)::int as used,
            sum(greatest(max_concurrent_calls - active_calls, 0))::int as free from numbers group by 1) s) as slots,
  (select coalesce(json_agg(t), '[]') from (
     select k.kind, coalesce(greatest(0, extract(epoch from now() - d.due_at)), 0)::float8 as seconds
       from unnest($1::text[]) as k(kind)
       left join lateral (
         select t.due_at from tasks t where t.kind = k.kind and t.status = 'PENDING' order by t.due_at limit 1) d on true
     ) t) as tasks,
  (select coalesce(json_agg(j), '[]') from (
     select s.status as job, coalesce(sum(j.rows), 0)::float8 as rows
       from unnest(array['IMPORTING', 'RUNNING', 'PAUSED', 'CANCELLING']) as s(status)
       left join jobs j on j.status = s.status group by 1
      union all select 'NONE', count(*)::float8 from singles) j) as unfinished,
  (select coalesce(json_agg(c), '[]') from (
     select s.status, count(c.status)::int as chats
       from unnest(array['ACTIVE', 'HANDED_OFF']) as s(status) left join chats c on c.status = s.status group by 1
     ) c) as chats`;

/** Figures of the waiting work of all workspaces. */
export interface QueueFigures {
  /** Seconds for which the oldest row that could be dialled is due; 0 when there is none. */
  oldestDueSeconds: number;
  /** Seconds for which rows that could be dialled have waited at a number that was not served meanwhile. */
  unservedSeconds: number;
  /** Due rows that were dialled before; the first 10,000 that wait for another attempt are looked at. */
  retriesDue: number;
  /** Slots of the active numbers, by provider. */
  slots: { provider: string; used: number; free: number }[];
  /** Seconds for which the oldest task of each kind is due; 0 when none is. */
  tasks: { kind: string; seconds: number }[];
  /** Rows that are not finished, by the state of their job; NONE: waiting single calls, at most 10,000. */
  unfinished: { job: string; rows: number }[];
  /** Open chats by state, at most 10,000. */
  chats: { status: string; chats: number }[];
}

/** Reads what waits in one statement of at most a second; `kinds` are those of the tasks. */
export async function readQueueFigures(pool: pg.Pool, kinds: readonly string[]): Promise<QueueFigures> {
  const { rows } = await runBounded<QueueFigures>(pool, QUEUE_FIGURES, [kinds], TIMEOUT_MS);
  return rows[0] as QueueFigures;
}
