import { Cron } from "croner";
import { nullable, oneOf, type Static, Type } from "#src/platform/http/schemas.ts";
import { fieldError } from "#src/platform/kernel/errors.ts";
import { isTimeZone } from "#src/platform/kernel/time-zones.ts";

const DAYS = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const;

/** Schedule of a digest: a time of day in a zone, on some days of the week. */
export const Schedule = Type.Object(
  {
    time: Type.String({ description: "Local time of day, HH:MM." }),
    days: Type.Array(oneOf(DAYS), { description: "Days of the week; empty: every day." }),
    timeZone: Type.String({ description: "IANA zone." }),
  },
  { $id: "AutomationSchedule" },
);
export type Schedule = Static<typeof Schedule>;

/** Schedule as a caller sends it. */
export const ScheduleInput = Type.Object(
  {
    time: Type.Optional(
      nullable(Type.String({ maxLength: 5, description: "HH:MM, from 00:00 to 23:59. Default 08:00." })),
    ),
    days: Type.Optional(nullable(Type.Array(oneOf(DAYS), { maxItems: 7, description: "Default every day." }))),
    timeZone: Type.Optional(
      nullable(
        Type.String({ maxLength: 100, description: "IANA zone such as Europe/Berlin. Default the workspace's." }),
      ),
    ),
  },
  { $id: "AutomationScheduleInput" },
);
export type ScheduleInput = Static<typeof ScheduleInput>;

/** Fills in the defaults of absent fields; 422 for a time or a zone that does not exist. */
export function readSchedule(input: ScheduleInput | null | undefined, workspaceZone: string): Schedule {
  const time = input?.time ?? "08:00";
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(time)) {
    throw fieldError("schedule.time", "FORMAT", "must be a time of day, from 00:00 to 23:59.");
  }
  const timeZone = input?.timeZone ?? workspaceZone;
  if (timeZone !== workspaceZone && !isTimeZone(timeZone)) {
    throw fieldError("schedule.timeZone", "FORMAT", "must be an IANA zone such as Europe/Berlin.");
  }
  const days = new Set(input?.days ?? []);
  return { time, days: DAYS.filter((day) => days.has(day)), timeZone };
}

/**
 * Returns the first occurrence after a moment. A day has exactly one, whatever the clocks do: a time that the zone
 * skips moves to the moment after its clocks went forward, and a time that comes twice counts the first time.
 */
export function nextOccurrence(schedule: Schedule, after: Date): Date {
  const [hour, minute] = schedule.time.split(":").map(Number);
  const days = schedule.days.length > 0 ? schedule.days.join(",") : "*";
  const next = new Cron(`${minute} ${hour} * * ${days}`, { timezone: schedule.timeZone, paused: true }).nextRun(after);
  if (!next) throw new Error(`The schedule ${schedule.time} in ${schedule.timeZone} never comes.`);
  return next;
}
