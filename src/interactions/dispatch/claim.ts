import type pg from "pg";
import type { FlowFields } from "#src/authoring/flows/flows.ts";
import { WEB } from "#src/interactions/calls/new-row.ts";
import type { RetryConfig } from "#src/interactions/calls/retry.ts";
import { ONE_DUE_SQL, WAITS_IN_LANE_SQL } from "#src/interactions/calls/waiting-rows.ts";
import { retryTransient } from "#src/platform/db/database.ts";
import { FICTIONAL_PATTERN, fictionalCode } from "#src/platform/kernel/e164.ts";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { GATE_SQL, type GateReason, KEPT_WINDOW_SQL } from "#src/tenancy/compliance/gate.ts";
import { HELD, HELD_SQL, HOLD_REASONS, type HoldReason } from "#src/tenancy/compliance/opt-out-hold.ts";
import {
  DAY_IS_FULL_SQL,
  EARLIER_ATTEMPTS_SQL,
  GAP_ENDS_SQL,
  GAP_IS_AHEAD_SQL,
  PACE_REASONS,
  type PaceReason,
} from "#src/tenancy/compliance/person-pace.ts";
import { holdRows } from "./hold.ts";
import { postponeRows, type WaitingRow } from "./postpone.ts";

/** SQL column: true when a webhook subscribes to the session start of `t` (call_rows); never for inline flows. */
export const REPORTS_START = `t.flow_id is not null and exists (
         select 1 from session_webhooks h
          where h.workspace_id = t.workspace_id and h.enabled and 'session.started' = any(h.events)
            and (h.flow_id is null or h.flow_id = t.flow_id)) as reports_start`;

const WAIT_REASONS: Record<PaceReason | HoldReason, string> = { ...PACE_REASONS, ...HOLD_REASONS };
const WAITS = Object.keys(WAIT_REASONS) as (PaceReason | HoldReason)[];

/** Sets the reason as the error of a row that waits for its person, and clears it when the row goes on. */
const PACE_ERROR = `case
           ${WAITS.map((code) => `when g.pace = '${code}' then '${JSON.stringify({ code, message: WAIT_REASONS[code] })}'::json`).join("\n           ")}
           when r.error ->> 'code' in (${WAITS.map((code) => `'${code}'`).join(", ")}) then null
           else r.error end`;

/**
 * Judges the rows of `known` by the clock: by their calling window, and by the number and time of earlier attempts. A
 * window is judged once for all rows of one zone and country, because it costs more than the rest of a row's claim.
 */
export const JUDGED_CTES = `
windows as materialized (
  select d.*, is_calling_window_open(rules, time_zone, number_country, clock_timestamp()) as is_open
    from (select distinct rules, time_zone, number_country from known where rules is not null) d
),
judged as materialized (
  select k.*, k.rules is null or o.is_open as is_open, ${DAY_IS_FULL_SQL} as is_day_full, ${GAP_ENDS_SQL} as gap_ends_at,
         ${GAP_IS_AHEAD_SQL} as is_gap_ahead
    from known k left join windows o
      on o.rules = k.rules and o.number_country = k.number_country and o.time_zone is not distinct from k.time_zone
)`;

/** SQL condition: number `p` may begin a call. */
const CALLS_SQL = "p.status = 'ACTIVE' and p.active_calls < p.max_concurrent_calls";

/** SQL: open lanes `l` of a number (`workspace_id`, `id`) with a free slot and a due row. */
const lanesWithDueSql = (number: string) => `lanes l cross join lateral (${ONE_DUE_SQL}) due
           where l.workspace_id = ${number}.workspace_id and l.phone_number_id = ${number}.id
             and l.is_open and l.next_look_at <= now() and (l.max_calls is null or l.active_calls < l.max_calls)`;

