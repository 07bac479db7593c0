import type { CallingWindow, FirstCall } from "@parley/sdk";
import { LOCALE } from "#web/i18n/language.ts";
import { t } from "#web/i18n/t.ts";
import { formatName, formatShare, formatTime } from "#web/ui/format/format.ts";

const WEEK = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];

/** Calling window as text: `Mon to Fri 09:00–18:00, by each person's clock`. */
export function describeHours(window: CallingWindow | null): string {
  if (window === null) return t`At any hour`;
  const hours = window.windows.map(({ days, start, end }) => `${describeDays(days)} ${start}–${end}`).join("; ");
  const but = window.excludeDates.length > 0 ? t`, not on ${window.excludeDates.join(", ")}` : "";
  return `${hours}, ${window.timeZone ?? t`by each person's clock`}${but}`;
}

/** Days as text; more than two that follow each other are a range. */
function describeDays(days: readonly string[]): string {
  const places = days.map((day) => WEEK.indexOf(day)).toSorted((a, b) => a - b);
  const first = places[0] ?? 0;
  const isRange = places.length > 2 && places.every((place, i) => place === first + i);
  const names = places.map((place) => formatName(WEEK[place] ?? ""));
  return isRange ? t`${names[0] ?? ""} to ${names.at(-1) ?? ""}` : names.join(" ");
}

/** The flow with its version, or with the shares of several: `Reminder, version 4`. */
export function describeFlow({ openings }: Pick<FirstCall, "openings">): string {
  const [first, ...others] = openings;
  if (!first) return "–";
  const name = first.flowName ?? t`Flow without a name`;
  if (first.version === null) return name;
  if (others.length === 0) return t`${name}, version ${first.version}`;
  return `${name}, ${openings.map(({ version, percent }) => t`${formatShare(percent / 100)} version ${version ?? ""}`).join(", ")}`;
}

/** When the person is dialled, in the viewer's time and on their own clock. */
export function describeDial({ opensAt, timeZones }: FirstCall, nowMs = Date.now()): string {
  if (opensAt === null) return t`Never: the hours do not open for this person`;
  const there = describeClock(opensAt, timeZones);
  if (Date.parse(opensAt) - nowMs < 60_000) return there === null ? t`At once` : t`At once; there it is ${there}`;
  return there === null ? formatTime(opensAt) : t`From ${formatTime(opensAt)} on; there it is ${there}`;
}

/** A time on the clocks of zones, from the earliest to the latest; null without a zone. */
function describeClock(at: string, timeZones: readonly string[]): string | null {
  const clocks = timeZones.map((timeZone) => ({ timeZone, sort: clockIn(at, timeZone, "en-CA") }));
  const [first, ...others] = clocks.toSorted((a, b) => (a.sort < b.sort ? -1 : 1));
  if (!first) return null;
  const last = others.at(-1) ?? first;
  const from = clockIn(at, first.timeZone);
  if (last.sort === first.sort) return `${from} (${first.timeZone.replaceAll("_", " ")})`;
  return t`${from} to ${clockIn(at, last.timeZone)}, because the number does not tell the time zone`;
}

function clockIn(at: string, timeZone: string, language?: string): string {
  const date = language === undefined ? ({ weekday: "short" } as const) : ({ dateStyle: "short" } as const);
  const time =
    language === undefined ? ({ hour: "2-digit", minute: "2-digit" } as const) : ({ timeStyle: "short" } as const);
  return new Date(at).toLocaleString(language ?? LOCALE, { timeZone, hour12: false, ...date, ...time });
}
