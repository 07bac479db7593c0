import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rollUpRows } from "#src/interactions/call-jobs/row-sums.ts";
import { findJob, listJobs } from "#src/interactions/call-jobs/store.ts";
import { readRows } from "#src/interactions/calls/list-rows.ts";
import { NO_JOB } from "#src/interactions/calls/new-row.ts";
import { listContacts } from "#src/interactions/contacts/store.ts";
import type { Database } from "#src/platform/db/database.ts";
import { getDoNotCall, listEntries } from "#src/tenancy/compliance/do-not-call-list.ts";
import { countRecordings, listRecordings } from "#src/workbench/transcriptions/store.ts";
import { costOf, looksAt, mostReadOf, openForReads, settle } from "../kit/read-costs.ts";

/*
 * Pages of long lists. The planner takes a workspace for a two-hundredth of all rows, and would rather read all of a short
 * list and sort it than read the beginning of an index.
 */

const MANY = 40_000;
const WORKSPACE = "55555555-5555-4555-8555-555555555555";
const JOB = "33333333-3333-4333-8333-333333333333";
const FIRST = { page: 0, size: 20, after: undefined };

let database: Database;
let pool: pg.Pool;

beforeAll(async () => {
  database = await openForReads(WORKSPACE);
  ({ pool } = database);
});
afterAll(() => database.close());

