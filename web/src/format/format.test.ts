import { describe, expect, it } from "vitest";
import { formatAgo, formatDuration, formatMilliseconds, formatMoney, formatName } from "./format.ts";

describe("formats", () => {
  it("write durations as clocks do", () => {
    expect([null, 0, 9.4, 65, 3_729].map(formatDuration)).toEqual(["–", "0:00", "0:09", "1:05", "1:02:09"]);
  });

  it("change the unit of milliseconds at a second", () => {
    expect([null, 12.4, 999.4, 1_240].map(formatMilliseconds)).toEqual(["–", "12 ms", "999 ms", "1.24 s"]);
  });

  it("show small amounts and survive a currency that is none", () => {
    expect(formatMoney("0.0042", "USD")).toContain("0.0042");
    expect(formatMoney("3", "nonsense")).toBe("3.00 nonsense");
  });

  it("tell distances in both directions", () => {
    const nowMs = Date.parse("2026-11-21T12:00:00Z");
    const tell = (minutes: number) => formatAgo(new Date(nowMs + minutes * 60_000).toISOString(), nowMs);
    expect([0, -12, 180, -3_000].map(tell)).toEqual(["just now", "12 min ago", "in 3 h", "2 d ago"]);
  });

  it("read constants as words", () => {
    expect(formatName("NO_ANSWER")).toBe("No answer");
  });
});
