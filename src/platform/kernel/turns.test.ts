import { describe, expect, test } from "vitest";
import { Turns } from "./turns.ts";

const tooLate = () => new Error("too late");
const tick = () => new Promise((resolve) => setImmediate(resolve));

/** Work that runs until it is ended, and the names of the pieces that began, in order. */
class Bench {
  readonly turns: Turns;
  readonly begun: string[] = [];
  readonly #ends = new Map<string, () => void>();
  readonly #all: Promise<void>[] = [];

  constructor(turns: Turns) {
    this.turns = turns;
  }

  /** Adds pieces of work; the key is the first letter of a name. */
  async bring(...names: string[]): Promise<void> {
    for (const name of names) this.#all.push(this.turns.run(name.charAt(0), () => this.#work(name)));
    await tick();
  }

  async end(...names: string[]): Promise<void> {
    for (const name of names) {
      this.#ends.get(name)?.();
      this.#ends.delete(name);
      await tick();
    }
  }

  get running(): string[] {
    return [...this.#ends.keys()];
  }

  async endAll(): Promise<void> {
    while (this.#ends.size > 0) await this.end(...this.running);
    await Promise.all(this.#all);
  }

  async #work(name: string): Promise<void> {
    this.begun.push(name);
    await new Promise<void>((resolve) => this.#ends.set(name, resolve));
  }
}

describe("turns", () => {
  test("as many run as there are slots, one of each key where that is the limit, and keys go round", async () => {
    const bench = new Bench(new Turns({ slots: 2, perKey: 1 }));
    await bench.bring("a1", "a2", "a3", "b1", "c1", "b2");
    expect(bench.running).toEqual(["a1", "b1"]);
    await bench.end("a1");
    expect(bench.running).toEqual(["b1", "c1"]);
    await bench.end("b1", "c1");
    expect(bench.running).toEqual(["a2", "b2"]);
    await bench.endAll();
    expect(bench.begun.toSorted()).toEqual(["a1", "a2", "a3", "b1", "b2", "c1"]);
  });

  test("a key that is alone has all slots", async () => {
    const bench = new Bench(new Turns({ slots: 3 }));
    await bench.bring("a1", "a2", "a3", "a4");
    expect(bench.running).toEqual(["a1", "a2", "a3"]);
    await bench.endAll();
  });

  test.each([1, 2, 3])(
    "with %i slots full of one key, another's piece begins when the next one ends",
    async (slots) => {
      const bench = new Bench(new Turns({ slots }));
      await bench.bring(...Array.from({ length: 100 }, (_, i) => `a${i}`));
      await bench.bring("b0");
      await bench.end("a0");
      expect(bench.begun).toEqual([...Array.from({ length: slots }, (_, i) => `a${i}`), "b0"]);
      await bench.endAll();
    },
  );

  test("keys with more work waiting share a part of the slots, and a single piece begins beside them at once", async () => {
    const bench = new Bench(new Turns({ slots: 6, perKey: 2, crowded: 3 }));
    await bench.bring("a1", "a2", "b1", "b2", "c1", "c2");
    await bench.bring("a3", "b3", "c3", "c4", "d1");
    expect(bench.running).toEqual(["a1", "a2", "b1", "b2", "c1", "c2"]);
    // All slots are taken: the single piece goes first, and then nobody before the crowd has shrunk to its part.
    await bench.end("a1");
    expect(bench.running).toEqual(["a2", "b1", "b2", "c1", "c2", "d1"]);
    await bench.end("d1", "b1", "c1");
    expect(bench.running).toEqual(["a2", "b2", "c2"]);
    await bench.bring("e1");
    expect(bench.running).toEqual(["a2", "b2", "c2", "e1"]);
    // A later piece of a key does not overtake what the key has waiting.
    await bench.bring("a4");
    await bench.end("a2");
    expect(bench.begun.at(-1)).toBe("a3");
    // A key without more work does not count among the crowd.
    await bench.end("b2");
    expect(bench.running).toEqual(["c2", "e1", "a3", "b3", "c3"]);
    await bench.endAll();
    expect(bench.begun).toHaveLength(13);
  });

  test("of keys with as many running, the one whose last turn is longest ago goes first", async () => {
    const bench = new Bench(new Turns({ slots: 1 }));
    await bench.bring("a1", "a2", "b1", "c1", "b2", "c2");
    await bench.end("a1");
    // A key that ends and comes back does not overtake keys that have waited since.
    await bench.bring("a3");
    await bench.end("b1", "c1", "a2", "b2", "c2");
    expect(bench.begun).toEqual(["a1", "b1", "c1", "a2", "b2", "c2", "a3"]);
    await bench.endAll();
  });

  test("work that fails gives its slot on", async () => {
    const turns = new Turns({ slots: 1 });
    await expect(turns.run("a", () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await turns.run("a", () => Promise.resolve(7))).toBe(7);
  });

  test("who waits too long is told so, and takes no turn afterwards", async () => {
    const bench = new Bench(new Turns({ slots: 1 }));
    const { turns } = bench;
    await bench.bring("a1");
    const late = turns.run("b", () => Promise.resolve(), { maxWaitMs: 1, tooLate });
    expect([turns.countWaiting("b"), turns.hasOthersWaiting("a"), turns.hasOthersWaiting("b")]).toEqual([
      1,
      true,
      false,
    ]);
    await expect(late).rejects.toThrow("too late");
    expect([turns.countWaiting("b"), turns.hasOthersWaiting("a")]).toEqual([0, false]);
    await bench.endAll();
    expect([turns.isFree("a"), turns.isFree("b")]).toEqual([true, true]);
  });

  test("a signal ends the wait, and whoever waits behind has the turn", async () => {
    const bench = new Bench(new Turns({ slots: 1 }));
    const stop = new AbortController();
    await bench.bring("a1");
    const over = bench.turns.run("b", () => Promise.resolve(), { signal: stop.signal });
    await bench.bring("c1");
    stop.abort(new Error("over"));
    await expect(over).rejects.toThrow("over");
    await bench.end("a1");
    expect(bench.running).toEqual(["c1"]);
    await bench.endAll();
    await expect(bench.turns.run("a", () => Promise.resolve(), { signal: stop.signal })).rejects.toThrow("over");
    expect(bench.turns.isFree("a")).toBe(true);
  });

  test("a turn that comes together with the end of the signal is given on", async () => {
    const bench = new Bench(new Turns({ slots: 1 }));
    const stop = new AbortController();
    await bench.bring("a1");
    const over = bench.turns.run("b", () => Promise.resolve("ran"), { signal: stop.signal });
    await bench.bring("c1");
    const ended = bench.end("a1");
    stop.abort(new Error("over"));
    await expect(over).rejects.toThrow("over");
    await ended;
    expect(bench.running).toEqual(["c1"]);
    await bench.endAll();
  });
});
