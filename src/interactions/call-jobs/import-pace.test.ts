import { expect, test } from "vitest";
import { sleep } from "#src/platform/kernel/async.ts";
import { endTurn, ImportPace, shareNumber, type SharedPace } from "./import-pace.ts";

function shareOf(rest: number): SharedPace {
  const [rests, turn] = [shareNumber(), shareNumber()];
  rests[0] = 100 * rest;
  return { rests, turn };
}

/** Runs pieces on threads of their own, and returns the most that ran at once. */
async function countAtOnce(shared: SharedPace, threads: number): Promise<number> {
  let running = 0;
  let most = 0;
  const piece = async () => {
    most = Math.max(most, ++running);
    await sleep(5);
    running--;
  };
  const work = async (thread: number) => {
    const pace = new ImportPace(shared, thread);
    for (let i = 0; i < 5; i++) await pace.run(piece);
  };
  await Promise.all(Array.from({ length: threads }, (_, i) => work(i + 1)));
  return most;
}

test("beside requests of others one import works at a time; alone, all do", async () => {
  expect(await countAtOnce(shareOf(0.1), 3)).toBe(1);
  expect(await countAtOnce(shareOf(0), 3)).toBe(3);
});

test("a piece that fails and a thread that is stopped pass the turn on", async () => {
  const shared = shareOf(0.1);
  const failing = new ImportPace(shared, 1).run(() => Promise.reject(new Error("broken")));
  await expect(failing).rejects.toThrow("broken");
  void new ImportPace(shared, 2).run(() => new Promise(() => undefined));
  const next = new ImportPace(shared, 3).run(() => Promise.resolve("done"));
  endTurn(shared, 1);
  expect(await Promise.race([next, sleep(50).then(() => "waiting")])).toBe("waiting");
  endTurn(shared, 2);
  expect(await next).toBe("done");
});
