import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readConfig, type Retention } from "#src/platform/config/config.ts";
import { Housekeeper, type PeriodicTask } from "#src/platform/db/housekeeping.ts";
import { expiryStatement, forgetExpired, listExpiries } from "#src/platform/db/retention.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { createRequestTrimmer } from "#src/tenancy/audit/request-log.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";

const log = createLog("silent");
const retention: Retention = readConfig({}).retention;
const never = new AbortController().signal;
const WORKSPACES = 12;
/** Number of requests that each workspace has beyond the 10,000 that are kept. */
const EXTRA = 100;

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool({ max: 4, statement_timeout: 60_000 });
  await pool.query(
    `insert into workspaces (id, name, mode, rate_capacity, rate_refill, rate_period_seconds)
     select gen_random_uuid(), 'w' || n, 'SANDBOX', 1, 1, 1 from generate_series(1, $1) n`,
    [WORKSPACES],
  );
  // A request every 10 ms until now, with ids of that time.
  await pool.query(
    `insert into request_log (workspace_id, id, method, path, status, duration_ms, credential_id, caller_kind, address,
                              request_id, created_at)
     select w.id, (lpad(to_hex((extract(epoch from t.at) * 1000)::bigint), 12, '0') || substr(md5(w.id::text || n), 13))::uuid,
            'GET', '/flows', 200, 1, gen_random_uuid(), 'API_KEY', '127.0.0.1', 'r', t.at
       from workspaces w cross join generate_series(1, $1::int) n
      cross join lateral (select now() - make_interval(secs => n / 100.0) as at) t`,
    [10_000 + EXTRA],
  );
  await pool.query("vacuum analyze request_log");
}, 120_000);

afterAll(() => database.drop());

/** Returns the rows of a table that statements have read so far, by index or by sequential scan. */
async function rowsRead(table: string): Promise<number> {
  await pool.query("select pg_stat_force_next_flush()");
  const found = await pool.query<{ read: number }>(
    `select seq_tup_read + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid) as read
       from pg_stat_user_tables t where relname = $1`,
    [table],
  );
  return Number(found.rows[0]?.read);
}

describe("the log of requests", () => {
  test("is trimmed to the newest 10,000 of each workspace by reading each of them about once", async () => {
    const single = database.pool({ max: 1, statement_timeout: 60_000 });
    const before = await rowsRead("request_log");
    await createRequestTrimmer(single)(never);
    await single.query("select pg_stat_force_next_flush()");
    await single.end();
    const read = (await rowsRead("request_log")) - before;
    const left = await pool.query<{ count: number; oldest: number }>(
      `select count(*)::int as count, max(extract(epoch from now() - created_at))::int as oldest from request_log group by workspace_id`,
    );
    expect(left.rows.map(({ count }) => count)).toEqual(Array.from({ length: WORKSPACES }, () => 10_000));
    expect(read).toBeGreaterThan(WORKSPACES * 10_000);
    expect(read).toBeLessThan(WORKSPACES * (10_000 + 3 * EXTRA) + 1_000);
  });

  test("loses what is older than a week, in bites that a run goes on with", async () => {
    await pool.query(
      `insert into request_log (workspace_id, id, method, path, status, duration_ms, credential_id, caller_kind, address,
                                request_id, created_at)
       select w.id, (lpad(to_hex((extract(epoch from now() - interval '8 days') * 1000)::bigint + n), 12, '0')
                     || substr(md5(w.id::text || n), 13))::uuid,
              'GET', '/old', 200, 1, gen_random_uuid(), 'API_KEY', '127.0.0.1', 'r', now() - interval '8 days'
         from (select id from workspaces order by id limit 2) w cross join generate_series(1, 6000) n`,
    );
    await pool.query(
      "delete from request_log where path <> '/old' and workspace_id in (select id from workspaces order by id limit 2)",
    );
    await createRequestTrimmer(pool)(never);
    const old = await pool.query("select 1 from request_log where path = '/old'");
    expect(old.rowCount).toBe(0);
  });
});

describe("what has served its time", () => {
  test.each(listExpiries(retention).map((expiry) => [expiry.table, expiry.by, expiry.keptFor, expiry] as const))(
    "%s is found by an index that %s leads (kept for %s), and no more is read than is deleted",
    async (table, by, _keptFor, expiry) => {
      const index = await pool.query<{ method: string }>(
        `select am.amname as method from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am am on am.oid = c.relam
           join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
          where i.indrelid = $1::regclass and a.attname = $2 and am.amname = 'btree'
            and (i.indpred is null or $3 or pg_get_expr(i.indpred, i.indrelid) = format('(%I IS NOT NULL)', $2::text))`,
        [table, by, expiry.only !== undefined],
      );
      expect(index.rowCount).toBeGreaterThan(0);
      const client = await pool.connect();
      try {
        // An empty table is scanned whole whatever its indexes; this checks that the plan can do without.
        await client.query("begin; set local enable_seqscan = off; set local enable_sort = off");
        const plan = await client.query<{ "QUERY PLAN": unknown }>(`explain (format json) ${expiryStatement(expiry)}`);
        const text = JSON.stringify(plan.rows[0]?.["QUERY PLAN"]);
        expect(text).toContain("Tid Scan");
        expect(text).not.toMatch(/Seq Scan|"Sort"|Bitmap/);
      } finally {
        await client.query("rollback");
        client.release();
      }
    },
  );
});

