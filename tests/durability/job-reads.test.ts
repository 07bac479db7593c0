import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rollUpRows } from "#src/interactions/call-jobs/row-sums.ts";
import { findJob, listJobs } from "#src/interactions/call-jobs/store.ts";
import { type Database, openDatabase } from "#src/platform/db/database.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { costOf, settle } from "../kit/read-costs.ts";

/* Jobs with very many rows, measured by what a look at them reads. */

const RETRIES = 20_000;
const JOB = "33333333-3333-4333-8333-333333333333";
const WORKSPACE = "55555555-5555-4555-8555-555555555555";

let template: TestDatabase;
let database: Database;
let pool: pg.Pool;

beforeAll(async () => {
  template = await createDatabase();
  database = openDatabase({ connectionString: template.url }, { max: 1 }, () => undefined);
  ({ pool } = database);
  await pool.query(
    `insert into workspaces (id, name, mode, rate_capacity, rate_refill, rate_period_seconds)
     values ($1, 'w', 'SANDBOX', 1, 1, 1)`,
    [WORKSPACE],
  );
  await pool.query(
    `insert into call_jobs (workspace_id, id, name, status, phone_number_ids, retry_config, total_rows)
     values ($1, $2, 'Tried once', 'RUNNING', '{}', '{}', $3)`,
    [WORKSPACE, JOB, RETRIES],
  );
  await pool.query(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
       phone_number_id, attempts_made, due_at)
     select $1, uuidv7(), $2, gen_random_uuid(), 'WAITING_FOR_RETRY', '+33777' || i, 'FR', 'MOBILE', gen_random_uuid(),
       1, now() + interval '1 day' from generate_series(1, $3::int) i`,
    [WORKSPACE, JOB, RETRIES],
  );
  await settle(pool, "call_rows");
}, 240_000);
afterAll(async () => {
  await database.close();
  await template.drop();
});

test("the rows of a job that wait for another attempt are counted without looking at them", async () => {
  const retriesOf = async () => {
    const [listed] = await listJobs(
      database.db,
      WORKSPACE,
      {},
      { by: "createdAt", isDescending: true },
      { page: 0, size: 20, after: undefined },
    );
    return [listed?.retry_rows, (await findJob(database.db, WORKSPACE, JOB))?.retry_rows];
  };
  await pool.query("update call_rows set status = 'FAILED' where id = (select id from call_rows limit 1)");
  const left = Array(2).fill(RETRIES - 1);
  const { entries } = await costOf(pool, "call_rows", async () => expect(await retriesOf()).toEqual(left));
  expect(entries).toBeLessThan(10);
  await rollUpRows(pool);
  expect(await retriesOf()).toEqual(left);
  // A job of an earlier version.
  await pool.query("update call_jobs set has_sums = false");
  expect(await retriesOf()).toEqual(left);
});

test("of the jobs that a far page skips, no rows are summed up", async () => {
  await pool.query(
    `insert into call_jobs (workspace_id, id, name, status, phone_number_ids, retry_config)
     select $1, uuidv7(), 'Job ' || i, 'COMPLETED', '{}', '{}' from generate_series(1, 2000) i`,
    [WORKSPACE],
  );
  const looksAtSums = async () => {
    await pool.query("select pg_stat_force_next_flush()");
    const found = await pool.query<{ n: number }>(
      "select (seq_scan + idx_scan)::int as n from pg_stat_user_tables where relname = 'job_row_sums'",
    );
    return found.rows[0]?.n ?? 0;
  };
  const before = await looksAtSums();
  const page = { page: 80, size: 20, after: undefined };
  const namesBy = async (by: "createdAt" | "name") =>
    (await listJobs(database.db, WORKSPACE, {}, { by, isDescending: false }, page)).map(({ name }) => name);
  expect(await namesBy("createdAt")).toEqual(Array.from({ length: 21 }, (_, i) => `Job ${1601 + i}`));
  expect(await namesBy("name")).toHaveLength(21);
  expect((await looksAtSums()) - before).toBeLessThan(2 * 22);
});
