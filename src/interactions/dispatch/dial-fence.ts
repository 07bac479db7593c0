import type pg from "pg";
import { retryTransient } from "#src/platform/db/database.ts";
import { MicroBatch } from "#src/platform/kernel/async.ts";
import { Elapsed } from "#src/platform/kernel/elapsed.ts";
import { toError } from "#src/platform/kernel/errors.ts";
import type { Log } from "#src/platform/kernel/log.ts";
import type { AssertMayLeave } from "#src/telephony/carriers/carrier.ts";
import { GATE_SQL, KEPT_WINDOW_SQL } from "#src/tenancy/compliance/gate.ts";
import { HELD_SQL } from "#src/tenancy/compliance/opt-out-hold.ts";
import { type ClaimedRow, JUDGED_CTES } from "./claim.ts";

/** Time after the fence within which a dial must leave. Later the result is too old, and the dial must pass again. */
const VALID_MS = 3_000;

/**
 * FENCE, one statement for many dials right before their first byte. An attempt goes from CLAIMED to SUBMITTING only
 * while the lease under which it was claimed is alive and holds its row, the lane of its job and its number are open,
 * the gate, the calling window and the pace of its person still allow it, and no opt-out review holds the number. A
 * node that takes over the row of a dead node moves the same attempt, so only one of the two happens.
 * Each dial looks up its attempt and its row by their keys (offset 0). On tables without statistics, as in the first
 * seconds of an installation, the planner joined the tables by their workspace: two hundred dials took over a second.
 * $1 the dials as JSON.
 */
const FENCE = `
with x as materialized (
  select * from json_to_recordset($1::json) as x(workspace_id uuid, attempt_id uuid, row_id uuid, lease_owner uuid)
),
known as materialized (
  select r.workspace_id, r.customer_number, r.time_zone, r.number_country, a.id as attempt_id, ${GATE_SQL} as gate,
         ${HELD_SQL} as is_held,
         ${KEPT_WINDOW_SQL} as rules, a.person_attempt - 1 as earlier_attempts, w.max_attempts_per_day,
         w.attempt_gap_minutes
    from x
    cross join lateral (select * from call_attempts where workspace_id = x.workspace_id and id = x.attempt_id offset 0) a
    cross join lateral (select * from call_rows where workspace_id = x.workspace_id and id = x.row_id offset 0) r
    cross join lateral (
      select k.provider from phone_numbers k join lanes l on l.workspace_id = k.workspace_id and l.phone_number_id = k.id
       where k.workspace_id = r.workspace_id and k.id = r.phone_number_id and k.status = 'ACTIVE' and l.job_id = r.job_id
         and l.is_open offset 0) k
    join workspaces w on w.id = r.workspace_id
    left join call_jobs j on j.workspace_id = r.workspace_id and j.id = r.job_id
   where a.state = 'CLAIMED' and r.lease_owner = x.lease_owner and r.attempt_id = x.attempt_id
     and exists (select 1 from nodes n where n.id = x.lease_owner and n.alive_until > now())
),
${JUDGED_CTES}
update call_attempts a set state = 'SUBMITTING'
  from judged g
 where a.workspace_id = g.workspace_id and a.id = g.attempt_id and a.state = 'CLAIMED'
   and g.gate is null and not g.is_held and g.is_open and not g.is_day_full and g.gap_ends_at is null
returning a.id`;

/** The lease of this process, judged by its own clocks. */
export interface LocalLease {
  readonly holdsLease: boolean;
}

/** Lets dials pass. No dial leaves without it. */
export class DialFence {
  readonly #pool: pg.Pool;
  readonly #lease: LocalLease;
  readonly #log: Log;
  readonly #batch: MicroBatch<ClaimedRow, boolean>;

  constructor(pool: pg.Pool, lease: LocalLease, log: Log) {
    this.#pool = pool;
    this.#lease = lease;
    this.#log = log;
    this.#batch = new MicroBatch((rows) => this.#passAll(rows), 200);
  }

  /**
   * Moves a row's attempt to SUBMITTING. Null when it must not be dialled or the database was unavailable; nothing has
   * left then. The returned function checks again once the connection stands, because the process may have been paused
   * since.
   */
  async pass(row: ClaimedRow, ...calledOff: AbortSignal[]): Promise<AssertMayLeave | null> {
    const since = new Elapsed();
    const isOut = await this.#batch.add(row);
    if (!isOut) return null;
    return (isUnderWay = false) => {
      if (!isUnderWay && since.ms > VALID_MS) throw new Error("The call passed the fence too long ago.");
      if (!this.#lease.holdsLease) throw new Error("This server may have lost its lease.");
      for (const signal of calledOff) signal.throwIfAborted();
    };
  }

  /** Returns the ids of the attempts that may leave: none when the statement failed. */
  async #move(dials: string): Promise<Set<string>> {
    try {
      const found = await retryTransient(() =>
        this.#pool.query<{ id: string }>({ name: "fence-dials", text: FENCE, values: [dials] }),
      );
      return new Set(found.rows.map(({ id }) => id));
    } catch (error) {
      this.#log.warn("Dials could not pass the fence; they wait.", { error: toError(error).message });
      return new Set();
    }
  }

  async #passAll(rows: ClaimedRow[]): Promise<boolean[]> {
    if (!this.#lease.holdsLease) return rows.map(() => false);
    const dials = rows.map(({ workspace_id, id, attempt_id, lease_owner }) => {
      return { workspace_id, attempt_id, row_id: id, lease_owner };
    });
    const out = await this.#move(JSON.stringify(dials));
    return rows.map((row) => out.has(row.attempt_id as string));
  }
}