/**
 * CLAIM, one statement and one transaction: numbers with free slots are locked (others skip them), due rows of their
 * open lanes are picked, and the compliance gate judges each. For those it passes, the attempt is written as CLAIMED;
 * before any byte leaves, the fence makes it SUBMITTING (dial-fence.ts). The attempt's partial unique index is the
 * person lock: of two rows for one number, one is taken and the other is due again in 250 ms.
 * A row outside its calling window is not taken. It is due again in five minutes, which `postponeRows` corrects to the
 * moment at which the window opens. Even if that fails, no row leaves without an open window.
 * A row whose number an opt-out review holds is not taken; `holdRows` puts it off until the review is decided.
 * A row is not taken if its number has had its attempts of the day, or its last attempt too recently. Two claims that
 * both counted before either wrote give their attempts the same `person_attempt`, and the index lets one of them
 * through. While the last attempt is live and a gap will follow, the row is due again in 250 ms.
 * The workspace is compared outside of the pick, whose index has no workspace: inside, the planner read all rows of the
 * workspace from another index to put the two together.
 * Numbers come in the order in which they were last served, and so do the lanes of a number, whatever runs beside
 * them: the subqueries that lock keep it, and stop once there is enough. Lanes that rest (rest-lanes.ts) cost nothing.
 * The lanes are locked so that their counters are read as of now, not as of the start of the statement: another claim,
 * a pause or a change of the job may have committed since. One that somebody else has locked is left to a later claim:
 * a request that stands still after it woke a lane would hold up all dials of this node.
 * The first dial of a row chooses the version of its flow, which its retries keep.
 * Slots of number and lane grow by the number of rows taken.
 * `decided` looks up in a hash, by the attempt's id, whether the attempt was written. In a join, the planner
 * would compare each row of a batch with each attempt, because it expects one of either.
 * A paced number gives no more rows than can have their turn within the time that a dial waits for it. The others would
 * be put off again and again, one attempt each.
 * $1 node, $2 rows per number at most, $3 rows in all, $4 as many fresh attempt ids, $5 workspaces of which only the
 * sandbox's numbers may dial; null: all.
 */
