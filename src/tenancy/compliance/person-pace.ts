import { FICTIONAL_PATTERN } from "#src/platform/kernel/e164.ts";
import { instantOf, localTimeIn } from "./time-zones.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How often one number may be dialled by all of a workspace's jobs and calls; null: no limit. */
export interface PersonPace {
  maxAttemptsPerDay: number | null;
  attemptGapMinutes: number | null;
}

/** Of a LIVE workspace until its owner sets another: the strictest of the usual legal figures. */
export const DEFAULT_ATTEMPTS_PER_DAY = 3;

/** Why a number is left alone, in words for the row's `error`; they stand in SQL, so none holds an apostrophe. */
export const PACE_REASONS = {
  ATTEMPTS_PER_DAY:
    "The number has had its attempts of the day and is dialled again on its next day. Compliance in the settings says how many.",
  ATTEMPT_GAP:
    "The last attempt to the number is too recent. Compliance in the settings says how long it is left alone.",
} as const;

export type PaceReason = keyof typeof PACE_REASONS;

/**
 * How often the number of `r` (call_rows) was dialled by its workspace (`w`) so far; null where no limit holds: in SANDBOX
 * workspaces and for fictional numbers.
 */
export const EARLIER_ATTEMPTS_SQL = `case
  when w.mode <> 'SANDBOX' and r.customer_number !~ '${FICTIONAL_PATTERN}' then coalesce((
    select max(a.person_attempt) from call_attempts a
     where a.workspace_id = r.workspace_id and a.customer_number = r.customer_number), 0) end`;

/**
 * Whether the number of `k` has had its attempts of the day. As they are counted without a gap, the attempt that used the
 * last one up is found by its count; only of a recent one is it asked when the person's day began. A clock that nobody knows
 * makes the day 26 hours long. Expects `k` with earlier_attempts, max_attempts_per_day, and what a row has.
 */
export const DAY_IS_FULL_SQL = `coalesce(case when k.earlier_attempts >= k.max_attempts_per_day then (
  select case when a.submitted_at > now() - interval '26 hours'
              then coalesce(a.submitted_at >= person_day_began(k.time_zone, k.number_country, clock_timestamp()), true) end
    from call_attempts a
   where a.workspace_id = k.workspace_id and a.customer_number = k.customer_number
     and a.person_attempt = k.earlier_attempts - k.max_attempts_per_day + 1) end, false)`;

/** Until when the last attempt to the number of `k` is too recent; null when it is not, or is not over. */
export const GAP_ENDS_SQL = `case when k.earlier_attempts > 0 and k.attempt_gap_minutes is not null then (
  select case when a.ended_at + make_interval(mins => k.attempt_gap_minutes) > clock_timestamp()
              then a.ended_at + make_interval(mins => k.attempt_gap_minutes) end
    from call_attempts a
   where a.workspace_id = k.workspace_id and a.customer_number = k.customer_number
     and a.person_attempt = k.earlier_attempts) end`;

/**
 * Whether a gap is to be kept after an attempt to the number of `k` that is not over. The person lock alone would let the
 * row out when that attempt ends while the claim runs, for the claim sees neither its end nor, so, the gap.
 */
export const GAP_IS_AHEAD_SQL = `coalesce(case when k.earlier_attempts > 0 and k.attempt_gap_minutes is not null then (
  select a.ended_at is null
    from call_attempts a
   where a.workspace_id = k.workspace_id and a.customer_number = k.customer_number
     and a.person_attempt = k.earlier_attempts) end, false)`;

/** The first instant after `fromMs` at which it has become another day in every one of these zones. */
export function nextDay(zones: readonly string[], fromMs: number): number {
  return Math.max(...zones.map((zone) => nextDayIn(zone, fromMs)), fromMs);
}

function nextDayIn(zone: string, fromMs: number): number {
  const today = Date.parse(`${localTimeIn(zone, fromMs).date}T00:00:00Z`);
  const next = new Date(today + DAY_MS).toISOString().slice(0, 10);
  let atMs = instantOf(zone, `${next}T00:00:00`);
  // Where the clock leaps over midnight, the day begins at the leap.
  while (localTimeIn(zone, atMs).date < next) atMs += 15 * MINUTE_MS;
  return atMs;
}
