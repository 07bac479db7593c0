import type pg from "pg";
import { LOOK_IN_TIME_SQL, WAITS_SQL } from "#src/interactions/calls/waiting-rows.ts";
import { retryTransient } from "#src/platform/db/database.ts";
import { HELD } from "#src/tenancy/compliance/opt-out-hold.ts";
import { PATIENCE, type WaitingRow } from "./postpone.ts";

/**
 * Time after which a held row is checked again, in case the decision was missed or the number was put on the
 * do-not-call list in another way.
 */
const AGAIN_HOURS = 6;

/**
 * Puts off rows whose number an opt-out review or an erasure holds, so that the claim does not pick them up again and again. The
 * decision makes them due (releaseHeldRows in src/interactions/calls/store.ts). The reviews and erasures are locked before
 * the rows, in the order of their ends: either the end finds the row put off, or this finds no hold and the row is due at
 * once. The claim let them wait for five minutes, and their lane may rest as long by now.
 * $1 the rows as JSON.
 */
const HOLD = `
with ${PATIENCE},
x as materialized (
  select * from json_to_recordset($1::json) as x(workspace_id uuid, id uuid, number text)
),
open as materialized (
  select v.workspace_id, v.number from opt_out_reviews v
   where (v.workspace_id, v.number) in (select workspace_id, number from x) and v.state = 'OPEN'
     and (select count(*) from patience) = 1
   order by v.id for share of v
),
erasing as materialized (
  select e.workspace_id, e.phone as number from contact_erasures e
   where (e.workspace_id, e.phone) in (select workspace_id, number from x) and (select count(*) from patience) = 1
   order by e.contact_id for share of e
),
judged as materialized (
  select x.*, exists (select 1 from (select * from open union all select * from erasing) o
                       where o.workspace_id = x.workspace_id and o.number = x.number) as is_held from x
),
moved_rows as (
  update call_rows r set due_at = case when j.is_held then now() + interval '${AGAIN_HOURS} hours' else now() end
    from judged j
   where r.workspace_id = j.workspace_id and r.id = j.id and ${WAITS_SQL} and r.error ->> 'code' = '${HELD}'
  returning r.workspace_id, r.phone_number_id, r.job_id, r.due_at
)${LOOK_IN_TIME_SQL}`;

/** Puts off the rows that the claim found held. */
export async function holdRows(pool: pg.Pool, rows: WaitingRow[]): Promise<void> {
  const held = rows.map(({ workspace_id, id, customer_number: number }) => ({ workspace_id, id, number }));
  const values = [JSON.stringify(held)];
  await retryTransient(() => pool.query({ name: "hold-rows", text: HOLD, values }));
}