const CLAIM = `
with awake as materialized (
  select distinct workspace_id, phone_number_id from lanes where is_open and next_look_at <= now()
),
able as materialized (
  select p.workspace_id, p.id, a.calls_per_second as account_pace
    from awake w
    join phone_numbers p on p.workspace_id = w.workspace_id and p.id = w.phone_number_id
    left join carrier_accounts a on a.workspace_id = p.workspace_id and a.id = p.carrier_account_id
   where ${CALLS_SQL} and greatest(p.next_dial_at, a.next_dial_at) < now() + interval '2 seconds'
     and (p.provider = 'SANDBOX' or not coalesce(p.workspace_id = any ($5::uuid[]), true))
     and exists (select 1 from nodes where id = $1 and alive_until > now())
   order by p.served_at
),
n as materialized (
  select p.workspace_id, p.id, p.number, p.provider, p.carrier_account_id,
         least(p.max_concurrent_calls - p.active_calls,
               ceil(least(p.calls_per_second, f.account_pace) * 3)::int) as free
    from able f
   cross join lateral (select l.phone_number_id from ${lanesWithDueSql("f")} limit 1) due
   cross join lateral (
      select p.* from phone_numbers p
       where p.workspace_id = f.workspace_id and p.id = due.phone_number_id and ${CALLS_SQL}
         for update skip locked) p
   limit 50
),
picked as materialized (
  select c.*, n.number as from_number, n.provider, n.carrier_account_id
    from n cross join lateral (
      select r.* from (
        select l.workspace_id, l.phone_number_id, l.job_id, l.max_calls - l.active_calls as free
          from ${lanesWithDueSql("n")}
         order by l.next_look_at limit least(n.free, $2::int) for no key update of l skip locked) l
       cross join lateral (
        select r.workspace_id, r.id, r.phone_number_id, r.job_id, r.customer_number, r.number_class, r.number_country,
               r.time_zone, r.calling_window, r.flow_id, r.flow_version, r.session_id, r.retry_config, r.attempts_made,
               r.due_at as was_due_at
          from call_rows r
         where ${WAITS_IN_LANE_SQL} and r.due_at <= now()
         order by r.due_at, r.id
         limit least(n.free, $2::int, l.free) for update of r skip locked) r
       where r.workspace_id = l.workspace_id
       limit least(n.free, $2::int)) c
   limit $3
),
known as materialized (
  select r.*, w.mode, w.sandbox_speed, ${GATE_SQL} as gate, ${HELD_SQL} as is_held, ${KEPT_WINDOW_SQL} as rules,
         ${EARLIER_ATTEMPTS_SQL} as earlier_attempts, w.max_attempts_per_day, w.attempt_gap_minutes,
         case when r.retry_config is null then (j.retry_config ->> 'maxAttempts')::int end as job_attempts,
         coalesce(r.flow_version, case when f.splits is null then f.version
                                  else pick_flow_version(f.version, f.splits, r.session_id) end) as first_version
    from picked r cross join lateral (select r.provider) k
    join workspaces w on w.id = r.workspace_id
    left join call_jobs j on j.workspace_id = r.workspace_id and j.id = r.job_id
    left join flows f on f.workspace_id = r.workspace_id and f.id = r.flow_id
),
${JUDGED_CTES},
gated as materialized (
  select g.*, case when is_open is null then coalesce(gate, 'TIME_ZONE_UNKNOWN') else gate end as blocked,
         gate is null and is_open is not null
           and (is_held or not is_open or is_day_full or gap_ends_at is not null) as waits,
         case when gate is null and is_open is not null and is_held then '${HELD}'
              when gate is null and is_open then case when is_day_full then 'ATTEMPTS_PER_DAY'
              when gap_ends_at is not null then 'ATTEMPT_GAP' end end as pace,
         ($4::uuid[])[row_number() over (order by customer_number)] as fresh_attempt_id
    from judged g
),
attempts as (
  insert into call_attempts (workspace_id, id, row_id, number, state, phone_number_id, customer_number, provider,
                             person_attempt)
  select workspace_id, fresh_attempt_id, id, attempts_made + 1, 'CLAIMED',
         phone_number_id, customer_number,
         case when customer_number ~ '${FICTIONAL_PATTERN}' then 'SANDBOX' else provider end,
         earlier_attempts + 1
    from gated where blocked is null and not waits and not is_gap_ahead order by customer_number
  on conflict do nothing
  returning workspace_id, id, phone_number_id
),
decided as materialized (
  select g.*, g.fresh_attempt_id in (select id from attempts) as is_dialled from gated g
),
taken as (
  update call_rows r
     set status = case when g.is_dialled or g.blocked is not null then 'DIALING' else r.status end,
         lease_owner = case when g.is_dialled or g.blocked is not null then $1::uuid end,
         attempt_id = case when g.is_dialled then g.fresh_attempt_id end,
         attempts_made = r.attempts_made + g.is_dialled::int,
         flow_version = case when g.is_dialled then g.first_version else r.flow_version end,
         max_attempts = coalesce(g.job_attempts, r.max_attempts),
         started_at = coalesce(r.started_at, case when g.is_dialled then now() end),
         due_at = case when g.waits then now() + interval '5 minutes'
                       when not g.is_dialled and g.blocked is null then now() + interval '250 ms' else r.due_at end,
         window_opens_at = case when g.waits and g.pace is distinct from '${HELD}' then now() + interval '5 minutes' end,
         error = ${PACE_ERROR},
         updated_at = now()
    from decided g
   where r.workspace_id = g.workspace_id and r.id = g.id
  returning r.*, g.from_number, g.provider, g.carrier_account_id, g.mode, g.sandbox_speed, g.blocked, g.waits, g.was_due_at,
            case when g.waits then g.rules end as window_rules, g.pace, g.gap_ends_at, g.max_attempts_per_day,
            g.attempt_gap_minutes
),
slots as (
  update phone_numbers p set active_calls = p.active_calls + c.n, served_at = now()
    from (select workspace_id, phone_number_id, count(*)::int as n from attempts group by 1, 2) c
   where p.workspace_id = c.workspace_id and p.id = c.phone_number_id
),
lane_slots as (
  update lanes l set active_calls = l.active_calls + c.n, next_look_at = now()
    from (select workspace_id, phone_number_id, job_id, (count(*) filter (where attempt_id is not null))::int as n
            from taken group by 1, 2, 3) c
   where l.workspace_id = c.workspace_id and l.phone_number_id = c.phone_number_id and l.job_id = c.job_id
)
select t.*, coalesce(t.retry_config, j.retry_config) as retry, coalesce(t.inline_flow, j.inline_flow) as inline,
       ${REPORTS_START},
       case when t.waits then calling_zones(t.window_rules, t.time_zone, t.number_country) end as window_zones,
       case when t.pace is not null then calling_zones('{}', t.time_zone, t.number_country) end as person_zones
  from taken t
  left join call_jobs j on j.workspace_id = t.workspace_id and j.id = t.job_id
 where t.lease_owner = $1 or t.waits`;

