import { describe, expect, test } from "vitest";
import { nextOccurrence, readSchedule } from "./schedule.ts";

function occurrences(time: string, timeZone: string, after: string, count = 2): string[] {
  const found: string[] = [];
  for (let at = new Date(after); found.length < count;) {
    at = nextOccurrence({ time, days: [], timeZone }, at);
    found.push(at.toISOString());
  }
  return found;
}

describe("a time of day in a zone", () => {
  // Germany went to CEST on 29 March 2026 at 02:00 and goes back on 25 October 2026 at 03:00.
  test("keeps its local time when the clocks change", () => {
    expect(occurrences("08:00", "Europe/Berlin", "2026-03-28T00:00:00Z")).toEqual([
      "2026-03-28T07:00:00.000Z",
      "2026-03-29T06:00:00.000Z",
    ]);
    expect(occurrences("08:00", "Europe/Berlin", "2026-10-24T00:00:00Z")).toEqual([
      "2026-10-24T06:00:00.000Z",
      "2026-10-25T07:00:00.000Z",
    ]);
  });

  test("that is skipped comes once, when the clocks have gone forward", () => {
    expect(occurrences("02:30", "Europe/Berlin", "2026-03-28T12:00:00Z")).toEqual([
      "2026-03-29T01:00:00.000Z",
      "2026-03-30T00:30:00.000Z",
    ]);
  });

  test("that comes twice counts once, the first time", () => {
    expect(occurrences("02:30", "Europe/Berlin", "2026-10-24T12:00:00Z")).toEqual([
      "2026-10-25T00:30:00.000Z",
      "2026-10-26T01:30:00.000Z",
    ]);
    expect(occurrences("01:30", "America/New_York", "2026-10-31T12:00:00Z")).toEqual([
      "2026-11-01T05:30:00.000Z",
      "2026-11-02T06:30:00.000Z",
    ]);
  });

  test("on days of the week means the zone's days", () => {
    // Sunday 23:00 UTC is Monday 09:00 in Sydney (UTC+10 in June).
    const next = nextOccurrence(
      { time: "09:00", days: ["MON"], timeZone: "Australia/Sydney" },
      new Date("2026-06-05T00:00:00Z"),
    );
    expect(next.toISOString()).toBe("2026-06-07T23:00:00.000Z");
  });

  test("is after the moment that is given, never at it", () => {
    expect(occurrences("08:00", "UTC", "2026-06-01T08:00:00Z", 1)).toEqual(["2026-06-02T08:00:00.000Z"]);
  });
});

test.each([
  [{ time: "24:00" }, "schedule.time"],
  [{ time: "8:00" }, "schedule.time"],
  [{ timeZone: "Mars/Olympus" }, "schedule.timeZone"],
  [{ timeZone: "+02:00" }, "schedule.timeZone"],
  [{ timeZone: "CET" }, "schedule.timeZone"],
])("%j is refused at %s", (input, path) => {
  expect(() => readSchedule(input, "UTC")).toThrow(
    expect.objectContaining({ details: [expect.objectContaining({ path })] }) as Error,
  );
});

test("what is left out comes from the workspace; days keep the order of the week", () => {
  expect(readSchedule(null, "Europe/Paris")).toEqual({ time: "08:00", days: [], timeZone: "Europe/Paris" });
  expect(readSchedule({ days: ["FRI", "MON", "FRI"] }, "UTC").days).toEqual(["MON", "FRI"]);
});
