import { describe, expect, test } from "vitest";
import { Turns } from "./turns.ts";

const late = () => new Error("too late");
const tick = () => new Promise((resolve) => setImmediate(resolve));

describe("turns", () => {
  test("as many run as there are slots, one of each key, and keys go round", async () => {
    const turns = new Turns(2);
    const order: string[] = [];
    const open: (() => void)[] = [];
    let most = 0;
    let now = 0;
    const add = (key: string, name: string) =>
      turns.run(
        key,
        async () => {
          order.push(name);
          most = Math.max(most, ++now);
          await new Promise<void>((resolve) => open.push(resolve));
          now--;
        },
        60_000,
        late,
      );
    const all = [add("a", "a1"), add("a", "a2"), add("a", "a3"), add("b", "b1"), add("c", "c1"), add("b", "b2")];
    for (let step = 0; step < all.length; step++) {
      await tick();
      open.shift()?.();
    }
    await tick();
    for (const close of open.splice(0)) close();
    await Promise.all(all);
    expect(most).toBe(2);
    // a1 and b1 begin; when a1 ends it is the turn of a or c in the order they came, never of all of a first.
    expect(order.slice(0, 2)).toEqual(["a1", "b1"]);
    expect(order.indexOf("c1")).toBeLessThan(order.indexOf("a3"));
    expect(order.toSorted()).toEqual(["a1", "a2", "a3", "b1", "b2", "c1"]);
  });

  test("work that fails gives its slot on", async () => {
    const turns = new Turns(1);
    await expect(turns.run("a", () => Promise.reject(new Error("broken")), 1_000, late)).rejects.toThrow("broken");
    expect(await turns.run("a", () => Promise.resolve(7), 1_000, late)).toBe(7);
  });

  test("who waits too long is told so, and takes no turn afterwards", async () => {
    const turns = new Turns(1);
    let end = (): void => undefined;
    const first = turns.run("a", () => new Promise<void>((resolve) => (end = resolve)), 1_000, late);
    await expect(turns.run("b", () => Promise.resolve(), 1, late)).rejects.toThrow("too late");
    end();
    await first;
    expect(turns.isFree("b")).toBe(true);
    expect(turns.isFree("a")).toBe(true);
  });
});
