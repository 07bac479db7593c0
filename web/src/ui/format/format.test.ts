import { describe, expect, it } from "vitest";
import {
  formatAgo,
  formatComputed,
  formatDay,
  formatDuration,
  formatMilliseconds,
  formatMoney,
  formatName,
  formatShare,
  formatSpan,
  formatWhen,
} from "./format.ts";

describe("formats", () => {
  it("write durations as clocks do", () => {
    expect([null, 0, 9.4, 65, 3_729].map(formatDuration)).toEqual(["–", "0:00", "0:09", "1:05", "1:02:09"]);
  });

  it("write long spans in days, hours and minutes", () => {
    expect([0, 56.4, 485, 3_599.7, 7_200, 204_552, 86_400].map(formatSpan)).toEqual([
      "0 s",
      "56 s",
      "8 min 5 s",
      "1 h",
      "2 h",
      "2 d 8 h 49 min",
      "1 d",
    ]);
  });

  it("write a day as the viewer does, whatever the zone", () => {
    expect(["2026-11-30", "2026-11-31T", "soon", "2026-99-99"].map(formatDay)).toEqual([
      "Mon, Nov 30, 2026",
      "2026-11-31T",
      "soon",
      "2026-99-99",
    ]);
  });

  it("write a moment by the clock on which it was said", () => {
    expect(
      [
        "2026-03-11T14:15:00-05:00",
        "2026-03-11T23:30:00.000Z",
        "2026-03-11T08:05",
        "2026-03-11",
        "2026-03-11T25:00",
        "at two",
      ].map(formatWhen),
    ).toEqual([
      "Wed, Mar 11, 2026, 02:15 PM UTC-05:00",
      "Wed, Mar 11, 2026, 11:30 PM UTC",
      "Wed, Mar 11, 2026, 08:05 AM",
      "Wed, Mar 11, 2026",
      "2026-03-11T25:00",
      "at two",
    ]);
  });

  it("round what was computed, and small values less", () => {
    expect([135.789, 3.14159, 1_234_567.89, 40].map(formatComputed)).toEqual(["135.8", "3.142", "1,234,567.9", "40"]);
  });

  it("change the unit of milliseconds at a second", () => {
    expect([null, 0.2, 12.4, 999.4, 1_240].map(formatMilliseconds)).toEqual([
      "–",
      "< 1 ms",
      "12 ms",
      "999 ms",
      "1.24 s",
    ]);
  });

  it("show small amounts and survive a currency that is none", () => {
    // The locale decides the separator.
    expect(formatMoney("0.0042", "USD")).toMatch(/0[.,]0042/);
    expect(formatMoney("3", "nonsense")).toBe("3.00 nonsense");
  });

  it("tell distances in both directions", () => {
    const nowMs = Date.parse("2026-11-21T12:00:00Z");
    const notify = (minutes: number) => formatAgo(new Date(nowMs + minutes * 60_000).toISOString(), nowMs);
    expect([0, -12, 180, -3_000].map(notify)).toEqual(["just now", "12 min ago", "in 3 h", "2 d ago"]);
  });

  it("show a share that is not nothing", () => {
    expect([null, 0, 0.004, 0.005, 0.763].map(formatShare)).toEqual(["–", "0%", "<1%", "1%", "76%"]);
  });

  it("read constants as words", () => {
    expect(formatName("NO_ANSWER")).toBe("No answer");
    expect(["IVR", "HTTP_503", "LIMIT_TOOL_CALLS"].map(formatName)).toEqual(["IVR", "HTTP 503", "Tool calls limit"]);
  });

  it("say of a call that the carrier ended how it ended, and name the carrier once", () => {
    const reasons = ["CARRIER_BUSY", "CARRIER_NO_ANSWER", "CARRIER_CARRIER_FAILURE"];
    expect(reasons.map(formatName)).toEqual(["Busy (carrier)", "No answer (carrier)", "Carrier failure"]);
    expect(["CARRIER_FAILURE", "CARRIER_NOT_CONFIGURED"].map(formatName)).toEqual([
      "Carrier failure",
      "Carrier not configured",
    ]);
  });
});
