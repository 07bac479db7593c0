import { WAITS_SQL } from "#src/interactions/calls/waiting-rows.ts";
import { all, type Executor, sql } from "#src/platform/db/database.ts";
import type { CallingWindow } from "#src/tenancy/compliance/calling-window.ts";
import { CREDIT_USED_UP_SQL, type GateReason, gateSql, KEPT_WINDOW_SQL } from "#src/tenancy/compliance/gate.ts";
import { HELD_SQL, type HoldReason } from "#src/tenancy/compliance/opt-out-hold.ts";
import {
  DAY_IS_FULL_SQL,
  EARLIER_ATTEMPTS_SQL,
  GAP_ENDS_SQL,
  type PaceReason,
} from "#src/tenancy/compliance/person-pace.ts";

/** A contact in the form that the gate reads, before it is a row. */
export interface Candidate {
  line: number | null;
  external_id: string | null;
  customer_number: string;
  number_country: string;
  number_class: string;
  phone_number_id: string;
  time_zone: string | null;
}

/** Verdict of the gate on some rows. `code` is null for those it passes. */
export interface Verdict {
  code: GateReason | null;
  /** Reason why passed rows would not be dialled at once; null for those that would. */
  wait: "CALLING_WINDOW" | PaceReason | HoldReason | null;
  count: number;
  /** The first ones; of those that would be dialled at once, one. */
  rows: { rowId: string | null; line: number | null; customerNumber: string; externalId: string | null }[];
}

/** The credit of the workspace, once for all rows. */
const creditOf = (workspaceId: string) =>
  sql`credit as materialized (select ${sql.raw(CREDIT_USED_UP_SQL)} as is_used_up from workspaces w where w.id = ${workspaceId})`;
const GATE = sql.raw(gateSql("(select is_used_up from credit)"));
const HELD = sql.raw(HELD_SQL);
/** True when the calling window of `r` is open now, false while it is closed, null when its zone cannot be determined. */
const IS_OPEN = sql.raw(`case
  when (${KEPT_WINDOW_SQL}) is null then true
  else is_calling_window_open(${KEPT_WINDOW_SQL}, r.time_zone, r.number_country, clock_timestamp())
end`);
const PACE = sql`${sql.raw(EARLIER_ATTEMPTS_SQL)} as earlier_attempts, w.max_attempts_per_day, w.attempt_gap_minutes`;
/** Combines the checks as the claim does. */
const CODE = sql`
  case when k.is_open is null then coalesce(k.gate, 'TIME_ZONE_UNKNOWN') else k.gate end as code,
  case when k.gate is not null or k.is_open is null then null
       when k.is_held then 'OPT_OUT_REVIEW'
       when not k.is_open then 'CALLING_WINDOW'
       when ${sql.raw(DAY_IS_FULL_SQL)} then 'ATTEMPTS_PER_DAY'
       when ${sql.raw(GAP_ENDS_SQL)} is not null then 'ATTEMPT_GAP' end as wait`;

const TALLY = sql`
  select code, wait, count(*)::int as count,
         coalesce(json_agg(json_build_object('rowId', id, 'line', line, 'customerNumber', customer_number,
           'externalId', external_id) order by place) filter (where place <= case when coalesce(code, wait) is null then 1 else shown.n end), '[]') as rows
    from (select judged.*, row_number() over (partition by code, wait order by id, line) as place from judged) placed, shown
   group by code, wait order by count(*) desc, code, wait`;

/** Runs the gate on contacts that are not stored; `shown` rows of each reason are listed. Writes nothing. */
export function judgeCandidates(
  tx: Executor,
  workspaceId: string,
  candidates: Candidate[],
  rules: CallingWindow | null,
  shown: number,
): Promise<Verdict[]> {
  return all(
    tx,
    sql`with shown as (select ${shown}::int as n), ${creditOf(workspaceId)},
        r as materialized (
          select ${workspaceId}::uuid as workspace_id, null::uuid as id, null::uuid as job_id,
                 ${rules === null ? null : JSON.stringify(rules)}::jsonb as calling_window, x.*
            from json_to_recordset(${JSON.stringify(candidates)}::json) as x(line int, external_id text,
              customer_number text, number_country text, number_class text, phone_number_id uuid, time_zone text)
        ),
        judged as materialized (
          select k.*, ${CODE} from (
            select r.id, r.line, r.external_id, r.workspace_id, r.customer_number, r.time_zone, r.number_country,
                   ${GATE} as gate, ${HELD} as is_held, ${IS_OPEN} as is_open, ${PACE}
              from r join workspaces w on w.id = r.workspace_id
              join phone_numbers k on k.workspace_id = r.workspace_id and k.id = r.phone_number_id
              left join call_jobs j on j.workspace_id = r.workspace_id and j.id = r.job_id) k
        ) ${TALLY}`,
  );
}

/** Runs the gate on the waiting rows of a job; `shown` rows of each reason are listed. Writes nothing. */
export function judgeWaiting(tx: Executor, workspaceId: string, jobId: string, shown: number): Promise<Verdict[]> {
  return all(
    tx,
    sql`with shown as (select ${shown}::int as n), ${creditOf(workspaceId)},
        judged as materialized (
          select k.*, ${CODE} from (
            select r.id, r.line, r.external_id, r.workspace_id, r.customer_number, r.time_zone, r.number_country,
                   ${GATE} as gate, ${HELD} as is_held, ${IS_OPEN} as is_open, ${PACE}
              from call_rows r join workspaces w on w.id = r.workspace_id
              join phone_numbers k on k.workspace_id = r.workspace_id and k.id = r.phone_number_id
              join call_jobs j on j.workspace_id = r.workspace_id and j.id = r.job_id
           where r.workspace_id = ${workspaceId} and r.job_id = ${jobId} and ${sql.raw(WAITS_SQL)}) k
        ) ${TALLY}`,
  );
}