/** A row taken under this node's lease, with the data needed to dial it. */
export interface ClaimedRow {
  workspace_id: string;
  id: string;
  job_id: string;
  session_id: string;
  phone_number_id: string;
  from_number: string;
  provider: string;
  /** Carrier account of the number; null for sandbox numbers and trunks. */
  carrier_account_id: string | null;
  customer_number: string;
  /** INBOUND means that the person called us, so nobody may be dialled for this row. */
  direction: "OUTBOUND" | "INBOUND";
  /** Node id under which this process took the row. */
  lease_owner: string;
  /** Null when the gate blocked the dial, in which case no slot is held. */
  attempt_id: string | null;
  attempts_made: number;
  blocked: GateReason | null;
  mode: "SANDBOX" | "LIVE";
  sandbox_speed: number | null;
  flow_id: string | null;
  flow_api_id: string | null;
  /** Version of a saved flow that the first dial chose. */
  flow_version: number | null;
  inline: Partial<FlowFields> | null;
  retry: RetryConfig;
  contact_name: string | null;
  contact_email: string | null;
  row_data: Record<string, unknown> | null;
  context_data: string | null;
  time_zone: string | null;
  /** True when a webhook subscribes to session.started. */
  reports_start: boolean;
  /** Time of the first claim that dialled. */
  started_at: Date | null;
}

/**
 * True when a row's call stays in the sandbox and bills nothing: in a SANDBOX workspace, from a number of the sandbox,
 * or to a fictional number from any number.
 */
export function isSimulated({ mode, provider, customer_number: customer }: ClaimedRow): boolean {
  return mode === "SANDBOX" || provider === "SANDBOX" || fictionalCode(customer) !== null;
}

/** Returns the kind of the carrier that carries a row's call: the sandbox for every fictional number. */
export function carrierKindOf({ provider, customer_number: customer }: ClaimedRow): string {
  return fictionalCode(customer) === null ? provider : "SANDBOX";
}

/**
 * Takes due rows for this node, at most `perNumber` of one number and `limit` in all. Of the workspaces in `silent`, or
 * of all if it is null, only numbers of the sandbox dial.
 */
export async function claimRows(
  pool: pg.Pool,
  nodeId: string,
  perNumber: number,
  limit: number,
  silent: string[] | null = [],
): Promise<ClaimedRow[]> {
  const found = await retryTransient(() => {
    const attemptIds = Array.from({ length: limit }, () => uuidv7());
    return pool.query<(ClaimedRow & { waits: false }) | WaitingRow>({
      name: "claim-rows",
      text: CLAIM,
      values: [nodeId, perNumber, limit, attemptIds, silent],
    });
  });
  const taken: ClaimedRow[] = [];
  const waiting: WaitingRow[] = [];
  const held: WaitingRow[] = [];
  for (const row of found.rows) {
    if (row.waits) (row.pace === HELD ? held : waiting).push(row);
    else taken.push(row);
  }
  // If this fails, the rows are due again in five minutes. The rows that were taken must be dialled all the same.
  if (waiting.length > 0) await postponeRows(pool, waiting).catch(() => undefined);
  if (held.length > 0) await holdRows(pool, held).catch(() => undefined);
  return taken;
}

