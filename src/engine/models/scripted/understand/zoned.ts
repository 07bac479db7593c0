import { instantOf, offsetTextAt } from "#src/platform/kernel/time-zones.ts";
import type { Calendar } from "./date.ts";

/** Adds the offset of the person's zone on that day, which the format requires (RFC 3339); UTC where none is known. */
export function withZone(time: string | undefined, calendar: Calendar): string | undefined {
  if (time === undefined) return undefined;
  const day = calendar.today ?? "1970-01-01";
  return `${time}:00${offsetAt(`${day}T${time}`, calendar)}`;
}

/** Returns a date and a time as one RFC 3339 text by the person's clock; undefined unless both are present. */
export function joinDateTime(
  date: string | undefined,
  time: string | undefined,
  calendar: Calendar,
): string | undefined {
  if (date === undefined || time === undefined) return undefined;
  return `${date}T${time}:00${offsetAt(`${date}T${time}`, calendar)}`;
}

function offsetAt(local: string, { zone }: Calendar): string {
  if (zone === undefined || zone === "UTC") return "Z";
  return offsetTextAt(zone, instantOf(zone, local));
}
