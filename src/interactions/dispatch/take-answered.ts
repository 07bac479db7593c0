import type pg from "pg";
import { NO_NUMBER, WEB } from "#src/interactions/calls/new-row.ts";
import { isDuplicate, retryTransient } from "#src/platform/db/database.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { type ClaimedRow, REPORTS_START } from "./claim.ts";

/**
 * TAKE, one statement: a row that waits for its person on the web comes under this node's lease together with an
 * answered attempt, or nothing changes. From here on it is a call like any other: FINISH ends it or, if the node dies,
 * the reaper. The gate is not asked, because nobody is dialled. The attempt's person lock holds.
 * $1 node, $2 workspace, $3 row, $4 id of the attempt.
 */
const TAKE = `
with taken as (
  update call_rows r
     set status = 'DIALING', lease_owner = $1, attempt_id = $4, attempts_made = 1, started_at = now(), updated_at = now(),
         flow_version = (select case when f.splits is null then f.version
                                else pick_flow_version(f.version, f.splits, r.session_id) end
                           from flows f where f.workspace_id = r.workspace_id and f.id = r.flow_id)
   where r.workspace_id = $2 and r.id = $3 and r.status = 'QUEUED' and r.phone_number_id = '${NO_NUMBER}'
     and exists (select 1 from nodes where id = $1 and alive_until > now())
  returning r.*
),
attempt as (
  insert into call_attempts (workspace_id, id, row_id, number, state, phone_number_id, customer_number, provider,
                             provider_call_id, answered_at, answered_by)
  select workspace_id, attempt_id, id, 1, 'IN_PROGRESS', phone_number_id, customer_number, '${WEB}', attempt_id::text, now(), 'HUMAN'
    from taken
)
select t.*, null as blocked, '${WEB}' as from_number, '${WEB}' as provider, null as carrier_account_id, w.mode, w.sandbox_speed,
       t.retry_config as retry, t.inline_flow as inline, ${REPORTS_START}
  from taken t join workspaces w on w.id = t.workspace_id`;

/**
 * Takes a waiting call over the web for this node; GONE when it no longer waits, BUSY when its person is on another
 * call.
 */
export async function takeAnswered(
  pool: pg.Pool,
  nodeId: string,
  workspaceId: string,
  rowId: string,
): Promise<ClaimedRow | "GONE" | "BUSY"> {
  try {
    const values = [nodeId, workspaceId, rowId, uuidv7()];
    const found = await retryTransient(() => pool.query<ClaimedRow>({ name: "take-answered", text: TAKE, values }));
    return found.rows[0] ?? "GONE";
  } catch (error) {
    if (isDuplicate(error)) return "BUSY";
    throw error;
  }
}
