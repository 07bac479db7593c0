import { expect, test } from "vitest";
import { World } from "../kit/world.ts";

/** Paths that read most tables, some in a transaction. */
const READS = ["/flows", "/call-history", "/call-jobs", "/contacts", "/chat-sessions", "/phone-numbers", "/tools"];

test("a node goes on when a newer one adds columns to every table", { timeout: 120_000 }, async () => {
  await using world = await World.start();
  const flow = `/flows/${world.sample.flow.id}`;
  /** Uses what is prepared on several connections at once. */
  const use = async () => {
    const calls = Array.from({ length: 12 }, async (_, i) => {
      const placed = await world.request("POST", "/outbound/calls", {
        body: { customerNumber: `+1202555${5000 + i}` },
      });
      expect(placed.status, placed.text).toBe(200);
      const row = await world.until(`/call-rows/${String(placed.body.rowId)}`, ({ endedAt }) => endedAt !== null);
      return row.outcome;
    });
    const reads = [flow, ...READS, ...READS].map(async (path) => [path, (await world.request("GET", path)).status]);
    const saved = await world.request("PUT", flow, { body: { name: "Reminder", description: "As before." } });
    expect(saved.status, saved.text).toBe(200);
    for (const [path, status] of await Promise.all(reads)) expect([path, status]).toEqual([path, 200]);
    return Promise.all(calls);
  };
  const before = await use();
  const tables = await world.database.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    [],
  );
  expect(tables.length).toBeGreaterThan(50);
  for (const { name } of tables) await world.database.query(`alter table "${name}" add column of_later integer`, []);
  expect(await use()).toEqual(before);
});
