import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase, sql } from "#src/platform/db/database.ts";
import { runAsOwner } from "#src/platform/db/fair-pool.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const open = (max: number, perOwner: number) =>
  openDatabase({ connectionString: database.url }, { max, perOwner }, () => undefined);

describe("connections that go round by owner", () => {
  test.each(["pool", "db"] as const)("one owner's thirty statements hold up another's by one (%s)", async (by) => {
    const connections = open(2, 2);
    const { db, pool } = connections;
    const ended: string[] = [];
    const ask = (owner: string) =>
      runAsOwner(owner, async () => {
        if (by === "pool") await pool.query("select pg_sleep(0.02)");
        else await sql`select pg_sleep(0.02)`.execute(db);
        ended.push(owner);
      });
    const noisy = Array.from({ length: 30 }, () => ask("noisy"));
    await ask("quiet");
    expect(ended.indexOf("quiet")).toBeLessThanOrEqual(4);
    await Promise.all(noisy);
    await connections.close();
  });

  test("an owner leaves some to the others, who need not wait at all", async () => {
    const connections = open(3, 2);
    const { db, pool } = connections;
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let opened = 0;
    const hold = () =>
      runAsOwner("noisy", () =>
        db.transaction().execute(async (tx) => {
          await sql`select 1`.execute(tx);
          opened++;
          await held;
        }),
      );
    const noisy = [hold(), hold(), hold()];
    await runAsOwner("quiet", () => pool.query("select 1"));
    expect(opened).toBeLessThanOrEqual(2);
    release();
    await Promise.all(noisy);
    await connections.close();
  });

  test("a statement that fails gives its connection on, and so does one whose connection breaks", async () => {
    const connections = open(1, 1);
    const { pool } = connections;
    await expect(pool.query("select 1 / 0")).rejects.toThrow("division by zero");
    await expect(pool.query("select pg_terminate_backend(pg_backend_pid())")).rejects.toThrow();
    expect((await pool.query("select 7 as n")).rows).toEqual([{ n: 7 }]);
    await connections.close();
  });
});
