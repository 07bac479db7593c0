import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readRows } from "#src/interactions/calls/list-rows.ts";
import { NO_JOB } from "#src/interactions/calls/new-row.ts";
import { findSpokenCalls } from "#src/interactions/calls/spoken-sql.ts";
import { type Database, openDatabase } from "#src/platform/db/database.ts";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { costOf, settle } from "../kit/read-costs.ts";

/* Lists of calls whose pages are far from the beginning of the history, measured by what they read. */

const CALLS = 40_000;
const JOB = "33333333-3333-4333-8333-333333333333";
const WAITING_JOB = "44444444-4444-4444-8444-444444444444";
const WORKSPACE = "55555555-5555-4555-8555-555555555555";

let template: TestDatabase;
let database: Database;
let pool: pg.Pool;

/** Calls of the last days, the newest first; and a job that waits. */
const FILLING = `
insert into call_rows (workspace_id, id, job_id, session_id, status, outcome, customer_number, number_country, number_class,
  phone_number_id, contact_name, created_at, ended_at)
select $1, uuidv7(make_interval(secs => -10 * i)), case when i % 3 = 0 then $2 else $3 end::uuid, gen_random_uuid(),
  'COMPLETED', 'ANSWERED', '+4930' || lpad(i::text, 7, '0'), 'DE', 'MOBILE', gen_random_uuid(),
  case when i % 2 = 0 then 'Contact ' || i end, now() - make_interval(secs => 10 * i), now()
  from generate_series(1, $4::int) i`;
const WAITING_ROWS = `
insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
  phone_number_id)
select $1, uuidv7(), $2, gen_random_uuid(), 'QUEUED', '+4915' || lpad(i::text, 7, '0'), 'DE', 'MOBILE', gen_random_uuid()
  from generate_series(1, 20001) i`;

beforeAll(async () => {
  template = await createDatabase();
  database = openDatabase({ connectionString: template.url }, { max: 1 }, () => undefined);
  ({ pool } = database);
  await pool.query(FILLING, [WORKSPACE, NO_JOB, JOB, CALLS]);
  await pool.query(WAITING_ROWS, [WORKSPACE, WAITING_JOB]);
  await settle(pool, "call_rows", "call_names", "call_numbers");
}, 240_000);
afterAll(async () => {
  await database.close();
  await template.drop();
});

type Query = Parameters<typeof readRows>[3];

/** Reads a list eight times: the sixth run of a prepared statement may go by a plan that knows no parameter. */
async function read(query: Query, jobId?: string) {
  const list = () => readRows(database, "http://x", WORKSPACE, query, jobId);
  let reply = await list();
  const names: number[] = [];
  const { entries, rows } = await costOf(pool, "call_rows", async () => {
    const ofNames = await costOf(pool, "call_names", async () => {
      for (let i = 0; i < 8; i++) reply = await list();
    });
    names.push(ofNames.entries);
  });
  return { reply, entries: (entries + (names[0] ?? 0)) / 8, rows: rows / 8 };
}

test("a call that is found by its number is not looked up once more by its id", async () => {
  const { reply, entries } = await read({ search: "contact 395" });
  expect(reply.totalElements).toBeGreaterThan(50);
  expect(reply.content.every(({ contactName }) => contactName?.startsWith("Contact"))).toBe(true);
  expect(entries).toBeLessThan(2_470);
});

describe("what no newer call came to is found without all newer calls:", { timeout: 60_000 }, () => {
  const OLD = 12_000;
  beforeAll(async () => {
    const older = `insert into call_rows (workspace_id, id, job_id, session_id, status, outcome, customer_number,
       number_country, number_class, phone_number_id, attempts_made, due_at, created_at)
     select $1, uuidv7(make_interval(days => -20, secs => -i)), $2, gen_random_uuid(), $3, $4, '+33777', 'FR', 'MOBILE',
       gen_random_uuid(), 1, now() + interval '1 day', now() from generate_series(1, $5::int) i`;
    await pool.query(older, [WORKSPACE, JOB, "CANCELLED", "CANCELLED", OLD]);
    await pool.query(older, [WORKSPACE, JOB, "WAITING_FOR_RETRY", "NO_ANSWER", OLD]);
    // Dialled again, with the outcome of the try before.
    await pool.query(older, [WORKSPACE, JOB, "DIALING", "NO_ANSWER", 5]);
    await settle(pool, "call_rows");
  }, 60_000);
  afterAll(() => pool.query("delete from call_rows where customer_number = '+33777'"));

  test.each<[name: string, query: Query, jobId: string | undefined, most: number]>([
    ["a state", { status: ["CANCELLED"] }, undefined, 12_500],
    ["a state of a job", { status: ["CANCELLED"], sort: "-createdAt" }, JOB, 12_500],
    ["a state, a far page", { status: ["CANCELLED"], page: 499 }, undefined, 20_200],
    ["an outcome, a far page", { outcome: ["CANCELLED"], page: 499 }, undefined, 20_200],
    ["rows that wait for a retry", { status: ["WAITING_FOR_RETRY"] }, undefined, 20_300],
    ["rows of a job that wait for a retry", { status: ["WAITING_FOR_RETRY"], sort: "-createdAt" }, JOB, 22_500],
    ["an outcome of rows that are tried again", { outcome: ["NO_ANSWER"] }, undefined, 12_500],
  ])("%s", async (_, query, jobId, most) => {
    const { reply, entries } = await read(query, jobId);
    expect([reply.totalIsExact, reply.content.length, reply.last]).toEqual([false, 20, false]);
    expect(entries).toBeLessThan(most);
  });

  test("every call of an outcome is in its list, in order", async () => {
    const listed: string[] = [];
    let next: { cursor?: string } | undefined = {};
    while (next) {
      const query: Query = { outcome: ["NO_ANSWER"], size: 200, ...next };
      const { content, nextCursor } = await readRows(database, "http://x", WORKSPACE, query);
      listed.push(...content.map(({ id }) => id));
      next = nextCursor === null ? undefined : { cursor: nextCursor };
    }
    expect(listed).toHaveLength(OLD + 5);
    expect(listed).toEqual(listed.toSorted().toReversed());
    expect(new Set(listed).size).toBe(OLD + 5);
  });
});

