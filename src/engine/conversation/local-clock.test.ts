import { afterEach, expect, test, vi } from "vitest";
import { readTime, tellTime } from "./local-clock.ts";

afterEach(() => void vi.unstubAllEnvs());

// The parameter `at` of schedule_callback: the person's own time unless it names an offset.
test.each([
  ["2026-03-01T15:00", "2026-03-01T20:00:00.000Z"],
  ["2026-03-01 15:00", "2026-03-01T20:00:00.000Z"],
  ["2026-07-01T15:00:00.000", "2026-07-01T19:00:00.000Z"],
  ["2026-03-01T15:00+01:00", "2026-03-01T14:00:00.000Z"],
  ["2026-03-01 15:00:00Z", "2026-03-01T15:00:00.000Z"],
])("%s is %s for a person in New York, whatever the server's clock", (at, moment) => {
  for (const zone of ["Asia/Tokyo", "UTC"]) {
    vi.stubEnv("TZ", zone);
    expect(new Date(readTime(at, "America/New_York") ?? 0).toISOString()).toBe(moment);
  }
});

test.each(["tomorrow at three", "2026-03-01", "March 1, 2026 3 pm", "2026-13-01T15:00", "15:00"])(
  "%s is no time at which somebody may be called",
  (at) => {
    expect(readTime(at, "America/New_York")).toBeNull();
  },
);

test("a moment is told by the person's clock", () => {
  expect(tellTime(Date.parse("2026-03-02T04:05:00Z"), "America/New_York")).toBe("2026-03-01T23:05 (America/New_York)");
});
