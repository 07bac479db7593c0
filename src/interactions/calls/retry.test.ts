import { expect, test } from "vitest";
import { readRetryConfig, retryDelayMs } from "./retry.ts";

const middle = () => 0.5;

test("waits follow the list, the last one repeats, and attempts are limited", () => {
  const config = readRetryConfig({ maxAttempts: 4, delaysSeconds: [10, 20], jitterPercent: 0 }, 3);
  expect([1, 2, 3, 4].map((made) => retryDelayMs(config, "BUSY", made, middle))).toEqual([
    10_000,
    20_000,
    20_000,
    null,
  ]);
});

test("jitter stays within its share on both sides", () => {
  const config = readRetryConfig({ delaysSeconds: [100], jitterPercent: 10 }, 3);
  expect(retryDelayMs(config, "NO_ANSWER", 1, () => 0)).toBe(90_000);
  expect(retryDelayMs(config, "NO_ANSWER", 1, () => 0.999_999)).toBeLessThanOrEqual(110_000);
});

test("only the outcomes asked for are retried; a person who was reached never is", () => {
  const config = readRetryConfig(null, 3);
  expect(retryDelayMs(config, "BUSY", 1, middle)).toBe(1_800_000);
  for (const outcome of ["ANSWERED", "INTERRUPTED", "REJECTED", "UNREACHABLE", "BLOCKED"] as const) {
    expect(retryDelayMs(config, outcome, 1, middle)).toBeNull();
  }
});
