import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listRows } from "#src/calls/list-sql.ts";
import { openDatabase, sql } from "#src/db/database.ts";
import { runAsOwner } from "#src/db/fair-pool.ts";
import { createDatabase, type TestDatabase } from "./database.ts";

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

describe("the history of calls", () => {
  test("passes over a list that nobody has dialled yet, however long it is", async () => {
    const connections = open(1, 1);
    const { db, pool } = connections;
    await pool.query(
      `insert into workspaces (id, name, mode, rate_capacity, rate_refill, rate_period_seconds)
       values (gen_random_uuid(), 'w', 'SANDBOX', 1, 1, 1)`,
    );
    await pool.query(
      `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
                              phone_number_id)
       select w.id, gen_random_uuid(), case when n <= 30 then '00000000-0000-0000-0000-000000000000'::uuid else w.id end,
              gen_random_uuid(), 'QUEUED', '+1415200' || n, 'US', 'UNKNOWN', w.id
         from workspaces w cross join generate_series(1, 50000) n`,
    );
    await pool.query("vacuum analyze call_rows");
    const [workspace] = (await pool.query<{ id: string }>("select id from workspaces")).rows;
    const read = async () => {
      await pool.query("select pg_stat_force_next_flush()");
      const found = await pool.query<{ n: number }>(
        `select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as n from pg_stat_user_tables
          where relname = 'call_rows'`,
      );
      return found.rows[0]?.n ?? 0;
    };
    const before = await read();
    // The sixth run of a prepared statement may go by a plan that knows no parameter.
    for (let i = 0; i < 8; i++) {
      const rows = await listRows(db, workspace?.id ?? "", {}, { page: 0, size: 20, after: undefined });
      expect(rows).toHaveLength(21);
    }
    expect((await read()) - before).toBeLessThan(8 * 200);
    await connections.close();
  });
});
