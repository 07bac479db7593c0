/** The database's time at a moment of this process's monotonic clock; null until it was read. */
let anchor: { databaseMs: number; monotonicMs: number } | null = null;

/** Sets the database's time, in milliseconds since 1970, for the moment when `performance.now()` was `monotonicMs`. */
export function setDatabaseTime(databaseMs: number, monotonicMs: number): void {
  anchor = { databaseMs, monotonicMs };
}

/**
 * Returns the time by the database's clock, in milliseconds since 1970. Due times, expiry and signatures use it, so
 * that all nodes agree and a machine whose clock is wrong does no harm. Between two readings it follows the monotonic
 * clock; before the first one it is the machine's own time.
 */
export function nowMs(): number {
  return anchor === null ? Date.now() : anchor.databaseMs + (performance.now() - anchor.monotonicMs);
}

/** Returns `nowMs` as a Date. */
export function now(): Date {
  return new Date(nowMs());
}

/** Milliseconds by which the machine's clock may differ from the database's without a warning. */
export const TOLERATED_OFF_MS = 5_000;

/** Returns how far the machine's clock is ahead of the database's, in milliseconds; 0 before the first reading. */
export function aheadMs(): number {
  return Date.now() - nowMs();
}
