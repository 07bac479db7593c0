import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { CallClock } from "./call-clock.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => void vi.useRealTimers());

test("call time follows the media, goes on between its events, never goes back, and stops with the call", () => {
  const clock = new CallClock();
  vi.advanceTimersByTime(30);
  expect(clock.elapsedMs()).toBe(30);
  clock.set(20);
  vi.advanceTimersByTime(5);
  expect(clock.elapsedMs()).toBe(25);
  clock.set(10);
  expect(clock.mediaMs).toBe(20);
  clock.stop(40);
  vi.advanceTimersByTime(1_000);
  expect(clock.elapsedMs()).toBe(40);
});