test("the longest calls of all are the first of an index", async () => {
  await pool.query(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, outcome, customer_number, number_country,
       number_class, phone_number_id, ended_at)
     select $1, uuidv7(make_interval(secs => -i)), $2, gen_random_uuid(), 'COMPLETED', 'ANSWERED', '+49300' || i, 'DE', 'MOBILE',
       gen_random_uuid(), now() from generate_series(1, $3::int) i`,
    [WORKSPACE, NO_JOB, MANY],
  );
  await pool.query(
    `insert into call_facts (workspace_id, row_id, sums, field_values, duration_ms, cost)
     select workspace_id, id, '[]', 'null', 1 + hashtext(id::text) & 65535, 0 from call_rows`,
  );
  await settle(pool, "call_rows", "call_facts");
  const longest = { sort: "-durationSeconds" as const };
  for (const table of ["call_rows", "call_facts"]) {
    const cost = await mostReadOf(pool, table, async () => {
      expect((await readRows(database, "http://x", WORKSPACE, longest)).content).toHaveLength(20);
    });
    // The count ends at 10,001.
    expect(cost).toBeLessThan(table === "call_facts" ? 10_200 : 200);
  }
});

test("contacts whose name begins as most do are found among the newest", async () => {
  await pool.query(
    `insert into contacts (workspace_id, id, phone, name)
     select $1, uuidv7(make_interval(secs => -i)), '+4930' || lpad(i::text, 7, '0'), 'Contact ' || i
       from generate_series(1, $2::int) i`,
    [WORKSPACE, MANY],
  );
  await settle(pool, "contacts");
  const newest = { by: "createdAt", isDescending: true } as const;
  const cost = await mostReadOf(pool, "contacts", async () => {
    const found = await listContacts(database.db, WORKSPACE, { name: "con" }, newest, FIRST);
    expect(found[0]?.name).toBe("Contact 1");
    expect(found).toHaveLength(21);
  });
  // A thousand show that they are not few.
  expect(cost).toBeLessThan(1_200);
});

test("a page of the do-not-call ledger reads as many entries as it has", async () => {
  await pool.query(
    `insert into do_not_call (workspace_id, number, source)
     select $1, '+4917' || lpad(i::text, 7, '0'), case when i % 2 = 0 then 'OPERATOR' else 'STOP_KEYWORD' end
       from generate_series(1, $2::int) i`,
    [WORKSPACE, MANY],
  );
  await settle(pool, "do_not_call");
  const list = (after: string, startsWith: string) =>
    listEntries(database.db, WORKSPACE, { size: 20, after, source: "OPERATOR", startsWith });
  const cost = await mostReadOf(pool, "do_not_call", async () => {
    expect((await list("", ""))[0]?.number).toBe("+49170000002");
    expect((await list("+49170020002", ""))[0]?.number).toBe("+49170020004");
    const found = await list("", "+4917002");
    expect([found.length, found[0]?.number, found[19]?.number]).toEqual([20, "+49170020000", "+49170020038"]);
    expect((await list("+49170020002", "+4917002"))[0]?.number).toBe("+49170020004");
    // Nothing behind the few that begin so is read.
    expect(await list("", "+4917000000")).toHaveLength(4);
  });
  expect(cost).toBeLessThan(5 * 50);
  const page = { page: 1, size: 20, startsWith: "+4917002" };
  const shown = await mostReadOf(pool, "do_not_call", async () => {
    const { content, totalElements } = await getDoNotCall(database.db, WORKSPACE, page);
    expect([content.length, content[0]?.number, totalElements]).toEqual([20, "+49170020020", 10_000]);
  });
  // The count reads all that begin so, up to 10,001.
  expect(shown).toBeLessThan(10_100);
});

test("a recording is found by its external id among many of its job", async () => {
  await pool.query(
    `insert into transcription_jobs (workspace_id, id, name, provider, metadata_fields, retain_audio)
     values ($1, $2, 'j', 'SANDBOX', '[]', false)`,
    [WORKSPACE, JOB],
  );
  await pool.query(
    `insert into transcription_rows (workspace_id, id, job_id, external_id, status, provider, metadata,
       unknown_metadata_keys)
     select $1, uuidv7(), $2, 'r' || i, 'COMPLETED', 'SANDBOX', '{}', '{}' from generate_series(1, $3::int) i`,
    [WORKSPACE, JOB, MANY],
  );
  await settle(pool, "transcription_rows");
  const filter = { externalId: "r777" };
  await pool.query("set plan_cache_mode = force_generic_plan");
  const cost = await mostReadOf(pool, "transcription_rows", async () => {
    expect(await listRecordings(database.db, WORKSPACE, JOB, filter, FIRST)).toHaveLength(1);
    expect(await countRecordings(database.db, WORKSPACE, JOB, filter)).toBe(1);
  });
  await pool.query("reset plan_cache_mode");
  expect(cost).toBeLessThan(10);
});

test("the rows of a job that wait for another attempt are counted without looking at them", async () => {
  await pool.query(
    `insert into call_jobs (workspace_id, id, name, status, phone_number_ids, retry_config, total_rows)
     values ($1, $2, 'Tried once', 'RUNNING', '{}', '{}', $3)`,
    [WORKSPACE, JOB, MANY],
  );
  await pool.query(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
       phone_number_id, attempts_made, due_at)
     select $1, uuidv7(), $2, gen_random_uuid(), 'WAITING_FOR_RETRY', '+33777' || i, 'FR', 'MOBILE', gen_random_uuid(),
       1, now() + interval '1 day' from generate_series(1, $3::int) i`,
    [WORKSPACE, JOB, MANY],
  );
  await settle(pool, "call_rows");
  const retriesOf = async () => {
    const [listed] = await listJobs(database.db, WORKSPACE, {}, { by: "createdAt", isDescending: true }, FIRST);
    return [listed?.retry_rows, (await findJob(database.db, WORKSPACE, JOB))?.retry_rows];
  };
  await pool.query(
    "update call_rows set status = 'FAILED' where id = (select id from call_rows where job_id = $1 limit 1)",
    [JOB],
  );
  const left = Array(2).fill(MANY - 1);
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
  const page = { page: 80, size: 20, after: undefined };
  const namesBy = async (by: "createdAt" | "name") =>
    (await listJobs(database.db, WORKSPACE, {}, { by, isDescending: false }, page)).map(({ name }) => name);
  const looks = await looksAt(pool, "job_row_sums", async () => {
    expect(await namesBy("createdAt")).toEqual(Array.from({ length: 21 }, (_, i) => `Job ${1601 + i}`));
    expect(await namesBy("name")).toHaveLength(21);
  });
  expect(looks).toBeLessThan(2 * 22);
});
