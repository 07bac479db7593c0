import { t } from "#web/i18n/t.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The choices of a funnel's time; DAYS: between two days. */
export const TIMES = [
  { value: "1", label: t`Last 24 hours` },
  { value: "7", label: t`Last 7 days` },
  { value: "30", label: t`Last 30 days` },
  { value: "90", label: t`Last 90 days` },
  { value: "DAYS", label: t`From day to day` },
];

/** The time before a person chooses another one. */
export const FIRST_TIME = "30";

/** Time of a funnel as the address has it. */
export interface ChosenTime {
  time: string;
  /** Days such as 2026-11-26, in the browser's zone; null: none chosen. */
  first: string | null;
  last: string | null;
}

/** Returns the time as the API takes it. A running time begins with an hour, so that it is read again once an hour. */
export function toSpan({ time, first, last }: ChosenTime, nowMs: number): { from?: string; to?: string } {
  if (time === "DAYS")
    return {
      ...(isDay(first) ? { from: startOf(first).toISOString() } : {}),
      ...(isDay(last) ? { to: nextDay(last).toISOString() } : {}),
    };
  const days = Number(time);
  const fromMs = nowMs - (Number.isInteger(days) && days > 0 ? days : Number(FIRST_TIME)) * DAY_MS;
  return { from: new Date(Math.floor(fromMs / HOUR_MS) * HOUR_MS).toISOString() };
}

/** An address may have been written by hand. */
function isDay(day: string | null): day is string {
  return day !== null && !Number.isNaN(startOf(day).getTime());
}

function startOf(day: string): Date {
  return new Date(`${day}T00:00:00`);
}

/** A day has 23 or 25 hours where the clocks are changed. */
function nextDay(day: string): Date {
  const date = startOf(day);
  date.setDate(date.getDate() + 1);
  return date;
}
