/** A local day and minute in a zone. */
export interface LocalTime {
  /** YYYY-MM-DD. */
  date: string;
  /** Minutes since midnight by the local clock. */
  minutes: number;
}

/** Names only: offsets such as +02:00 mean the opposite to PostgreSQL, and abbreviations are ambiguous. */
const NAME = /^(?:UTC|[A-Za-z]+(?:\/[A-Za-z0-9_+-]+){1,2})$/;

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  let clock = clocks.get(zone);
  if (!clock) {
    clock = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
    });
    clocks.set(zone, clock);
  }
  return clock;
}

/** True for the IANA name of a time zone. */
export function isTimeZone(name: string): boolean {
  if (name.length > 64 || !NAME.test(name)) return false;
  if (clocks.has(name)) return true;
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns the local time in a zone. */
export function localTimeIn(zone: string, atMs: number): LocalTime {
  const parts: Record<string, string> = {};
  for (const { type, value } of clockOf(zone).formatToParts(atMs)) parts[type] = value;
  const { year, month, day, hour, minute } = parts;
  return { date: `${year}-${month}-${day}`, minutes: Number(hour) * 60 + Number(minute) };
}

/** Returns the offset of a zone ahead of UTC in milliseconds; whole minutes. */
export function offsetMsAt(zone: string, atMs: number): number {
  return offsetMsOf(localTimeIn(zone, atMs), atMs);
}

function offsetMsOf({ date, minutes }: LocalTime, atMs: number): number {
  return Date.parse(`${date}T00:00:00Z`) + minutes * 60_000 - Math.floor(atMs / 60_000) * 60_000;
}

/** Returns the offset of a zone from UTC, such as +05:30. */
export function offsetTextAt(zone: string, atMs: number): string {
  return offsetTextOf(localTimeIn(zone, atMs), atMs);
}

/** Returns the same for a zone whose local time is known already. */
export function offsetTextOf(local: LocalTime, atMs: number): string {
  const minutes = Math.round(offsetMsOf(local, atMs) / 60_000);
  const ahead = Math.abs(minutes);
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`;
}

/** Returns the instant of a local time (YYYY-MM-DDTHH:MM…) in a zone; the earlier one where it occurs twice. */
export function instantOf(zone: string, local: string): number {
  const asUtcMs = Date.parse(`${local}Z`);
  const before = asUtcMs - offsetMsAt(zone, asUtcMs - 86_400_000);
  const after = asUtcMs - offsetMsAt(zone, asUtcMs + 86_400_000);
  return before + offsetMsAt(zone, before) === asUtcMs ? before : after;
}