/**
 * REAP: takes rows of nodes whose heartbeat stopped under this node's lease as UNKNOWN. Slots and person locks stay
 * held until the carrier has been asked about them. An attempt that was only CLAIMED never passed the fence and, marked
 * ABSENT, never will, which proves that nobody was rung. Rows under this node's own lease that it does not hold ($2)
 * are taken too: their claim committed, but its answer was lost with the connection. Calls that this process still
 * holds from a lost lease are left to other nodes until it has released them. After a database outage all leases have
 * expired, however long ago. So a node that has just joined leaves the others the time of a lease to come back with
 * their calls, and takes only what was given up on purpose, such as by its own former process.
 * The order is that of the index of leased rows, which is thus read on any plan.
 */
const REAP = `
with lost as materialized (
  select r.workspace_id, r.id from call_rows r left join nodes n on n.id = r.lease_owner
    join nodes me on me.id = $1 and me.alive_until > now()
   where r.lease_owner is not null and not r.id = any ($2::uuid[])
     and ((r.lease_owner <> $1 and coalesce(n.alive_until, '-infinity') <= case
             when me.started_at > now() - interval '10 seconds' then '-infinity' else now() end)
          or (r.lease_owner = $1 and r.updated_at < now() - interval '15 seconds'))
   order by r.lease_owner limit 500 for update of r skip locked
),
taken as (
  update call_rows r set status = 'UNKNOWN', lease_owner = $1, updated_at = now()
    from lost where r.workspace_id = lost.workspace_id and r.id = lost.id
  returning r.*
),
unsent as (
  update call_attempts a set state = 'ABSENT' from taken t
   where a.workspace_id = t.workspace_id and a.id = t.attempt_id and a.state = 'CLAIMED'
  returning a.id
),
marked as (
  update call_attempts a set state = 'UNKNOWN' from taken t
   where a.workspace_id = t.workspace_id and a.id = t.attempt_id and a.state = 'SUBMITTING'
)
select t.*, null as blocked, coalesce(p.number, '${WEB}') as from_number, coalesce(p.provider, '${WEB}') as provider,
       p.carrier_account_id, w.mode, w.sandbox_speed,
       coalesce(t.retry_config, j.retry_config) as retry, coalesce(t.inline_flow, j.inline_flow) as inline,
       a.answered_at as conversation_began_at, a.provider_call_id, coalesce(a.submitted_at, now()) as submitted_at,
       coalesce(u.id is not null or a.state = 'ABSENT', false) as is_unsent, ${REPORTS_START}
  from taken t
  left join phone_numbers p on p.workspace_id = t.workspace_id and p.id = t.phone_number_id
  join workspaces w on w.id = t.workspace_id
  left join call_attempts a on a.workspace_id = t.workspace_id and a.id = t.attempt_id
  left join unsent u on u.id = t.attempt_id
  left join call_jobs j on j.workspace_id = t.workspace_id and j.id = t.job_id`;

/** A row taken over from a dead node. A conversation that had begun died with the node, so the call ends. */
export interface ReapedRow extends ClaimedRow {
  conversation_began_at: Date | null;
  provider_call_id: string | null;
  submitted_at: Date;
  /** True when the attempt never passed the fence, so nobody was rung. */
  is_unsent: boolean;
}

/** Takes over the rows of dead nodes. `held` are the rows whose calls this process runs. */
export async function reapRows(pool: pg.Pool, nodeId: string, held: string[]): Promise<ReapedRow[]> {
  const found = await retryTransient(() =>
    pool.query<ReapedRow>({ name: "reap-rows", text: REAP, values: [nodeId, held] }),
  );
  return found.rows;
}

/** Shows a row as UNKNOWN while the carrier is asked, or as live again once it has answered. */
export async function markRow(
  pool: pg.Pool,
  row: ClaimedRow,
  nodeId: string,
  status: "UNKNOWN" | "DIALING",
): Promise<void> {
  await pool.query({
    name: "mark-row",
    text: `with r as (update call_rows set status = $4, updated_at = now()
             where workspace_id = $1 and id = $2 and lease_owner = $3 returning workspace_id, attempt_id)
           update call_attempts a set state = 'UNKNOWN' from r
            where $4 = 'UNKNOWN' and a.workspace_id = r.workspace_id and a.id = r.attempt_id and a.state = 'SUBMITTING'`,
    values: [row.workspace_id, row.id, nodeId, status],
  });
}
