import { expect, test } from "vitest";
import type { ApiReply } from "./call-api.ts";
import { waitFor } from "./wait.ts";

const ok = (done: boolean): ApiReply => ({ status: 200, text: JSON.stringify({ done }) });

/** Waits on a fake clock; `reads` are the answers in turn, the last one repeated. */
function start(reads: ApiReply[], timeoutMs = 60_000, signal = new AbortController().signal) {
  let now = 0;
  const seen = { reads: 0, pauses: [] as number[] };
  const waiting = waitFor({
    read: async () => reads[Math.min(seen.reads++, reads.length - 1)] as ApiReply,
    isDone: (body) => body.done === true,
    onReading: () => undefined,
    timeoutMs,
    signal,
    nowMs: () => now,
    async pause(ms) {
      seen.pauses.push(ms);
      now += ms;
    },
  });
  return { waiting, seen };
}

test("reads ever more slowly, at most a second apart, until it is done", async () => {
  const { waiting, seen } = start([...Array.from({ length: 20 }, () => ok(false)), ok(true)]);
  expect((await waiting).end).toBe("DONE");
  expect(seen.reads).toBe(21);
  expect(seen.pauses).toEqual(seen.pauses.toSorted((a, b) => a - b));
  expect(seen.pauses.at(-1)).toBe(1_000);
});

test("ends at its time-out, with one last reading", async () => {
  const { waiting, seen } = start([ok(false)], 5_000);
  expect((await waiting).end).toBe("TIMEOUT");
  expect(seen.pauses.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(5_000);
});

test("a refusal ends it at once, a server error only when it stays", async () => {
  expect((await start([{ status: 401, text: "{}" }]).waiting).end).toBe("REFUSED");
  const short = start([{ status: 503, text: "{}" }, { status: 503, text: "" }, ok(true)]);
  expect((await short.waiting).end).toBe("DONE");
  const long = start([{ status: 503, text: "{}" }]);
  expect([(await long.waiting).end, long.seen.reads]).toEqual(["REFUSED", 11]);
});

test("an abort ends it: nothing is read any more", async () => {
  const controller = new AbortController();
  let reads = 0;
  const waiting = waitFor({
    read: async () => {
      if (++reads === 3) controller.abort(new Error("gone"));
      return ok(false);
    },
    isDone: () => false,
    onReading: () => undefined,
    timeoutMs: 60_000,
    signal: controller.signal,
  });
  await expect(waiting).rejects.toThrow("gone");
  expect(reads).toBe(3);
});
