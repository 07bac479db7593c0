import { localTimeIn, offsetMsAt } from "#src/platform/kernel/time-zones.ts";
import type { TemplateClock } from "#src/platform/template/template.ts";
import type { SessionPlan, SessionZone } from "./plan.ts";

const UTC: SessionZone = { name: "UTC", isAssumed: true };
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MINUTE_MS = 60_000;

/** Returns the language of the flow and the person's clock, by which templates show moments. */
export function clockOf({ flow, timeZone = UTC }: Pick<SessionPlan, "flow" | "timeZone">): TemplateClock {
  return { language: flow.language, timeZone: timeZone.name };
}

/** Returns the lines of the prompt that say what the person's clock shows. */
export function describeClock(now: Date, zone: SessionZone = UTC): string[] {
  const { date, minutes } = localTimeIn(zone.name, now.getTime());
  const doubt = zone.isAssumed ? ", assumed: the person may live in another" : "";
  return [
    `Weekday: ${DAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]}`,
    `Time: ${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`,
    `Time zone: ${zone.name} (UTC${offsetIn(zone.name, now)})${doubt}`,
    `Date: ${date}`,
  ];
}

/** Returns an offset from UTC such as +05:30. */
function offsetIn(zone: string, now: Date): string {
  const offset = Math.round(offsetMsAt(zone, now.getTime()) / MINUTE_MS);
  const ahead = Math.abs(offset);
  return `${offset < 0 ? "-" : "+"}${twoDigits(Math.floor(ahead / 60))}:${twoDigits(ahead % 60)}`;
}

function twoDigits(number: number): string {
  return String(number).padStart(2, "0");
}
