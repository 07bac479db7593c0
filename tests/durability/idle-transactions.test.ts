import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  all,
  type Database,
  type Executor,
  inTransaction,
  isUnavailable,
  openDatabase,
  sql,
} from "#src/platform/db/database.ts";
import { openSession } from "#src/platform/db/session.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";

const LIMIT = sql<{ limit: string }>`select current_setting('idle_in_transaction_session_timeout') as "limit"`;
const STANDSTILL_MS = 400;

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase("template0");
  await database.query("create table lanes (id int primary key, looks int not null default 0)");
  await database.query("insert into lanes values (1)");
});
afterAll(() => database.drop());

function open(more: { pooled?: boolean } = {}): Database & AsyncDisposable {
  const connection = { connectionString: database.url, ...more };
  const opened = openDatabase(connection, { max: 2 }, () => undefined);
  return { ...opened, [Symbol.asyncDispose]: () => opened.close() };
}

const readLimit = async (db: Executor) => (await all<{ limit: string }>(db, LIMIT))[0]?.limit;

describe("a transaction may be idle for 10 s, and a connection without one for ever", () => {
  test.each([{ pooled: false }, { pooled: true }])("of a pool: %o", async (more) => {
    await using connections = open(more);
    const { db, pool } = connections;
    expect(await db.transaction().execute(readLimit)).toBe("10s");
    expect(await db.transaction().setIsolationLevel("repeatable read").execute(readLimit)).toBe("10s");
    const inPool = await inTransaction(pool, (client) => client.query<{ limit: string }>(LIMIT.compile(db).sql));
    expect(inPool.rows).toEqual([{ limit: "10s" }]);
    expect(await readLimit(db)).toBe("0");
  });

  test("of an import", async () => {
    const session = await openSession({ connectionString: database.url });
    try {
      expect(await session.db.transaction().execute(readLimit)).toBe("10s");
      expect(await readLimit(session.db)).toBe("0");
    } finally {
      await session.close();
    }
  });
});

/** Locks a lane in a transaction, in which the process then stands still for longer than the transaction may. */
function standStill({ db }: Database, still: () => unknown): Promise<unknown> {
  return db.transaction().execute(async (tx) => {
    await sql.raw(`set local idle_in_transaction_session_timeout = ${STANDSTILL_MS / 4}`).execute(tx);
    await sql`update lanes set looks = looks + 1 where id = 1`.execute(tx);
    await still();
    await sql`update lanes set looks = looks + 1 where id = 1`.execute(tx);
  });
}

const looks = () => database.query("select looks from lanes");

describe("a process that stands still in a transaction", () => {
  const stills: [string, () => unknown][] = [
    ["and reads first what the database has said meanwhile", () => sleep(STANDSTILL_MS)],
    [
      "and goes on with its next statement",
      () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STANDSTILL_MS),
    ],
  ];
  test.each(stills)("loses it, %s, and is told to try again later", async (_name, still) => {
    await using connections = open();
    const error: unknown = await standStill(connections, still).catch((thrown: unknown) => thrown);
    expect([isUnavailable(error), error]).toEqual([true, expect.any(Error)]);
    expect(await looks()).toEqual([{ looks: 0 }]);
    expect(await all(connections.db, sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });

  test("keeps nobody from what it had locked", async () => {
    await using connections = open();
    const locked = Promise.withResolvers<void>();
    const goesOn = Promise.withResolvers<void>();
    const stood = standStill(connections, () => {
      locked.resolve();
      return goesOn.promise;
    }).catch(() => "FAILED");
    await locked.promise;
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await other.query("update lanes set looks = 10 where id = 1");
    await other.query("update lanes set looks = 0 where id = 1");
    await other.end();
    goesOn.resolve();
    expect(await stood).toBe("FAILED");
  });
});
