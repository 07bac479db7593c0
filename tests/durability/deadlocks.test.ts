import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase, sql } from "#src/platform/db/database.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";

let database: TestDatabase;
let connections: Database;
beforeAll(async () => {
  database = await createDatabase();
  connections = openDatabase({ connectionString: database.url }, { max: 4 }, () => undefined);
  await sql`create table two_locks (id int primary key, n int not null)`.execute(connections.db);
  await sql`insert into two_locks values (1, 0), (2, 0)`.execute(connections.db);
});
afterAll(async () => {
  await connections.close();
  await database.drop();
});

/** Locks both rows in this order; returns how often it began. The first try waits for the other's first lock. */
async function lockBoth(order: [number, number], firstLock: PromiseWithResolvers<void>, other: Promise<void>) {
  let tries = 0;
  await connections.db.transaction().execute(async (tx) => {
    tries++;
    await sql`set local deadlock_timeout = '20ms'`.execute(tx);
    await sql`update two_locks set n = n + 1 where id = ${order[0]}`.execute(tx);
    firstLock.resolve();
    await other;
    await sql`update two_locks set n = n + 1 where id = ${order[1]}`.execute(tx);
  });
  return tries;
}

test("of two transactions in a deadlock both succeed, and each counts once", async () => {
  const [one, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const tries = await Promise.all([lockBoth([1, 2], one, two.promise), lockBoth([2, 1], two, one.promise)]);
  expect(Math.max(...tries)).toBeGreaterThan(1);
  const { rows } = await sql<{ n: number }>`select n from two_locks order by id`.execute(connections.db);
  expect(rows).toEqual([{ n: 2 }, { n: 2 }]);
});

test("a transaction that fails for another reason is not run again", async () => {
  let tries = 0;
  const failing = connections.db.transaction().execute(async (tx) => {
    tries++;
    await sql`insert into two_locks values (1, 0)`.execute(tx);
  });
  await expect(failing).rejects.toMatchObject({ code: "23505" });
  expect(tries).toBe(1);
});
