import { instantOf, localTimeIn, offsetTextOf } from "#src/platform/kernel/time-zones.ts";
import type { TemplateClock } from "#src/platform/template/template.ts";
import type { SessionPlan, SessionZone } from "./plan.ts";

const UTC: SessionZone = { name: "UTC", isAssumed: true };
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Returns the language of the flow and the person's clock, by which templates show moments. */
export function clockOf({ flow, timeZone = UTC }: Pick<SessionPlan, "flow" | "timeZone">): TemplateClock {
  return { language: flow.language, timeZone: timeZone.name };
}

/** Returns the person's zone, IANA. */
export function zoneOf({ timeZone = UTC }: Pick<SessionPlan, "timeZone">): string {
  return timeZone.name;
}

/** Returns the lines of the prompt that say what the person's clock shows. */
export function describeClock(now: Date, zone: SessionZone = UTC): string[] {
  const local = localTimeIn(zone.name, now.getTime());
  const { date, minutes } = local;
  const doubt = zone.isAssumed ? ", assumed: the person may live in another" : "";
  return [
    `Weekday: ${DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]}`,
    `Time: ${clockTime(minutes)}`,
    `Time zone: ${zone.name} (UTC${offsetTextOf(local, now.getTime())})${doubt}`,
    `Date: ${date}`,
  ];
}

/** ISO 8601 without an offset, and with one. Models also write a space for the T. */
const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)$/;
const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}.*(?:Z|[+-]\d{2}:?\d{2})$/i;

/** Returns the moment of a time that a model wrote, by the person's clock unless it has an offset; null for any other. */
export function readTime(text: string, zone: string): number | null {
  const [, date, time] = LOCAL.exec(text) ?? [];
  if (date === undefined && !WITH_OFFSET.test(text)) return null;
  const atMs = Date.parse(date === undefined ? text : `${date}T${time}Z`);
  if (Number.isNaN(atMs)) return null;
  return date === undefined ? atMs : instantOf(zone, `${date}T${time}`);
}

/** Returns a moment by the person's clock, such as `2026-03-01T15:00 (Europe/Berlin)`. */
export function tellTime(atMs: number, zone: string): string {
  const { date, minutes } = localTimeIn(zone, atMs);
  return `${date}T${clockTime(minutes)} (${zone})`;
}

function clockTime(minutes: number): string {
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
