import { expect, test } from "vitest";
import { toLocalTime } from "./local-time.ts";

// The instants of the changes are those of the tz database.
test.each([
  ["UTC", "2026-11-21T08:15:30.123Z", "2026-11-21T08:15:30.123"],
  ["UTC", "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000"],
  ["Europe/Berlin", "2026-03-29T00:59:59.999Z", "2026-03-29T01:59:59.999"],
  ["Europe/Berlin", "2026-03-29T01:00:00.000Z", "2026-03-29T03:00:00.000"],
  ["Europe/Berlin", "2026-10-25T00:30:00.000Z", "2026-10-25T02:30:00.000"],
  ["Europe/Berlin", "2026-10-25T01:30:00.000Z", "2026-10-25T02:30:00.000"],
  ["America/New_York", "2027-01-01T04:59:59.007Z", "2026-12-31T23:59:59.007"],
  ["Asia/Kolkata", "2026-12-31T18:30:00.000Z", "2027-01-01T00:00:00.000"],
  ["Pacific/Apia", "2026-06-01T12:00:00.000Z", "2026-06-02T01:00:00.000"],
])("createdAt and updatedAt are local date-times without offset: %s %s", (timeZone, instant, local) => {
  expect(toLocalTime(new Date(instant), timeZone)).toBe(local);
});
