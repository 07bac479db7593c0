import { expect, test } from "vitest";
import { Notifier, MicroBatch, sleep } from "./async.ts";

test("a lone item leaves at once, and what comes meanwhile leaves together", async () => {
  const batches: number[][] = [];
  const gates: (() => void)[] = [];
  const batch = new MicroBatch<number, number>(async (items) => {
    batches.push(items);
    await new Promise<void>((resolve) => gates.push(resolve));
    return items.map((item) => item * 2);
  });
  const first = batch.add(1);
  await Promise.resolve();
  const others = [batch.add(2), batch.add(3)];
  gates.shift()?.();
  expect(await first).toBe(2);
  await Promise.resolve();
  gates.shift()?.();
  expect(await Promise.all(others)).toEqual([4, 6]);
  expect(batches).toEqual([[1], [2, 3]]);
});

test("a batch that fails fails for each of its items, and the next one runs", async () => {
  let rounds = 0;
  const batch = new MicroBatch<number, number>((items) =>
    ++rounds === 1 ? Promise.reject(new Error("down")) : Promise.resolve(items),
  );
  const results = await Promise.allSettled([batch.add(1), batch.add(2)]);
  expect(results.map((result) => result.status)).toEqual(["rejected", "rejected"]);
  expect(await batch.add(3)).toBe(3);
});

test("no batch is larger than its limit", async () => {
  const sizes: number[] = [];
  const batch = new MicroBatch<number, number>(async (items) => {
    sizes.push(items.length);
    return items;
  }, 10);
  await Promise.all(Array.from({ length: 35 }, (_, i) => batch.add(i)));
  expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(35);
});

test("an item whose key is under way waits for that batch, and the others leave beside it", async () => {
  const batches: string[][] = [];
  const gates = new Map<string[], () => void>();
  const run = async (items: string[]) => {
    batches.push(items);
    await new Promise<void>((resolve) => gates.set(items, resolve));
    return items;
  };
  const batch = new MicroBatch<string, string>(run, 500, 2, (item) => item.charAt(0));
  const open = (i: number) => gates.get(batches[i] as string[])?.();
  const results = [batch.add("a1")];
  await Promise.resolve();
  results.push(batch.add("a2"), batch.add("a3"), batch.add("b1"));
  await Promise.resolve();
  expect(batches).toEqual([["a1"], ["b1"]]);
  open(1);
  expect(await results[3]).toBe("b1");
  results.push(batch.add("b2"));
  await Promise.resolve();
  expect(batches).toEqual([["a1"], ["b1"], ["b2"]]);
  open(0);
  await expect.poll(() => batches.at(3)).toEqual(["a2", "a3"]);
  open(2);
  open(3);
  expect(await Promise.all(results)).toEqual(["a1", "a2", "a3", "b1", "b2"]);
});

test("a ring with nobody waiting is kept", async () => {
  const notifier = new Notifier();
  notifier.notify();
  await expect(notifier.wait(3_600_000)).resolves.toBeUndefined();
});

test("an aborted sleep rejects with the signal's reason", async () => {
  const reason = new Error("enough");
  await expect(sleep(3_600_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  const abort = new AbortController();
  const sleeping = sleep(3_600_000, abort.signal);
  abort.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
});
