import { expect, test } from "vitest";
import { nextDay } from "./person-pace.ts";

const at = (text: string) => Date.parse(text);
const next = (zones: string[], from: string) => new Date(nextDay(zones, at(from))).toISOString();

test("a person's next day begins at midnight by their clock, and by the last of several", () => {
  expect(next(["Asia/Tokyo"], "2026-03-01T14:59:59Z")).toBe("2026-03-01T15:00:00.000Z");
  expect(next(["Asia/Tokyo"], "2026-03-01T15:00:00Z")).toBe("2026-03-02T15:00:00.000Z");
  expect(next(["America/New_York", "Pacific/Honolulu"], "2026-01-15T04:00:00Z")).toBe("2026-01-15T10:00:00.000Z");
  expect(next(["America/New_York", "Pacific/Honolulu"], "2026-01-15T06:00:00Z")).toBe("2026-01-16T05:00:00.000Z");
});

test("a day of 25 hours ends at its midnight, and one whose midnight is leapt over begins after the leap", () => {
  expect(next(["Europe/Berlin"], "2026-10-24T23:00:00Z")).toBe("2026-10-25T23:00:00.000Z");
  // In Beirut 00:00 of 29 March 2026 is 01:00.
  expect(next(["Asia/Beirut"], "2026-03-28T12:00:00Z")).toBe("2026-03-28T22:00:00.000Z");
});
