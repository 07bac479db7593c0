import type { CallJob } from "@parley/sdk";
import { expect, test } from "vitest";
import { findFaults, NEW_SETTINGS, parseWaits, toCallingWindow, toForm, toRetryConfig } from "./job-settings.ts";
import { formatWait } from "./wait.ts";

test("waits are read with their units, as they are shown; what cannot be read is refused", () => {
  expect(parseWaits("45 s, 30 min; 1h, 2 d, 5")).toEqual([45, 1_800, 3_600, 172_800, 300]);
  expect([90, 1_800, 7_200, 172_800, 0].map(formatWait)).toEqual(["90 s", "30 min", "2 h", "2 d", "0 s"]);
  for (const text of ["", "soon", "1 h, tomorrow", "-5 min"]) expect(parseWaits(text), text).toBeNull();
});

test("a job's settings come back unchanged from the form", () => {
  const retryConfig = { maxAttempts: 4, retryOn: ["BUSY"], delaysSeconds: [60, 5_400] };
  const callingWindow = {
    timeZoneMode: "FIXED" as const,
    timeZone: "Europe/Berlin",
    windows: [{ days: ["MON" as const], start: "09:00", end: "24:00" }],
    excludeDates: ["2027-12-25"],
  };
  const form = toForm({ retryConfig, callingWindow, maxConcurrency: 7 } as CallJob);
  expect([toRetryConfig(form), toCallingWindow(form.window), form.maxConcurrency]).toEqual([
    retryConfig,
    callingWindow,
    7,
  ]);
});

test("hours that end before they start, or on no day, are told before they are sent", () => {
  const span = (days: "MON"[], start: string, end: string) =>
    findFaults({ ...NEW_SETTINGS, window: { ...NEW_SETTINGS.window, isOn: true, spans: [{ days, start, end }] } });
  expect(Object.keys(span(["MON"], "18:00", "09:00"))).toEqual(["window.spans.0"]);
  expect(Object.keys(span([], "09:00", "18:00"))).toEqual(["window.spans.0"]);
  expect(span(["MON"], "09:00", "18:00")).toEqual({});
});
