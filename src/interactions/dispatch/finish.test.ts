import type pg from "pg";
import { expect, test } from "vitest";
import { type CallEnd, type EndedRow, Finisher } from "./finish.ts";

/** A database that refuses any statement with the word poison, and is unavailable while `away` counts down. */
function createPool(away: { count: number }): { pool: pg.Pool; statements: number[] } {
  const statements: number[] = [];
  const query = ({ values }: { values: [string, string] }) => {
    const items = JSON.parse(values[1]) as unknown[];
    statements.push(items.length);
    if (away.count-- > 0) return Promise.reject(Object.assign(new Error("gone"), { code: "57P01" }));
    if (values[1].includes("poison")) return Promise.reject(Object.assign(new Error("bad text"), { code: "22P05" }));
    return Promise.resolve({ rows: [{ announced: 0 }] });
  };
  return { pool: { query } as unknown as pg.Pool, statements };
}

const row = (id: string): EndedRow => ({ workspace_id: "w", id, attempt_id: "a", phone_number_id: "p", job_id: "j" });
const node = { id: "n", settledId: async () => "n" };
const end: CallEnd = {
  status: "COMPLETED",
  retryMs: null,
  outcome: "ANSWERED",
  endReason: null,
  attemptState: "ENDED",
};

test("an end that the database refuses does not hold up the ends that share its statement", async () => {
  const { pool, statements } = createPool({ count: 0 });
  const finisher = new Finisher(pool, node, () => undefined);
  const ends = await Promise.allSettled(["1", "poison", "3"].map((id) => finisher.finish(row(id), end, true)));
  expect(ends.map((one) => one.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(statements.slice(-3)).toEqual([1, 1, 1]);
});

test("a database that is away fails all of them at once, for the caller to try again", async () => {
  const { pool, statements } = createPool({ count: 1 });
  const finisher = new Finisher(pool, node, () => undefined);
  const ends = await Promise.allSettled(["1", "2"].map((id) => finisher.finish(row(id), end, true)));
  expect(ends.every((one) => one.status === "rejected")).toBe(true);
  expect(statements.length).toBeLessThanOrEqual(2);
});
