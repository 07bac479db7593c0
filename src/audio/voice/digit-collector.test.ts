import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DigitCollector, type DigitGroup } from "./digit-collector.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

function collect() {
  const groups: DigitGroup[] = [];
  return { groups, collector: new DigitCollector((group) => groups.push(group)) };
}

describe("a digit collector", () => {
  it("gives keys together after a pause, with the times of the first and the last", () => {
    const { groups, collector } = collect();
    collector.add("1", 100);
    vi.advanceTimersByTime(1_900);
    collector.add("2", 2_000);
    vi.advanceTimersByTime(1_900);
    expect(groups).toEqual([]);
    vi.advanceTimersByTime(100);
    expect(groups).toEqual([{ digits: "12", startMs: 100, endMs: 2_000 }]);
  });

  it("gives keys at once after # or at the most that belong together", () => {
    const { groups, collector } = collect();
    for (const digit of "34#") collector.add(digit, 0);
    for (let at = 1; at <= 65; at++) collector.add("5", at);
    expect(groups).toEqual([
      { digits: "34#", startMs: 0, endMs: 0 },
      { digits: "5".repeat(64), startMs: 1, endMs: 64 },
    ]);
    vi.advanceTimersByTime(2_000);
    expect(groups.at(-1)).toEqual({ digits: "5", startMs: 65, endMs: 65 });
  });

  it("gives the open group at once when the keys end, and only once", () => {
    const { groups, collector } = collect();
    collector.end();
    expect(groups).toEqual([]);
    collector.add("1", 100);
    expect(collector.isCollecting).toBe(true);
    collector.end();
    expect(groups).toEqual([{ digits: "1", startMs: 100, endMs: 100 }]);
    expect(collector.isCollecting).toBe(false);
    vi.advanceTimersByTime(10_000);
    expect(groups).toHaveLength(1);
  });
});