test("the calls of a long time are counted by their ids", async () => {
  await settle(pool, "call_rows");
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const { reply, rows } = await read({ createdAfter: daysAgo(4), createdBefore: daysAgo(2) });
  expect([reply.totalElements, reply.totalIsExact, reply.content.length]).toEqual([10_000, false, 20]);
  expect(reply.content.every(({ createdAt }) => createdAt < daysAgo(2))).toBe(true);
  // Those of the two hours after the time, and those of the page.
  expect(rows).toBeLessThan(900);
});

test("of a word that most names have, not all are counted where another word is rarer", async () => {
  await pool.query(
    `insert into call_names (workspace_id, word, row_id) select $1, 'contact', uuidv7() from generate_series(1, 100000)`,
    [WORKSPACE],
  );
  await pool.query(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
       phone_number_id, contact_name)
     select $1, uuidv7(make_interval(days => -20, secs => -i)), $2, gen_random_uuid(), 'COMPLETED', '+33778', 'FR', 'MOBILE',
       gen_random_uuid(), 'Contact Zoe' from generate_series(1, 2500) i`,
    [WORKSPACE, NO_JOB],
  );
  const { reply, entries } = await read({ search: "contact zoe" });
  expect(reply).toMatchObject({ totalElements: 1_000, totalIsExact: false });
  expect(reply.content.every(({ contactName }) => contactName === "Contact Zoe")).toBe(true);
  expect(entries).toBeLessThan(50_000);
  await pool.query("delete from call_rows where customer_number = '+33778'");
  await pool.query("delete from call_names where word = 'contact' and row_id not in (select id from call_rows)");
});

test("a search by digits at the beginning of a list reads until its page is whole", async () => {
  // All numbers of the job that waits have them, and twelve of the first 2,000 of the history.
  const { reply, entries } = await read({ search: "150" });
  expect(reply).toMatchObject({ totalIsExact: false, totalElements: 21, last: false });
  expect(reply.content).toHaveLength(20);
  expect(entries).toBeLessThan(16_000);
});

test("the last calls of a flow that hardly any call has are found without all others", async () => {
  const flow = { id: "77777777-7777-4777-8777-777777777777", apiId: "flow-now" };
  const made = await pool.query<{ id: string; flow_api_id: string }>(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
       phone_number_id, flow_id, flow_api_id, ended_at)
     select $1, uuidv7(make_interval(secs => -i)), $2, gen_random_uuid(), 'COMPLETED', '+33779', 'FR', 'MOBILE',
       gen_random_uuid(), $3, case when i <= 10 then $4 else 'flow-before' end, now()
       from generate_series(1, 20) i returning id, flow_api_id`,
    [WORKSPACE, NO_JOB, flow.id, flow.apiId],
  );
  const ids = made.rows
    .map(({ id }) => id)
    .toSorted()
    .toReversed();
  await pool.query(
    `insert into call_results (workspace_id, row_id, transcript, structured_outputs, extracted_fields, duration_ms, model_ms,
       usage, recorded) select $1, unnest($2::uuid[]), '[{}]', '{}', '{}', 1, '[]', '{}', false`,
    [WORKSPACE, ids],
  );
  const find = (limit: number) => findSpokenCalls(database.db, WORKSPACE, { flow, jobId: undefined, limit });
  const named = await costOf(pool, "call_rows", async () => expect(await find(10)).toEqual(ids.slice(0, 10)));
  expect(named.rows).toBeLessThan(100);
  const all = await costOf(pool, "call_rows", async () => expect(await find(50)).toEqual(ids));
  expect(all.rows).toBeLessThan(25_000);
  await pool.query("delete from call_results where row_id = any($1)", [ids]);
  await pool.query("delete from call_rows where id = any($1)", [ids]);
});
