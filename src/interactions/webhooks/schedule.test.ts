import { describe, expect, test } from "vitest";
import { nextDeliveryDelayMs, nextLookMs, parseRetryAfterMs } from "./schedule.ts";

const HOUR_MS = 3_600_000;
const middle = () => 0.5;

describe("delivery schedule", () => {
  test("makes ten attempts over about 75 hours", () => {
    const delays = Array.from({ length: 10 }, (_, made) => nextDeliveryDelayMs(made, middle) as number);
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * HOUR_MS);
    expect(delays).toEqual([0, 5_000, 300_000, 1_800_000, ...hours]);
    const totalMs = delays.reduce((sum, delayMs) => sum + delayMs, 0);
    expect(Math.round(totalMs / HOUR_MS)).toBe(76);
    expect(nextDeliveryDelayMs(10, middle)).toBeNull();
    expect(nextDeliveryDelayMs(11, middle, 5_000)).toBeNull();
  });

  test("spreads every wait by 20 % either way", () => {
    expect(nextDeliveryDelayMs(1, () => 0)).toBe(4_000);
    expect(nextDeliveryDelayMs(1, () => 0.999_999)).toBe(6_000);
    expect(nextDeliveryDelayMs(9, () => 0)).toBe(19.2 * HOUR_MS);
    expect(nextDeliveryDelayMs(0, () => 0.9)).toBe(0);
  });

  test("waits as long as the receiver asks, but never less than planned nor more than a day", () => {
    expect(nextDeliveryDelayMs(1, middle, 60_000)).toBe(60_000);
    expect(nextDeliveryDelayMs(3, middle, 60_000)).toBe(1_800_000);
    expect(nextDeliveryDelayMs(1, middle, 900 * HOUR_MS)).toBe(24 * HOUR_MS);
  });

  test("reads Retry-After as seconds or as a date", () => {
    const nowMs = Date.UTC(2026, 10, 6, 8, 49, 37);
    expect(parseRetryAfterMs("120", nowMs)).toBe(120_000);
    expect(parseRetryAfterMs(" 0 ", nowMs)).toBe(0);
    expect(parseRetryAfterMs("Fri, 06 Nov 2026 08:50:07 GMT", nowMs)).toBe(30_000);
    expect(parseRetryAfterMs("Friday, 06-Nov-26 08:50:07 GMT", nowMs)).toBe(30_000);
    expect(parseRetryAfterMs("Fri, 06 Nov 2026 08:49:07 GMT", nowMs)).toBe(0);
    for (const junk of [undefined, "", "-5", "1e9", "1.5", "soon", "9".repeat(400)]) {
      expect(parseRetryAfterMs(junk, nowMs)).toBe(0);
    }
  });
});

test("an event of a receiver that rests is looked at each minute at first and each half hour later, for four days", () => {
  const minutesAt = (ageHours: number) => (nextLookMs(ageHours * HOUR_MS, () => 0) ?? Number.NaN) / 60_000;
  expect([0, 1 / 30, 1, 2, 95].map(minutesAt)).toEqual([1, 1, 15, 30, 30]);
  expect(nextLookMs(96 * HOUR_MS, () => 0)).toBeNull();
  expect(nextLookMs(0, () => 1)).toBe(72_000);
});
