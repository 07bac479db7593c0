import type { FirstCall } from "@parley/sdk";
import { expect, test } from "vitest";
import { describeDial, describeFlow, describeHours } from "./first-call.ts";

const opening = {
  version: 4,
  percent: 100,
  flowName: "Reminder",
  language: "en-US",
  text: null,
  emptyVariables: [],
  error: null,
};
const call: FirstCall = {
  line: 1,
  customerNumber: "+442079460100",
  contactName: null,
  fromPhoneNumber: "+12025550199",
  flowId: null,
  flowApiId: null,
  openings: [opening],
  callingWindow: null,
  timeZones: ["Europe/London"],
  opensAt: "2027-01-04T09:00:00.000Z",
};

test("hours name days as a range, and whose clock counts", () => {
  const days = ["MON", "TUE", "WED", "THU", "FRI"] as const;
  const windows = [
    { days: [...days], start: "09:00", end: "18:00" },
    { days: ["SUN", "SAT"] as const, start: "10:00", end: "12:00" },
  ];
  const window = { timeZoneMode: "RECIPIENT", timeZone: null, windows, excludeDates: ["2027-01-01"] } as never;
  expect(describeHours(window)).toBe(
    "Mon to Fri 09:00–18:00; Sat Sun 10:00–12:00, by each person's clock, not on 2027-01-01",
  );
  expect(describeHours(null)).toBe("At any hour");
});

test("a flow names its version, or the shares of several", () => {
  expect(describeFlow(call)).toBe("Reminder, version 4");
  const openings = [
    { ...opening, percent: 70 },
    { ...opening, version: 5, percent: 30 },
  ];
  expect(describeFlow({ openings })).toMatch(/^Reminder, 70\s?% version 4, 30\s?% version 5$/);
  expect(describeFlow({ openings: [{ ...opening, version: null, flowName: null }] })).toBe("Flow without a name");
});

test("a dial says when, and what the person's clock shows then", () => {
  const atMs = Date.parse("2027-01-04T09:00:00.000Z");
  expect(describeDial(call, atMs)).toMatch(/^At once; there it is .*09:00 \(Europe\/London\)$/);
  expect(describeDial(call, atMs - 3_600_000)).toMatch(/^From .* on; there it is .*09:00 \(Europe\/London\)$/);
  const states = { ...call, timeZones: ["America/New_York", "America/Los_Angeles"] };
  expect(describeDial(states, atMs)).toMatch(
    /there it is .*01:00 to .*04:00, because the number does not tell the time zone$/,
  );
  expect(describeDial({ ...call, timeZones: [] }, atMs)).toBe("At once");
  expect(describeDial({ ...call, opensAt: null }, atMs)).toMatch(/^Never/);
});
