import { nullable, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { isTimeZone, localTimeIn, offsetMsAt } from "#src/platform/kernel/time-zones.ts";

export const WEEKDAYS = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Days within which a window must open, or it never does: they include all seasons and all excluded dates. */
const HORIZON_DAYS = 400;

/** Name of a time zone, as a body carries it. */
export const TimeZoneName = Type.String({
  maxLength: 64,
  description: "IANA name of a time zone, such as America/New_York.",
});

/** Calling window, as a body carries it. */
export const CallingWindowInput = Type.Object(
  {
    timeZoneMode: Type.Optional(
      nullable(
        oneOf(
          ["RECIPIENT", "FIXED"],
          "RECIPIENT (default): the called person's clock, by the row's timeZone or else in every zone of the number's country. FIXED: the clock of timeZone.",
        ),
      ),
    ),
    timeZone: Type.Optional(nullable(TimeZoneName)),
    windows: Type.Array(
      Type.Object({
        days: Type.Array(oneOf(WEEKDAYS), { minItems: 1, maxItems: 7 }),
        start: Type.String({
          pattern: "^([01]\\d|2[0-3]):[0-5]\\d$",
          description: "First minute as HH:MM, such as 09:00.",
        }),
        end: Type.String({
          pattern: "^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$",
          description: "Minute after the last as HH:MM, such as 18:00; at most 24:00.",
        }),
      }),
      { minItems: 1, maxItems: 50 },
    ),
    excludeDates: Type.Optional(
      nullable(
        Type.Array(Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}$", description: "Local date." }), {
          maxItems: 366,
          description: "Days without calls.",
        }),
      ),
    ),
  },
  { $id: "CallingWindowInput" },
);
export type CallingWindowInput = Static<typeof CallingWindowInput>;

/** Calling window with every default filled in. */
export const CallingWindow = Type.Object(
  {
    timeZoneMode: oneOf(["RECIPIENT", "FIXED"]),
    timeZone: nullable(Type.String()),
    windows: Type.Array(Type.Object({ days: Type.Array(oneOf(WEEKDAYS)), start: Type.String(), end: Type.String() })),
    excludeDates: Type.Array(Type.String()),
  },
  { $id: "CallingWindow" },
);
export type CallingWindow = Static<typeof CallingWindow>;

/** Checks a window and fills its defaults; 422 names the field, below `path`. */
export function readCallingWindow(
  input: CallingWindowInput | null | undefined,
  path = "callingWindow",
): CallingWindow | null {
  if (!input) return null;
  const timeZoneMode = input.timeZoneMode ?? "RECIPIENT";
  const timeZone = input.timeZone ?? null;
  if (timeZoneMode === "FIXED" && timeZone === null) {
    throw fieldError(`${path}.timeZone`, "REQUIRED", "is required for FIXED.");
  }
  if (timeZoneMode === "RECIPIENT" && timeZone !== null) {
    throw fieldError(`${path}.timeZone`, "NOT_ALLOWED", "is for FIXED; give each row its timeZone.");
  }
  if (timeZone !== null && !isTimeZone(timeZone)) {
    throw fieldError(`${path}.timeZone`, "TIME_ZONE", "is not the IANA name of a time zone.");
  }
  for (const [i, { start, end }] of input.windows.entries()) {
    if (start >= end) throw fieldError(`${path}.windows.${i}.end`, "RANGE", "must be after start, on the same day.");
  }
  const excludeDates = input.excludeDates ?? [];
  const unreal = excludeDates.findIndex((date) => !isDate(date));
  if (unreal >= 0) throw fieldError(`${path}.excludeDates.${unreal}`, "FORMAT", "is not a date that exists.");
  const windows = input.windows.map(({ days, start, end }) => ({ days, start, end }));
  return { timeZoneMode, timeZone, windows, excludeDates };
}

function isDate(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** True when the window is open in every one of these zones; false without any zone (it fails closed). */
export function isInWindow(rules: CallingWindow, zones: readonly string[], atMs: number): boolean {
  return zones.length > 0 && zones.every((zone) => isOpenIn(rules, zone, atMs));
}

function isOpenIn(rules: CallingWindow, zone: string, atMs: number): boolean {
  const { date, minutes } = localTimeIn(zone, atMs);
  return windowsOn(rules, date).some(({ start, end }) => minutes >= minutesOf(start) && minutes < minutesOf(end));
}

function windowsOn(rules: CallingWindow, date: string): CallingWindow["windows"] {
  if (rules.excludeDates.includes(date)) return [];
  const weekday = WEEKDAYS[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7] as (typeof WEEKDAYS)[number];
  return rules.windows.filter(({ days }) => days.includes(weekday));
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/**
 * Returns the first instant from `fromMs` on at which the window is open in every one of these zones; null when there
 * is none within the horizon. Days of clock changes count correctly: a start that the clock skips becomes the instant
 * of the change, and one that occurs twice opens twice.
 */
export function nextOpening(rules: CallingWindow, zones: readonly string[], fromMs: number): number | null {
  if (zones.length === 0) return null;
  const untilMs = fromMs + HORIZON_DAYS * DAY_MS;
  for (let atMs = fromMs; atMs <= untilMs;) {
    let latest = atMs;
    for (const zone of zones) {
      const opening = nextOpeningIn(rules, zone, latest, untilMs);
      if (opening === null) return null;
      latest = opening;
    }
    if (isInWindow(rules, zones, latest)) return latest;
    atMs = latest;
  }
  return null;
}

function nextOpeningIn(rules: CallingWindow, zone: string, fromMs: number, untilMs: number): number | null {
  if (isOpenIn(rules, zone, fromMs)) return fromMs;
  const today = Date.parse(`${localTimeIn(zone, fromMs).date}T00:00:00Z`);
  for (let day = today; day <= untilMs + DAY_MS; day += DAY_MS) {
    const windows = windowsOn(rules, new Date(day).toISOString().slice(0, 10));
    if (windows.length === 0) continue;
    const openings = startsOn(windows, zone, day).filter((ms) => ms >= fromMs && isOpenIn(rules, zone, ms));
    if (openings.length > 0) return Math.min(...openings);
  }
  return null;
}

/** Instants at which a window may open on a local day (named by its midnight in UTC): a start, or a clock change. */
function startsOn(windows: CallingWindow["windows"], zone: string, day: number): number[] {
  const [beforeMs, afterMs] = [day - 15 * HOUR_MS, day + 37 * HOUR_MS];
  const [early, late] = [offsetMsAt(zone, beforeMs), offsetMsAt(zone, afterMs)];
  const starts = windows.map(({ start }) => day + minutesOf(start) * MINUTE_MS);
  if (early === late) return starts.map((start) => start - early);
  return [...starts.flatMap((start) => [start - early, start - late]), findChange(zone, beforeMs, afterMs, early)];
}

/** Returns the minute at which the offset of a zone stops being `offset`. */
function findChange(zone: string, fromMs: number, toMs: number, offset: number): number {
  let [low, high] = [fromMs / MINUTE_MS, toMs / MINUTE_MS];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMsAt(zone, middle * MINUTE_MS) === offset) low = middle;
    else high = middle;
  }
  return high * MINUTE_MS;
}
