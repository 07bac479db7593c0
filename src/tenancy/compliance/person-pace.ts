import { FICTIONAL_PATTERN } from "#src/platform/kernel/e164.ts";
import { instantOf, localTimeIn } from "#src/platform/kernel/time-zones.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Limits on dialling one number by all of a workspace's jobs and calls; null: no limit. */
export interface PersonPace {
  maxAttemptsPerDay: number | null;
  attemptGapMinutes: number | null;
}

/** Limit of a LIVE workspace until its owner sets another: the strictest of the usual legal figures. */
export const DEFAULT_ATTEMPTS_PER_DAY = 3;

/**
 * Reasons for not dialling a number yet, in words for the row's `error`; they stand in SQL, so none holds an
 * apostrophe.
 */
export const PACE_REASONS = {
  ATTEMPTS_PER_DAY:
    "The number has had its attempts of the day and is dialled again on its next day. Compliance in the settings says how many.",
  ATTEMPT_GAP:
    "The last attempt to the number is too recent. Compliance in the settings says how long it is left alone.",
} as const;

export type PaceReason = keyof typeof PACE_REASONS;

/**
 * SQL expression: the attempts so far of the workspace (`w`) to the number of `r` (call_rows); null where no limit
 * applies, in SANDBOX workspaces and for fictional numbers.
 */
export const EARLIER_ATTEMPTS_SQL = `case
  when w.mode <> 'SANDBOX' and r.customer_number !~ '${FICTIONAL_PATTERN}' then coalesce((
    select max(a.person_attempt) from call_attempts a
     where a.workspace_id = r.workspace_id and a.customer_number = r.customer_number), 0) end`;

/**
 * SQL expression: true when the number of `k` has had its attempts of the day. Attempts are numbered without a gap, so
 * the one that decides is found by its number; only when it is recent is the start of the person's day computed. If
 * that start is unknown, the day counts as 26 hours long. Expects `k` with earlier_attempts, max_attempts_per_day, and
 * the columns of a row.
 */
export const DAY_IS_FULL_SQL = `coalesce(case when k.earlier_attempts >= k.max_attempts_per_day then (
  select case when a.submitted_at > now() - interval '26 hours'
              then coalesce(a.submitted_at >= person_day_began(k.time_zone, k.number_country, clock_timestamp()), true) end
    from call_attempts a
   where a.workspace_id = k.workspace_id and a.customer_number = k.customer_number
     and a.person_attempt = k.earlier_attempts - k.max_attempts_per_day + 1) end, false)`;

/**
 * SQL expression: end of the gap after the last attempt to the number of `k`; null when the gap is over, or the attempt
 * is not.
 */
export const GAP_ENDS_SQL = `case when k.earlier_attempts > 0 and k.attempt_gap_minutes is not null then (
  select case when a.ended_at + make_interval(mins => k.attempt_gap_minutes) > clock_timestamp()
              then a.ended_at + make_interval(mins => k.attempt_gap_minutes) end
    from call_attempts a
   where a.workspace_id = k.workspace_id and a.customer_number = k.customer_number
     and a.person_attempt = k.earlier_attempts) end`;

/**
 * SQL expression: true when a gap must be kept after an attempt to the number of `k` that is still running. The person
 * lock alone would let the row out if that attempt ends while the claim runs, since the claim reads neither the
 * attempt's end nor the gap.
 */
export const GAP_IS_AHEAD_SQL = `coalesce(case when k.earlier_attempts > 0 and k.attempt_gap_minutes is not null then (
  select a.ended_at is null
    from call_attempts a
   where a.workspace_id = k.workspace_id and a.customer_number = k.customer_number
     and a.person_attempt = k.earlier_attempts) end, false)`;

/** Returns the first instant after `fromMs` at which the next day has begun in every one of these zones. */
export function nextDay(zones: readonly string[], fromMs: number): number {
  return Math.max(...zones.map((zone) => nextDayIn(zone, fromMs)), fromMs);
}

function nextDayIn(zone: string, fromMs: number): number {
  const today = Date.parse(`${localTimeIn(zone, fromMs).date}T00:00:00Z`);
  const next = new Date(today + DAY_MS).toISOString().slice(0, 10);
  let atMs = instantOf(zone, `${next}T00:00:00`);
  // If the clock skips midnight, the day begins at the clock change.
  while (localTimeIn(zone, atMs).date < next) atMs += 15 * MINUTE_MS;
  return atMs;
}
