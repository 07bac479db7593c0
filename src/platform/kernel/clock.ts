/** The database's time at a moment of this process's monotonic clock; null until it was read. */
let anchor: { databaseMs: number; monotonicMs: number } | null = null;

/** Takes over what the database's clock showed, in milliseconds since 1970, when `performance.now()` was `monotonicMs`. */
export function setDatabaseTime(databaseMs: number, monotonicMs: number): void {
  anchor = { databaseMs, monotonicMs };
}

/**
 * Returns the time by the database's clock, in milliseconds since 1970: what is due, expires or is signed goes by it, so that
 * all nodes agree and a machine whose clock is wrong does no harm. Between two readings it follows the monotonic clock.
 * Before the first reading it is the machine's own.
 */
export function nowMs(): number {
  return anchor === null ? Date.now() : anchor.databaseMs + (performance.now() - anchor.monotonicMs);
}

/** Returns `nowMs` as a Date. */
export function now(): Date {
  return new Date(nowMs());
}

/** The machine's clock may differ so much from the database's without a warning. */
export const TOLERATED_OFF_MS = 5_000;

/** Returns how far the machine's clock is ahead of the database's, in milliseconds; 0 before the first reading. */
export function aheadMs(): number {
  return Date.now() - nowMs();
}
