import { FICTIONAL_PATTERN } from "#src/platform/kernel/e164.ts";
import { CREDIT_USED_UP, creditUsedUpSql } from "#src/tenancy/usage/credit.ts";

/**
 * The compliance gate, as one SQL expression that names the first rule that forbids the dial (null: none does). The
 * claim and the fence ask it before every attempt, together with the calling window, the pace of the person and the
 * hold of an opt-out review. It fails closed: a country that cannot be determined is a country not enabled. Expects `r`
 * (call_rows), `w` (workspaces) and `k.provider` (of the number that dials). In a SANDBOX workspace, from which no call
 * can leave, invalid numbers are simulated. Credit is checked last, and only for calls that bill: simulated ones never
 * do. A statement about very many rows of one workspace passes an expression that sums its credit up once.
 */
export const gateSql = (isCreditUsedUp: string): string => `case
  when r.number_class = 'EMERGENCY' then 'EMERGENCY_NUMBER'
  when r.number_class = 'PREMIUM' then 'PREMIUM_NUMBER'
  when r.number_class = 'SATELLITE' then 'SATELLITE_NUMBER'
  when r.number_class = 'INVALID' and w.mode <> 'SANDBOX' then 'INVALID_NUMBER'
  when exists (select 1 from do_not_call d where d.workspace_id = r.workspace_id and d.number = r.customer_number)
    then 'DO_NOT_CALL'
  when r.number_country = 'ZZ' or (w.enabled_countries is not null and not r.number_country = any (w.enabled_countries))
    then 'COUNTRY_NOT_ENABLED'
  when w.mode <> 'SANDBOX' and k.provider <> 'SANDBOX' and r.customer_number !~ '${FICTIONAL_PATTERN}'
    and ${isCreditUsedUp} then 'BALANCE_EXHAUSTED'
end`;

/** The gate of rows of any workspaces. */
export const GATE_SQL = gateSql(creditUsedUpSql("r.workspace_id"));

/** SQL expression: true when nothing is left of the credit of `w` (workspaces). */
export const CREDIT_USED_UP_SQL = creditUsedUpSql("w.id");

/** The calling window of `r` (call_rows): its own, its job's (`j`), or else the default of its workspace (`w`). */
const RULES_SQL = "coalesce(r.calling_window, j.calling_window, w.calling_window)";

/**
 * The calling window that `r` must keep; null for simulated calls, of SANDBOX workspaces and to fictional numbers,
 * which no window holds back.
 */
export const KEPT_WINDOW_SQL = `case
  when w.mode <> 'SANDBOX' and r.customer_number !~ '${FICTIONAL_PATTERN}' then ${RULES_SQL} end`;

/** Reasons of the gate, in words for the row's `error`. */
export const GATE_REASONS = {
  EMERGENCY_NUMBER: "Emergency numbers are never dialled.",
  PREMIUM_NUMBER: "Premium-rate and shared-cost numbers are never dialled.",
  SATELLITE_NUMBER: "Satellite and global-network numbers are never dialled.",
  INVALID_NUMBER: "The number does not exist in its country's numbering plan.",
  DO_NOT_CALL: "The number is on this workspace's do-not-call list.",
  BALANCE_EXHAUSTED: CREDIT_USED_UP,
  TIME_ZONE_UNKNOWN: "The calling window cannot be kept: nobody can tell what time it is at the number.",
  COUNTRY_NOT_ENABLED: "The number's country is not enabled for this workspace.",
} as const;

export type GateReason = keyof typeof GATE_REASONS;
