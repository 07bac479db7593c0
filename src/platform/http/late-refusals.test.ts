import { expect, test, vi } from "vitest";
import { delayRefusal } from "./late-refusals.ts";

/** Counts the refusals of a client that asks again at once on each of its connections. */
function retry(key: string, connections: number) {
  let refused = 0;
  let isOver = false;
  const ask = async () => {
    while (!isOver) {
      await delayRefusal(key);
      refused++;
    }
  };
  for (let i = 0; i < connections; i++) void ask();
  return { refused: () => refused, end: () => (isOver = true) };
}

test("two hundred connections that retry at once get about a hundred refusals a second, and delay only themselves", async () => {
  vi.useFakeTimers();
  try {
    const flood = retry("flood", 200);
    const single = retry("single", 1);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(flood.refused()).toBeLessThan(20 * 110);
    expect(single.refused()).toBe(80);
    flood.end();
    single.end();
    await vi.advanceTimersByTimeAsync(5_000);
    const later = retry("flood", 1);
    await vi.advanceTimersByTimeAsync(250);
    expect(later.refused()).toBe(1);
    later.end();
    await vi.advanceTimersByTimeAsync(5_000);
  } finally {
    vi.useRealTimers();
  }
});
