import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Ticker } from "./ticker.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const counting = () => {
  const counted = { ticks: 0, heard: 0, hear: () => void counted.heard++, say: () => void counted.ticks++ };
  return counted;
};

test("every call has 50 ticks a second, also those that a blocked thread missed", () => {
  let skewMs = 0;
  const ticker = new Ticker(
    () => undefined,
    () => Date.now() + skewMs,
  );
  const calls = Array.from({ length: 10 }, counting);
  for (const call of calls) ticker.add(call);
  vi.advanceTimersByTime(1_000);
  for (const call of calls) expect(call.ticks).toBeGreaterThanOrEqual(49);
  for (const call of calls) expect(Math.abs(call.heard - call.ticks)).toBeLessThanOrEqual(1);
  // The thread was blocked: the clock went on, and no timer ran.
  skewMs = 200;
  vi.advanceTimersByTime(800);
  for (const call of calls) expect(Math.abs(call.ticks - 100)).toBeLessThanOrEqual(2);
  expect(ticker.readLateness().maxMs).toBeGreaterThanOrEqual(150);
  expect(ticker.readLateness()).toEqual({ p50Ms: 0, p99Ms: 0, maxMs: 0 });
});

test("a call whose tick throws is taken out and told of; the others go on", () => {
  const faults: unknown[] = [];
  const ticker = new Ticker((_ticked, error) => faults.push(error));
  const good = counting();
  const bad = {
    hear() {
      throw new Error("broken");
    },
    say: () => undefined,
  };
  ticker.add(bad);
  ticker.add(good);
  vi.advanceTimersByTime(200);
  expect(faults).toHaveLength(1);
  expect(good.ticks).toBeGreaterThan(8);
  ticker.remove(good);
  const { ticks } = good;
  vi.advanceTimersByTime(200);
  expect(good.ticks).toBe(ticks);
  expect(vi.getTimerCount()).toBe(0);
});
