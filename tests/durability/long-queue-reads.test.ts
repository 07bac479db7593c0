import { randomUUID } from "node:crypto";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findJob } from "#src/interactions/call-jobs/store.ts";
import { listRows } from "#src/interactions/calls/list-sql.ts";
import { NO_JOB } from "#src/interactions/calls/new-row.ts";
import { reapRows } from "#src/interactions/dispatch/claim.ts";
import { LaneRest } from "#src/interactions/dispatch/rest-lanes.ts";
import { listNumbers } from "#src/numbers/phone-numbers/store.ts";
import { type Database, openDatabase } from "#src/platform/db/database.ts";
import { reapTasks } from "#src/platform/queue/store.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { costOf as costOnce, meanCostOf } from "../kit/read-costs.ts";

const QUEUED = 50_000;
const JOB = "33333333-3333-4333-8333-333333333333";
const IMPORTING = "44444444-4444-4444-8444-444444444444";
const NUMBER = "55555555-5555-4555-8555-555555555555";

let template: TestDatabase;
let database: Database;
let workspaceId: string;
let importing: pg.PoolClient;

interface List {
  jobId: string;
  numberId: string;
  workspaceId: string;
}

const addRows = (client: pg.Pool | pg.PoolClient, jobId: string, rows: number) =>
  addToList(client, { jobId, numberId: NUMBER, workspaceId }, rows);

const addToList = (client: pg.Pool | pg.PoolClient, list: List, rows: number) =>
  client.query(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
                            phone_number_id)
     select $1, gen_random_uuid(), $2, gen_random_uuid(), 'QUEUED', '+1415200' || n, 'US', 'UNKNOWN', $3
       from generate_series(1, $4::int) n`,
    [list.workspaceId, list.jobId, list.numberId, rows],
  );

/** Adds a workspace with one number, and returns its id. */
async function addWorkspace(numberId: string): Promise<string> {
  const made = await database.pool.query<{ id: string }>(
    `insert into workspaces (id, name, mode, rate_capacity, rate_refill, rate_period_seconds)
     values (gen_random_uuid(), 'w', 'SANDBOX', 1, 1, 1) returning id`,
  );
  const id = made.rows[0]?.id ?? "";
  await database.pool.query(
    `insert into phone_numbers (workspace_id, id, number, provider, status, max_concurrent_calls)
     values ($1, $2, '+442079460100', 'SANDBOX', 'READY', 5)`,
    [id, numberId],
  );
  return id;
}

/** A number with a job of many rows that wait, some single calls, and an import that goes on. Nothing is analyzed. */
beforeAll(async () => {
  template = await createDatabase();
  database = openDatabase({ connectionString: template.url }, { max: 2 }, () => undefined);
  const { pool } = database;
  workspaceId = await addWorkspace(NUMBER);
  await pool.query("insert into lanes (workspace_id, phone_number_id, job_id) values ($1, $2, $3), ($1, $2, $4)", [
    workspaceId,
    NUMBER,
    JOB,
    NO_JOB,
  ]);
  await addRows(pool, JOB, QUEUED);
  await addRows(pool, NO_JOB, 30);
  importing = await pool.connect();
  await importing.query("begin");
  await addRows(importing, IMPORTING, QUEUED);
}, 120_000);
afterAll(async () => {
  await importing.query("rollback");
  importing.release();
  await database.close();
  await template.drop();
});

/** Entries of the indexes of calls, and rows read from end to end, that a read takes. */
const costOf = async (read: () => Promise<unknown>) => (await meanCostOf(database.pool, "call_rows", read)).entries;

describe("beside a list that waits and one that is being imported", () => {
  test("the history of calls is read row by row that it shows", async () => {
    const cost = await costOf(async () => {
      const rows = await listRows(database.db, {
        workspaceId,
        filter: {},
        isDescending: true,
        page: { page: 0, size: 20, after: undefined },
      });
      expect(rows).toHaveLength(21);
    });
    expect(cost).toBeLessThan(200);
  });

  test("a number counts to a thousand", async () => {
    const cost = await costOf(async () => {
      const [number] = await listNumbers(database.db, workspaceId);
      expect(number?.queued_calls).toBe(1_000);
    });
    expect(cost).toBeLessThan(2_500);
  });

  test("a job that is shown costs nothing of its rows", async () => {
    const cost = await costOf(async () => expect(await findJob(database.db, workspaceId, JOB)).toBe(undefined));
    expect(cost).toBeLessThan(100);
  });

  test("what a stopped node held is found by reading that alone", async () => {
    const { pool } = database;
    const { rows } = await pool.query<{ id: string }>(
      `insert into nodes (id, name, alive_until, started_at) select gen_random_uuid(), 'node', now() + s * interval '1 minute', now() - interval '1 hour'
         from unnest(array[1, -1]) s returning id`,
    );
    const [node = "", gone] = rows.map(({ id }) => id);
    await pool.query("update call_rows set lease_owner = $2 where job_id = $1", [NO_JOB, gone]);
    await pool.query(
      `insert into tasks (id, workspace_id, kind, subject_id, payload, lease_owner)
       select gen_random_uuid(), $1, 'test', gen_random_uuid(), '{}', case when i % 1000 = 0 then $2::uuid end
         from generate_series(1, 20000) i`,
      [workspaceId, gone],
    );
    const rowsRead = await costOf(async () => void (await reapRows(pool, node, [])));
    expect(rowsRead).toBeLessThan(200);
    const tasksRead = await costOnce(pool, "tasks", async () => expect(await reapTasks(database.db)).toBe(20));
    expect(tasksRead.entries).toBeLessThan(200);
  });
});

test("lanes are sent to rest without reading the queue of another", async () => {
  const { pool } = database;
  await pool.query(
    `insert into lanes (workspace_id, phone_number_id, job_id)
     select gen_random_uuid(), gen_random_uuid(), gen_random_uuid() from generate_series(1, 20)`,
  );
  await pool.query("analyze call_rows, lanes");
  const cost = await costOf(() => new LaneRest(pool).run());
  expect(cost).toBeLessThan(200);
  const awake = await pool.query<{ job_id: string }>("select job_id from lanes where next_look_at <= now()");
  expect(awake.rows.map(({ job_id }) => job_id)).toContain(JOB);
  expect(awake.rowCount).toBeLessThan(10);
});

test("a number counts to a thousand where statistics take its queue for a short one", async () => {
  // The planner multiplies the shares of a number and of its job, and expects some hundred rows of 10,000.
  const { pool } = database;
  const list = { jobId: randomUUID(), numberId: randomUUID(), workspaceId: "" };
  list.workspaceId = await addWorkspace(list.numberId);
  await pool.query("insert into lanes (workspace_id, phone_number_id, job_id) values ($1, $2, $3)", [
    list.workspaceId,
    list.numberId,
    list.jobId,
  ]);
  const others = Array.from({ length: 10 }, () => ({ jobId: randomUUID(), numberId: randomUUID(), workspaceId }));
  for (let i = 0; i < 4; i++) for (const each of [list, ...others]) await addToList(pool, each, QUEUED / 20);
  await pool.query("analyze call_rows");
  const cost = await costOf(async () => {
    const [number] = await listNumbers(database.db, list.workspaceId);
    expect(number?.queued_calls).toBe(1_000);
  });
  expect(cost).toBeLessThan(2_500);
});
