import type pg from "pg";
import { ONE_DUE_SQL, WAITS_IN_LANE_SQL } from "#src/interactions/calls/waiting-rows.ts";
import { inTransaction } from "#src/platform/db/database.ts";
import { NIL_UUID } from "#src/platform/kernel/id.ts";

/** Lanes that one run looks at; the next run goes on behind them. */
const MOST_LOOKED_AT = 1_000;

interface LaneKey {
  workspace_id: string;
  phone_number_id: string;
  job_id: string;
}

const KEY = "workspace_id, phone_number_id, job_id";
const GIVEN = "json_to_recordset($1::json) as k(workspace_id uuid, phone_number_id uuid, job_id uuid)";
const IS_GIVEN = "(l.workspace_id, l.phone_number_id, l.job_id) = (k.workspace_id, k.phone_number_id, k.job_id)";

/**
 * Finds, in one page of lanes, those that are awake without a due row, and those that rest although they have one. $1 to
 * $3 the last lane of the page before.
 */
const LOOK = `
with page as materialized (
  select ${KEY}, is_open, next_look_at from lanes where (${KEY}) > ($1::uuid, $2::uuid, $3::uuid)
   order by ${KEY} limit ${MOST_LOOKED_AT}
)
select (select json_build_array(${KEY}) from page order by ${KEY} offset ${MOST_LOOKED_AT - 1}) as last,
       (select coalesce(json_agg(json_build_object('workspace_id', l.workspace_id, 'phone_number_id', l.phone_number_id,
                                                   'job_id', l.job_id)), '[]')
          from page l where l.is_open and (l.next_look_at <= now()) = ((${ONE_DUE_SQL}) is null)
       ) as wrong`;

/** Locks lanes against whoever wakes them (wakeLanes in src/interactions/calls/store.ts). */
const LOCK = `select l.workspace_id, l.phone_number_id, l.job_id from ${GIVEN}
  join lanes l on ${IS_GIVEN} where l.is_open for update of l skip locked`;

/** Only a statement that begins under the locks sees every row that was stored before them. */
const CORRECT = `
update lanes l set next_look_at = coalesce(
         (select r.due_at from call_rows r where ${WAITS_IN_LANE_SQL} order by r.due_at, r.id limit 1), 'infinity')
  from ${GIVEN} where ${IS_GIVEN}`;

/**
 * Sends lanes without a due row to rest until their next row is due, so that a claim costs what it takes, however many
 * jobs wait for a retry or for the morning. `wakeLanes` and FINISH wake them when a row is due earlier. A lane that
 * nobody woke, as when somebody changed the table by hand, is found here too.
 */
export class LaneRest {
  readonly #pool: pg.Pool;
  #after = [NIL_UUID, NIL_UUID, NIL_UUID];

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Looks at the next page of lanes, or at the first one after the last. */
  async run(): Promise<void> {
    const found = await this.#pool.query<{ last: string[] | null; wrong: LaneKey[] }>({
      name: "look-at-lanes",
      text: LOOK,
      values: this.#after,
    });
    const { last = null, wrong = [] } = found.rows[0] ?? {};
    this.#after = last ?? [NIL_UUID, NIL_UUID, NIL_UUID];
    if (wrong.length > 0) await this.#correct(wrong);
  }

  #correct(wrong: LaneKey[]): Promise<void> {
    return inTransaction(this.#pool, async (client) => {
      const locked = await client.query<LaneKey>(LOCK, [JSON.stringify(wrong)]);
      if (locked.rows.length > 0) await client.query(CORRECT, [JSON.stringify(locked.rows)]);
    });
  }
}
