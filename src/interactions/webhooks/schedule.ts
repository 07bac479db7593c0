const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits before each of the ten attempts: 75.6 hours in all. */
const DELAYS_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];
const JITTER = 0.2;
/** Longest Retry-After that is honoured, so that a receiver cannot park a delivery for ever. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/**
 * Returns the milliseconds to wait before the next attempt, or null when there is none. `attemptsMade` is 0 before the
 * first. `random` returns numbers from 0 to below 1 and spreads each wait by 20 % either way. `retryAfterMs` is the
 * receiver's request and can only lengthen the wait, up to a day.
 */
export function nextDeliveryDelayMs(attemptsMade: number, random: () => number, retryAfterMs = 0): number | null {
  const delayMs = DELAYS_MS[attemptsMade];
  if (delayMs === undefined) return null;
  const spreadMs = Math.round(delayMs * (1 + JITTER * (2 * random() - 1)));
  return Math.max(spreadMs, Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

/** Age at which an undelivered event is given up: longer than all attempts take, however their waits are spread. */
const LONGEST_WAIT_MS = 96 * HOUR_MS;

/**
 * Returns the milliseconds until an event whose receiver rests is checked again, or null when it has waited too long.
 * The wait is a quarter of the event's age, at least a minute and at most half an hour, so that a hundred thousand
 * events of a dead receiver cost little. Once the receiver answers, the wait is cut short.
 */
export function nextLookMs(ageMs: number, random: () => number): number | null {
  if (ageMs >= LONGEST_WAIT_MS) return null;
  const waitMs = Math.min(Math.max(ageMs / 4, MINUTE_MS), 30 * MINUTE_MS);
  return Math.round(waitMs * (1 + JITTER * random()));
}

const SECONDS = /^\d{1,10}$/;

/**
 * Parses a Retry-After header (RFC 9110, 10.2.3: seconds or a date). Returns milliseconds from `nowMs`, never negative,
 * or 0 when there is none or it cannot be parsed.
 */
export function parseRetryAfterMs(header: string | undefined, nowMs: number): number {
  const value = header?.trim() ?? "";
  if (SECONDS.test(value)) return Number(value) * SECOND_MS;
  // Only HTTP's date forms start with the name of a day; Date.parse alone would accept "-5" as a year.
  const atMs = /^[A-Z][a-z]+,? /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? 0 : Math.max(0, atMs - nowMs);
}
