import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ServerTurns } from "./server-turns.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function takeAll(turns: ServerTurns, name: string, count: number): Promise<(() => void)[]> {
  const ends: (() => void)[] = [];
  for (let i = 0; i < count; i++) {
    const { end } = await turns.take(name);
    if (!end) throw new Error(`Turn ${i} was refused.`);
    ends.push(end);
  }
  return ends;
}

test("four turns at a server at once; a fifth has the first that ends, in the order of coming", async () => {
  const turns = new ServerTurns();
  const [first, second] = await takeAll(turns, "a", 4);
  const got: number[] = [];
  const waiting = [5, 6].map((number) =>
    turns.take("a").then(({ end }) => {
      if (end) got.push(number);
    }),
  );
  await vi.advanceTimersByTimeAsync(500);
  expect(got).toEqual([]);
  first?.();
  await waiting[0];
  expect(got).toEqual([5]);
  second?.();
  await waiting[1];
  expect(got).toEqual([5, 6]);
});

test("a server of which nothing comes for a second refuses at once, and takes nothing from another", async () => {
  const turns = new ServerTurns();
  const [first] = await takeAll(turns, "a", 4);
  const fifth = turns.take("a");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await fifth).toEqual({ afterMs: 2_000 });
  // Each further refused caller is asked to come a little later.
  expect(await turns.take("a")).toEqual({ afterMs: 2_020 });
  await takeAll(turns, "b", 4);
  // A refused caller has no claim to the turn that ends.
  first?.();
  await takeAll(turns, "a", 1);
});

test("who waits for a server that is slow leaves slots to those of others", async () => {
  const turns = new ServerTurns();
  const ends = await takeAll(turns, "a", 4);
  const waiting = [1, 2, 3, 4].map(() => turns.take("a"));
  expect(await turns.take("a")).toEqual({ afterMs: 2_000 });
  ends[0]?.();
  expect((await waiting[0])?.end).toBeDefined();
  const next = turns.take("a");
  ends[1]?.();
  ends[2]?.();
  ends[3]?.();
  (await waiting[0])?.end?.();
  expect((await next).end).toBeDefined();
});

test("a server that was idle for long is not taken for one that hangs", async () => {
  const turns = new ServerTurns();
  for (const end of await takeAll(turns, "a", 4)) end();
  await vi.advanceTimersByTimeAsync(60_000);
  const [first] = await takeAll(turns, "a", 4);
  const fifth = turns.take("a");
  first?.();
  expect((await fifth).end).toBeDefined();
});
