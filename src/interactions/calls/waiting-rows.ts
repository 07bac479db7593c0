/** SQL condition on a row `r`: it waits for a dial, now or when it is due. call_rows_due is the index of these rows. */
export const WAITS_SQL = "r.status in ('QUEUED', 'WAITING_FOR_RETRY')";

/** SQL condition on a row `r`: it waits in the lane `l`. */
export const WAITS_IN_LANE_SQL = `r.phone_number_id = l.phone_number_id and r.job_id = l.job_id and ${WAITS_SQL}`;

/**
 * SQL: finds that the lane `l` has a due row, by one step of the queue's index. For an `exists`, the planner would rather
 * read all due rows of the number, and where most rows of calls are of one job, all of them for each lane.
 */
export const ONE_DUE_SQL = `
select 1 from call_rows r where ${WAITS_IN_LANE_SQL} and r.due_at <= now() order by r.due_at, r.id limit 1`;

/**
 * End of a statement whose `with` has the waiting rows that it moved as `moved_rows` (workspace_id, phone_number_id,
 * job_id, due_at): their lanes are looked at when the first of them is due, if they would rest for longer. The lock is
 * that of `wakeLanes`, so a run that sends a lane to rest sees the moved rows, or this sees the lane as it rests. Who
 * wakes the lane does not wait for that lock: an earlier look that came meanwhile stays.
 */
export const LOOK_IN_TIME_SQL = `,
seen_lanes as materialized (
  select d.*, l.next_look_at
    from (select workspace_id, phone_number_id, job_id, min(due_at) as due_at from moved_rows group by 1, 2, 3) d
   cross join lateral (
      select l.next_look_at from lanes l
       where l.workspace_id = d.workspace_id and l.phone_number_id = d.phone_number_id and l.job_id = d.job_id
         for key share) l
)
update lanes l set next_look_at = least(l.next_look_at, s.due_at) from seen_lanes s
 where l.workspace_id = s.workspace_id and l.phone_number_id = s.phone_number_id and l.job_id = s.job_id
   and s.next_look_at > s.due_at`;
