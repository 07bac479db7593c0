import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { joinSignals } from "./joined-signal.ts";

test("a joined signal aborts with the first of its signals, and with its reason", () => {
  const [a, b] = [new AbortController(), new AbortController()];
  const joined = joinSignals([a.signal, b.signal]);
  expect(joined.signal.aborted).toBe(false);
  b.abort("b");
  a.abort("a");
  expect(joined.signal.reason).toBe("b");
  expect(joinSignals([new AbortController().signal, b.signal, a.signal]).signal.reason).toBe("b");
});

test("any number follow a signal by one listener, which goes with the last of them", () => {
  const shared = new AbortController();
  const joined = [1, 2, 3].map(() => joinSignals([shared.signal]));
  expect(getEventListeners(shared.signal, "abort")).toHaveLength(1);
  for (const one of joined) one.release();
  expect(getEventListeners(shared.signal, "abort")).toHaveLength(0);
  shared.abort();
  expect(joined.some(({ signal }) => signal.aborted)).toBe(false);
});

test("what leaves while the others abort holds up none of them", () => {
  const shared = new AbortController();
  const first = joinSignals([shared.signal]);
  const second = joinSignals([shared.signal]);
  first.signal.addEventListener("abort", () => first.release());
  shared.abort();
  first.release();
  expect([first.signal.aborted, second.signal.aborted]).toEqual([true, true]);
});

test("a joined signal aborts when it took too long, and not once it is released", async () => {
  const late = joinSignals([], 5);
  const done = joinSignals([], 5);
  done.release();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect((late.signal.reason as Error).name).toBe("TimeoutError");
  expect(done.signal.aborted).toBe(false);
});
