import { expect, test } from "vitest";
import { isTimeZone, localTimeIn } from "#src/platform/kernel/time-zones.ts";
import { type CallingWindow, isInWindow, nextOpening, readCallingWindow } from "./calling-window.ts";

type Days = CallingWindow["windows"][number]["days"];

const WORKDAYS: Days = ["MON", "TUE", "WED", "THU", "FRI"];
const window = (days: Days, start: string, end: string, excludeDates: string[] = []): CallingWindow => ({
  timeZoneMode: "RECIPIENT",
  timeZone: null,
  windows: [{ days, start, end }],
  excludeDates,
});
const office = window(WORKDAYS, "09:00", "18:00");
const US = ["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles", "Pacific/Honolulu"];
const RU = ["Europe/Kaliningrad", "Europe/Moscow", "Asia/Yekaterinburg", "Asia/Vladivostok", "Asia/Kamchatka"];

function opening(rules: CallingWindow, zones: string[], from: string): string | null {
  const ms = nextOpening(rules, zones, Date.parse(from));
  return ms === null ? null : new Date(ms).toISOString();
}

// Every instant is computed by hand from the offset on that day (EST -5, EDT -4, CET +1, CEST +2, HST -10).
test.each([
  ["an open window: now", office, ["Europe/Berlin"], "2026-01-05T08:00:30Z", "2026-01-05T08:00:30.000Z"],
  [
    "the start is inside, the end is not",
    office,
    ["Europe/Berlin"],
    "2026-01-05T17:00:00Z",
    "2026-01-06T08:00:00.000Z",
  ],
  ["the last minute is inside", office, ["Europe/Berlin"], "2026-01-05T16:59:59Z", "2026-01-05T16:59:59.000Z"],
  ["over the weekend", office, ["Europe/Berlin"], "2026-01-09T17:00:00Z", "2026-01-12T08:00:00.000Z"],
  ["in summer time", office, ["Europe/Berlin"], "2026-07-06T00:00:00Z", "2026-07-06T07:00:00.000Z"],
  ["a zone of half an hour", office, ["Asia/Kolkata"], "2026-01-05T00:00:00Z", "2026-01-05T03:30:00.000Z"],
  [
    "past the date line: Monday in Auckland",
    office,
    ["Pacific/Auckland"],
    "2026-01-11T12:00:00Z",
    "2026-01-11T20:00:00.000Z",
  ],
  [
    "before New York's clocks go forward",
    office,
    ["America/New_York"],
    "2026-03-06T00:00:00Z",
    "2026-03-06T14:00:00.000Z",
  ],
  [
    "after they went forward on 8 March",
    office,
    ["America/New_York"],
    "2026-03-06T23:00:00Z",
    "2026-03-09T13:00:00.000Z",
  ],
  [
    "after they went back on 1 November",
    office,
    ["America/New_York"],
    "2026-10-30T22:00:00Z",
    "2026-11-02T14:00:00.000Z",
  ],
  [
    "a start that the clock leaps over opens at the leap",
    window(["SUN"], "02:30", "04:00"),
    ["Europe/Berlin"],
    "2026-03-28T12:00:00Z",
    "2026-03-29T01:00:00.000Z",
  ],
  [
    "a window inside the leap does not open that day",
    window(["SUN"], "02:10", "02:50"),
    ["Europe/Berlin"],
    "2026-03-28T12:00:00Z",
    "2026-04-05T00:10:00.000Z",
  ],
  [
    "an hour that comes twice opens first by summer time",
    window(["SUN"], "02:00", "02:30"),
    ["Europe/Berlin"],
    "2026-10-24T12:00:00Z",
    "2026-10-25T00:00:00.000Z",
  ],
  [
    "and again by winter time",
    window(["SUN"], "02:00", "02:30"),
    ["Europe/Berlin"],
    "2026-10-25T00:30:00Z",
    "2026-10-25T01:00:00.000Z",
  ],
  [
    "an excluded day is left out",
    window(WORKDAYS, "09:00", "18:00", ["2026-12-25"]),
    ["Europe/Berlin"],
    "2026-12-24T17:00:00Z",
    "2026-12-28T08:00:00.000Z",
  ],
  ["a country of several clocks: by all of them", office, US, "2026-07-06T04:00:00Z", "2026-07-06T19:00:00.000Z"],
  ["until the first of them closes", office, US, "2026-07-06T22:00:00Z", "2026-07-07T19:00:00.000Z"],
  ["in winter an hour longer", office, US, "2026-01-05T22:59:59Z", "2026-01-05T22:59:59.000Z"],
  ["ten hours apart, nine hours never meet", office, RU, "2026-07-06T00:00:00Z", null],
  ["without a zone nobody can tell", office, [], "2026-07-06T10:00:00Z", null],
  [
    "a window of whole days is always open",
    window([...WORKDAYS, "SAT", "SUN"], "00:00", "24:00"),
    RU,
    "2026-07-06T00:00:00Z",
    "2026-07-06T00:00:00.000Z",
  ],
] as [string, CallingWindow, string[], string, string | null][])(
  "next opening: %s",
  (_name, rules, zones, from, expected) => {
    expect(opening(rules, zones, from)).toBe(expected);
  },
);

test("no instant before the next opening is inside the window, and the opening is", () => {
  const zones = ["Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe"];
  const rules = window(["MON", "WED", "SUN"], "01:10", "13:25", ["2026-03-29"]);
  for (const zone of zones) {
    for (let from = Date.UTC(2026, 2, 1); from < Date.UTC(2026, 3, 20); from += 7.3 * 3_600_000) {
      const at = nextOpening(rules, [zone], from) as number;
      expect(isInWindow(rules, [zone], at)).toBe(true);
      for (let t = from; t < at; t += 10 * 60_000) expect(isInWindow(rules, [zone], t), `${zone} ${t}`).toBe(false);
    }
  }
});

test("RECIPIENT is the default; FIXED needs a zone, RECIPIENT takes none", () => {
  const windows = office.windows;
  expect(readCallingWindow({ windows })).toEqual(office);
  expect(() => readCallingWindow({ windows, timeZoneMode: "FIXED" })).toThrow("callingWindow.timeZone");
  expect(() => readCallingWindow({ windows, timeZone: "Europe/Berlin" })).toThrow("callingWindow.timeZone");
  expect(readCallingWindow(null)).toBeNull();
});

test.each([
  ["Europe/Berlin", true],
  ["America/Argentina/Buenos_Aires", true],
  ["UTC", true],
  ["+02:00", false],
  ["CET-1", false],
  ["CET", false],
  ["Mars/Olympus", false],
  ["", false],
])("%s is the name of a zone: %s", (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});

test("a zone that a clock was read in is no name for that", () => {
  expect(localTimeIn("CET", 0)).toEqual({ date: "1970-01-01", minutes: 60 });
  expect(isTimeZone("CET")).toBe(false);
});
