import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { RequestTurns } from "./request-turns.ts";

/** Requests that run until they are ended. */
class Requests {
  readonly begun: string[] = [];
  readonly #turns = new RequestTurns();
  readonly #ends = new Map<string, () => void>();

  /** Sends requests; the key is the first letter of a name. */
  async send(...names: string[]): Promise<void> {
    for (const name of names) {
      void this.#turns.take(name.charAt(0)).then((end) => {
        this.begun.push(name);
        this.#ends.set(name, end);
      });
    }
    await pause(0);
  }

  end(...names: string[]): void {
    for (const name of names) this.#ends.get(name)?.();
  }

  countOthers(key: string): number {
    return this.#turns.countOthers(key);
  }
}

const many = (key: string, count: number) => Array.from({ length: count }, (_, i) => `${key}${i}`);

test("a workspace that asks alone has all turns at once", async () => {
  const requests = new Requests();
  await requests.send(...many("a", 12));
  expect(requests.begun).toHaveLength(12);
});

test("beside another it has a part of them, and the other's single request begins at once", async () => {
  const requests = new Requests();
  await requests.send("b0");
  await requests.send(...many("a", 30));
  expect(requests.begun.filter((name) => name.startsWith("a"))).toEqual(["a0", "a1", "a2"]);
  await requests.send("b1");
  expect(requests.begun).toContain("b1");
});

test("the more ask, the less each has, but two at least", async () => {
  const requests = new Requests();
  await requests.send("b0", "c0", "d0", "e0", "f0", "g0");
  requests.end("b0", "c0", "d0", "e0", "f0", "g0");
  await requests.send(...many("a", 30));
  expect(requests.begun.filter((name) => name.startsWith("a"))).toEqual(["a0", "a1"]);
});

test("a request that waits for others gives its turn on after a while, and ending it later changes nothing", async () => {
  const requests = new Requests();
  await requests.send("b0", ...many("a", 40));
  const waits = { timeout: 10_000 };
  await expect.poll(() => requests.begun.length, waits).toBe(41);
  requests.end("b0", ...many("a", 40));
  requests.end("a0");
  await requests.send("c0");
  expect(requests.begun).toContain("c0");
});

test("what others ask is counted by the second, and one's own is not", async () => {
  const requests = new Requests();
  await requests.send("a0", "b0", "b1");
  await pause(1_010);
  expect([requests.countOthers("a"), requests.countOthers("b")]).toEqual([2, 1]);
});