describe("what a server wrote down of its own work", () => {
  const BIG = 110_000;
  /** For each table, rows of long ago, rows of today, and rows that are not over. */
  const FILL = {
    tasks: `insert into tasks (id, workspace_id, kind, subject_id, payload, status, created_at, finished_at)
      select gen_random_uuid(), w.id, k.kind, gen_random_uuid(), '{}', case when k.age is null then 'PENDING' else 'DONE' end,
             now() - interval '60 days', now() - k.age + make_interval(secs => n / 1000.0)
        from (select id from workspaces limit 1) w
       cross join (values ('agents.index', interval '8 days', 10), ('agents.index', interval '6 days', $1::int / 4),
                          ('session.event', interval '31 days', 10), ('session.event', interval '29 days', $1::int / 2),
                          ('call_job.completed', interval '31 days', 10), ('agents.index', null, $1::int / 4)) k(kind, age, n_rows)
       cross join lateral generate_series(1, k.n_rows) n`,
    webhook_attempts: `insert into webhook_attempts (workspace_id, task_id, attempt, url, duration_ms, created_at)
      select w.id, gen_random_uuid(), 1, 'https://example.com', 1, now() - k.age
        from (select id from workspaces limit 1) w
       cross join (values (interval '31 days', 10), (interval '29 days', $1::int)) k(age, n_rows)
       cross join lateral generate_series(1, k.n_rows)`,
    events: `insert into events (workspace_id, id, type, subject_id, data, created_at)
      select w.id, gen_random_uuid(), 'call.ended', gen_random_uuid(), '{}', now() - k.age
        from (select id from workspaces limit 1) w
       cross join (values (interval '31 days', 10), (interval '29 days', $1::int)) k(age, n_rows)
       cross join lateral generate_series(1, k.n_rows)`,
    usage_entries: `insert into usage_entries (workspace_id, id, kind, quantity, unit_price, amount, simulated, subject_type,
                                               subject_id, created_at)
      select w.id, gen_random_uuid(), 'SMS_SEGMENT', 1, 1, 1, false, 'CALL', gen_random_uuid(), now() - k.age
        from (select id from workspaces limit 1) w
       cross join (values (interval '401 days', 10), (interval '399 days', $1::int)) k(age, n_rows)
       cross join lateral generate_series(1, k.n_rows)`,
  };
  const OLD = { tasks: 30, webhook_attempts: 10, events: 10, usage_entries: 10 };
  const tables = Object.keys(FILL) as (keyof typeof FILL)[];
  const count = async (table: string) =>
    (await pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? -1;

  beforeAll(async () => {
    for (const table of tables) {
      await pool.query(FILL[table], [BIG]);
      await pool.query(`vacuum analyze ${table}`);
    }
  }, 120_000);

  test.each(tables)("of %s what is old is deleted by reading little else, and the rest stays", async (table) => {
    const before = await count(table);
    const plans = [];
    for (const expiry of listExpiries(retention).filter((one) => one.table === table)) {
      const plan = await pool.query<{ "QUERY PLAN": unknown }>(
        `explain (analyze, format json) ${expiryStatement(expiry)}`,
      );
      plans.push(JSON.stringify(plan.rows[0]?.["QUERY PLAN"]));
    }
    for (const plan of plans) expect(plan).not.toContain("Seq Scan");
    expect(await count(table)).toBe(before - OLD[table]);
  });

  test("the operator's days are what counts", async () => {
    const before = await count("events");
    await forgetExpired(pool, { ...retention, eventDays: 28 }, never);
    // A run deletes a bounded share; the next one continues.
    expect(await count("events")).toBe(before - 100_000);
    await forgetExpired(pool, { ...retention, eventDays: 28 }, never);
    expect(await count("events")).toBe(0);
  }, 120_000);
});

test("credentials go 400 days after they were over, and messages of the sandbox after three", async () => {
  await pool.query(
    `insert into credentials (workspace_id, id, kind, name, secret_hash, secret_last4, permissions, tokens, revoked_at,
                              expires_at)
     select w.id, gen_random_uuid(), 'API_KEY', k.name, sha256(k.name::bytea), '1234', '{}', 1, now() - k.revoked,
            now() - k.expired
       from (select id from workspaces limit 1) w
      cross join (values ('revoked long ago', interval '401 days', null), ('revoked', interval '399 days', null),
                         ('expired long ago', null, interval '401 days'), ('expired', null, interval '399 days'),
                         ('expires', null, interval '-1 day'), ('used', null, null)) k(name, revoked, expired)`,
  );
  await pool.query(
    `insert into sandbox_messages (workspace_id, message_id, provider_message_id, channel, to_number, taken_at)
     select w.id, gen_random_uuid(), days::text, 'SMS', '+12025550100', now() - make_interval(days => days)
       from (select id from workspaces limit 1) w cross join unnest(array[2, 4]) days`,
  );
  await forgetExpired(pool, retention, never);
  const names = await pool.query<{ name: string }>("select name from credentials order by name");
  expect(names.rows.map(({ name }) => name)).toEqual(["expired", "expires", "revoked", "used"]);
  const messages = await pool.query<{ id: string }>("select provider_message_id as id from sandbox_messages");
  expect(messages.rows).toEqual([{ id: "2" }]);
});

test("a table that refuses its deletion holds up no other", async () => {
  const tables = listExpiries(retention).map(({ table }) => table);
  expect(tables.indexOf("idempotency_keys")).toBeLessThan(tables.indexOf("early_reports"));
  await pool.query("create function refuse() returns trigger language plpgsql as $$ begin raise 'as told'; end $$");
  await pool.query(
    "create trigger refuse before delete on idempotency_keys for each statement execute function refuse()",
  );
  await pool.query(
    `insert into early_reports (workspace_id, provider_message_id, status, received_at)
     select id, 'old', 'SENT', now() - interval '4 days' from workspaces limit 1`,
  );
  await expect(forgetExpired(pool, retention, never)).rejects.toThrow("as told");
  expect((await pool.query("select 1 from early_reports")).rowCount).toBe(0);
  await pool.query("drop function refuse cascade");
});

describe("periodic work", () => {
  const nodes = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"] as const;
  const join = (id: string, until: string) =>
    pool.query(
      `insert into nodes (id, name, alive_until) values ($1::uuid, $1::text, now() + $2::interval)
       on conflict (id) do update set alive_until = excluded.alive_until`,
      [id, until],
    );
  const keeper = (id: string, tasks: PeriodicTask[]) =>
    new Housekeeper({ pool } as ConstructorParameters<typeof Housekeeper>[0], { id }, tasks, log);
  const settled = async (done: () => boolean) => {
    for (let i = 0; i < 1_000 && !done(); i++) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(done()).toBe(true);
  };

  test("shared work runs on one node at a time, and one that died loses it", async () => {
    for (const node of nodes) await join(node, "1 hour");
    let running = 0;
    let most = 0;
    let runs = 0;
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const task: PeriodicTask = {
      name: "test.shared",
      everyMs: 0,
      scope: "SHARED",
      run: async () => {
        most = Math.max(most, ++running);
        runs++;
        await held;
        running--;
      },
    };
    const first = keeper(nodes[0], [task]).runDue(never);
    await settled(() => running === 1);
    // Many others ask while the first runs: none begins.
    await Promise.all(Array.from({ length: 20 }, () => keeper(nodes[1], [task]).runDue(never)));
    expect([most, runs]).toEqual([1, 1]);
    await join(nodes[0], "-1 second");
    const second = keeper(nodes[1], [task]).runDue(never);
    await settled(() => runs === 2);
    release();
    await Promise.all([first, second]);
    await keeper(nodes[1], [task]).runDue(never);
    expect(runs).toBe(3);
  });

  test("work that a wrong clock of the database put off is due once that is right", async () => {
    await join(nodes[1], "1 hour");
    let runs = 0;
    const run = async () => void runs++;
    const task: PeriodicTask = { name: "test.clock", everyMs: 0, scope: "SHARED", run };
    await keeper(nodes[1], [task]).runDue(never);
    await pool.query("update periodic_tasks set due_at = now() + interval '1 day' where name = 'test.clock'");
    await keeper(nodes[1], [task]).runDue(never);
    expect(runs).toBe(2);
  });

  test("a run that takes long delays the next one, and a failure the others not at all", async () => {
    const order: string[] = [];
    let running = 0;
    const slow = async (name: string) => {
      expect(++running).toBe(1);
      order.push(name);
      await new Promise((resolve) => setTimeout(resolve, 30));
      running--;
      if (name === "fails") throw new Error("as told");
    };
    const tasks = ["fails", "works"].map((name): PeriodicTask => {
      return { name: `test.${name}`, everyMs: 0, scope: "NODE", run: () => slow(name) };
    });
    const housekeeper = keeper(nodes[1], tasks);
    housekeeper.start();
    await settled(() => order.length >= 4);
    await housekeeper.stop();
    expect(order.slice(0, 4)).toEqual(["fails", "works", "fails", "works"]);
  });
});
