import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { all, type Executor, openDatabase, sql } from "#src/platform/db/database.ts";
import { migrate } from "#src/platform/db/migrate.ts";
import { isBehindPooler } from "#src/platform/db/pooler.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { hasPgBouncer, Pooler } from "../kit/pooler.ts";
import { Receiver } from "../kit/receiver.ts";
import { World } from "../kit/world.ts";

// As for the other programs that people install by hand: .ci/run does it where it can.
describe.skipIf(!hasPgBouncer)("behind PgBouncer in transaction mode", () => {
  let pooler: Pooler;
  let database: TestDatabase;
  let world: World;
  beforeAll(async () => {
    pooler = await Pooler.start("transaction", 6);
    database = await createDatabase();
    world = await World.start({ env: { DATABASE_URL: pooler.urlOf(database.url), ALLOW_PRIVATE_NETWORK: "1" } });
  });
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await database.drop();
    await pooler[Symbol.asyncDispose]();
  });

  test("a pooler is told from PostgreSQL itself", async () => {
    expect(await isBehindPooler({ connectionString: pooler.urlOf(database.url) })).toBe(true);
    expect(await isBehindPooler({ connectionString: database.url })).toBe(false);
  });

  test("300 requests at once are all answered", async () => {
    const replies = await Promise.all(
      Array.from({ length: 300 }, (_, i) => world.request("GET", i % 2 === 0 ? "/flows" : "/call-history")),
    );
    expect(replies.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([]);
  });

  test("a call is placed and comes to its end", async () => {
    const row = await world.call("+12025550100");
    expect(row).toMatchObject({ status: "COMPLETED" });
  });

  test("a job completes with every row and one signed webhook", async () => {
    await using receiver = await Receiver.start();
    const rows = Array.from({ length: 60 }, (_, i) => ({ customerNumber: `+1415${2_000_000 + i}` }));
    const made = await world.request("POST", "/call-jobs", {
      body: { rows, completionWebhook: { url: receiver.url } },
      headers: { "idempotency-key": "behind a pooler" },
    });
    expect(made.status, made.text).toBe(200);
    const done = await world.until(`/call-jobs/${String(made.body.id)}`, ({ completedAt }) => completedAt !== null);
    expect(done).toMatchObject({ status: "COMPLETED", totalRows: 60, processedRows: 60 });
    await receiver.waitFor(1);
  });

  test("a token bucket is exact", async () => {
    const limit = { capacity: 20, refill: 1, periodSeconds: 3_600 };
    const { apiKey } = await world.createWorkspace({ rateLimit: limit });
    const replies = await Promise.all(
      Array.from({ length: 60 }, () => world.request("GET", "/flows", { key: apiKey })),
    );
    const count = (status: number) => replies.filter((reply) => reply.status === status).length;
    expect([count(200), count(429)]).toEqual([20, 40]);
  });

  test("a transaction has the limit of idle ones, and leaves it on no connection", async () => {
    const connection = { connectionString: pooler.urlOf(database.url), pooled: true };
    const pooled = openDatabase(connection, { max: 1 }, () => undefined);
    const read = (of: Executor) =>
      all(of, sql`select current_setting('idle_in_transaction_session_timeout') as "limit", pg_backend_pid() as pid`);
    const [within] = await pooled.db.transaction().execute(read);
    expect(within).toMatchObject({ limit: "10s" });
    const after = await Promise.all(Array.from({ length: 6 }, () => read(pooled.db)));
    expect(after.flat()).toEqual(after.flatMap(([row]) => [{ ...(row as object), limit: "0" }]));
    await pooled.close();
  });

  test("nodes that start at once migrate an empty database once", async () => {
    const name = `parley_test_empty_${Date.now()}`;
    await database.query(`create database ${name}`);
    const url = new URL(database.url);
    url.pathname = `/${name}`;
    const open = () =>
      openDatabase({ connectionString: pooler.urlOf(url.href), pooled: true }, { max: 2 }, () => undefined);
    const nodes = [open(), open(), open()];
    try {
      const steps = await Promise.all(nodes.map(({ pool }) => migrate(pool)));
      const { rows } = await (nodes[0] as (typeof nodes)[0]).pool.query(
        "select max(number) as last from schema_migrations",
      );
      expect(rows).toEqual([{ last: steps[0] }]);
      expect(new Set(steps).size).toBe(1);
    } finally {
      await Promise.all(nodes.map((node) => node.close()));
      await database.query(`drop database ${name} with (force)`);
    }
  });
});
