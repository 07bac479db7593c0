import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rollUpRows } from "#src/interactions/call-jobs/row-sums.ts";
import { listRowGroups } from "#src/interactions/call-jobs/summary-store.ts";
import { readRows } from "#src/interactions/calls/list-rows.ts";
import { NO_JOB } from "#src/interactions/calls/new-row.ts";
import { countContacts, listContacts } from "#src/interactions/contacts/store.ts";
import { listDrilled } from "#src/interactions/results/drill-calls.ts";
import { readDrill } from "#src/interactions/results/drill.ts";
import { readFilters } from "#src/interactions/results/filters.ts";
import { listDeliveries } from "#src/interactions/webhooks/delivery-sql.ts";
import type { Database } from "#src/platform/db/database.ts";
import { countEntries as countAudited, listEntries as listAudited } from "#src/tenancy/audit/store.ts";
import { countEntries, listEntries } from "#src/tenancy/usage/store.ts";
import { costOf, looksAt, openForReads, settle } from "../kit/read-costs.ts";

/*
 * Lists of calls are measured by what they read, entry by entry of their indexes, where the planner's guesses are
 * wrong: states that never meet, a job whose rows are in none of them, words that are only in another job.
 */

const CALLS = 40_000;
const WAITING = 20_000;
const OVER = "33333333-3333-4333-8333-333333333333";
const QUEUED = "44444444-4444-4444-8444-444444444444";
const WORKSPACE = "55555555-5555-4555-8555-555555555555";

let database: Database;

/** Calls of the last days, the newest first: most were answered, one in ten was busy; and a job that waits, which is newer. */
const FILLING = `
insert into call_rows (workspace_id, id, job_id, session_id, status, outcome, customer_number, number_country, number_class,
  phone_number_id, contact_name, flow_api_id, created_at, ended_at)
select $1, uuidv7(make_interval(secs => -10 * i)), case when i % 3 = 0 then $2 else $3 end::uuid, gen_random_uuid(),
  case when i % 10 = 0 then 'FAILED' else 'COMPLETED' end, case when i % 10 = 0 then 'BUSY' else 'ANSWERED' end,
  '+4930' || lpad(i::text, 7, '0'), 'DE', 'MOBILE', gen_random_uuid(),
  case when i % 2 = 0 then 'Contact ' || i end, case when i % 20 = 0 then 'flow-c' else 'flow-a' end, now() - make_interval(secs => 10 * i), now()
  from generate_series(1, $4::int) i`;

const WAITING_ROWS = `
insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
  phone_number_id, contact_name, flow_api_id, due_at, window_opens_at)
select $1, uuidv7(), $2, gen_random_uuid(), 'QUEUED', '+4915' || lpad(i::text, 7, '0'), 'DE', 'MOBILE',
  gen_random_uuid(), 'Waiting ' || i, 'flow-b', d.at, case when i <= 30 then d.at end
  from generate_series(1, $3::int) i cross join (select now() + interval '1 day' as at) d`;

beforeAll(async () => {
  database = await openForReads(WORKSPACE);
  const { pool } = database;
  await pool.query(FILLING, [WORKSPACE, NO_JOB, OVER, CALLS]);
  await pool.query(WAITING_ROWS, [WORKSPACE, QUEUED, WAITING]);
  await pool.query(
    `insert into contacts (workspace_id, id, phone, name)
     select $1, uuidv7(), '+4930' || lpad(i::text, 7, '0'), 'Contact ' || i from generate_series(1, $2::int) i`,
    [WORKSPACE, CALLS],
  );
  await pool.query(
    `insert into usage_entries (workspace_id, id, kind, quantity, unit_price, amount, simulated, subject_type, subject_id,
       created_at)
     select $1, uuidv7(make_interval(mins => -i)), 'TELEPHONY_SECOND', 1, 1, 1, true, 'CALL', gen_random_uuid(),
       now() - make_interval(mins => i) from generate_series(1, $2::int) i`,
    [WORKSPACE, CALLS],
  );
  await settle(database.pool, "call_rows", "call_names", "call_numbers", "contacts", "usage_entries");
}, 240_000);
afterAll(() => database.close());

/** Rows and entries of indexes that were read so far. */
async function entriesRead(): Promise<number> {
  await database.pool.query("select pg_stat_force_next_flush()");
  const found = await database.pool.query<{ n: number }>(
    `select sum(coalesce(seq_tup_read, 0)
              + (select sum(idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid))::int as n
       from pg_stat_user_tables t where relname in ('call_rows', 'call_names', 'contacts', 'usage_entries')`,
  );
  return found.rows[0]?.n ?? 0;
}

const FIRST = { page: 0, size: 20, after: undefined };

type Query = Parameters<typeof readRows>[3];

/** Reads a list eight times: the sixth run of a prepared statement may go by a plan that knows no parameter. */
async function read(query: Query, jobId?: string) {
  const before = await entriesRead();
  let reply = await readRows(database, "http://x", WORKSPACE, query, jobId);
  for (let i = 1; i < 8; i++) reply = await readRows(database, "http://x", WORKSPACE, query, jobId);
  return { reply, entries: ((await entriesRead()) - before) / 8 };
}

describe("a list reads little where the planner guesses wrong:", { timeout: 60_000 }, () => {
  test.each<[name: string, query: Query, jobId: string | undefined, total: number, most: number]>([
    ["states that never meet", { status: ["COMPLETED"], outcome: ["BUSY"] }, undefined, 0, 100],
    ["a state that a job has not", { status: ["COMPLETED"] }, QUEUED, 0, 100],
    ["a flow that a job has not", { flowApiId: "flow-a" }, QUEUED, 0, 100],
    ["a flow of a job that waits", { flowApiId: "flow-b" }, undefined, 0, 100],
    ["a flow that few have", { flowApiId: "flow-c" }, undefined, 2_000, 2_100],
    ["the window for which few wait", { status: ["WAITING_FOR_WINDOW"] }, undefined, 30, 11_000],
    ["words of another job", { search: "contact" }, QUEUED, 0, 200],
    ["words of a job that waits", { search: "waiting" }, OVER, 0, 200],
    ["words that few have together", { search: "contact 39998" }, undefined, 1, 2_500],
    ["words of a state that few have", { search: "contact", status: ["SKIPPED"] }, undefined, 0, 200],
    ["numbers that few have", { customerNumberPrefix: "+493000012" }, undefined, 100, 800],
    ["numbers that some have", { customerNumberPrefix: "+4930001" }, undefined, 10_000, 40_000],
    ["digits that few numbers have", { search: "39998" }, undefined, 1, 500],
    ["a word of nobody and a part of many numbers", { search: "zebra 300" }, undefined, 0, 200],
  ])("%s", async (_, query, jobId, total, most) => {
    const { reply, entries } = await read(query, jobId);
    expect([reply.totalElements, reply.content.length]).toEqual([total, Math.min(total, 20)]);
    expect(entries).toBeLessThan(most);
  });
});

test("words that every second call has are found at the beginning of a list, and their number is not exact", async () => {
  const { reply, entries } = await read({ search: "con 1", size: 5 });
  expect(reply).toMatchObject({ totalIsExact: false, last: false });
  expect(reply.totalElements).toBeGreaterThan(5);
  expect(reply.content.map(({ contactName }) => contactName?.slice(0, 9))).toEqual(Array(5).fill("Contact 1"));
  expect(entries).toBeLessThan(20_000);
});

test("a row that is looked at for a word has it at the beginning of one, with accents or without", async () => {
  const { pool } = database;
  const names = ["Zo\u00eb \u00c7ontact", "Zoe Contact", "Zoe Xcontact", "Zo\u00eb X\u00e7ontact"];
  await pool.query(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
       phone_number_id, contact_name)
     select $1, uuidv7(), $2, gen_random_uuid(), 'COMPLETED', '+33999', 'FR', 'MOBILE', gen_random_uuid(), name
       from unnest($3::text[]) name`,
    [WORKSPACE, NO_JOB, names],
  );
  const { reply } = await read({ search: "contact zoe" });
  expect(new Set(reply.content.map(({ contactName }) => contactName))).toEqual(new Set(names.slice(0, 2)));
  await pool.query("delete from call_rows where customer_number = '+33999'");
});

test("digits that very many numbers have are found at the beginning of a list", async () => {
  const { reply, entries } = await read({ search: "300" });
  expect(reply).toMatchObject({ totalIsExact: false, last: false });
  expect(reply.content).toHaveLength(20);
  expect(entries).toBeLessThan(60_000);
});

test("single calls that wait or are live ask no job", async () => {
  const { pool } = database;
  await pool.query(
    `insert into call_jobs (workspace_id, id, name, status, phone_number_ids, retry_config)
     select $1, gen_random_uuid(), 'Over ' || i, 'COMPLETED', '{}', '{}' from generate_series(1, 3) i`,
    [WORKSPACE],
  );
  const made = await pool.query<{ id: string }>(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
       phone_number_id)
     select $1, uuidv7(), $2, gen_random_uuid(), case when i % 2 = 0 then 'QUEUED' else 'DIALING' end, '+33777' || i, 'FR',
       'MOBILE', gen_random_uuid() from generate_series(1, 30) i returning id`,
    [WORKSPACE, NO_JOB],
  );
  const looks = await looksAt(pool, "call_jobs", async () => {
    const { reply } = await read({});
    expect(new Set(reply.content.map(({ status }) => status))).toEqual(new Set(["QUEUED", "DIALING"]));
  });
  expect(looks).toBe(0);
  await pool.query("delete from call_rows where id = any($1)", [made.rows.map(({ id }) => id)]);
});

test("an outcome of a long time is counted among its first calls", async () => {
  const createdAfter = new Date(Date.now() - 30 * 86_400_000).toISOString();
  const { reply, entries } = await read({ outcome: ["ANSWERED"], createdAfter });
  expect(reply).toMatchObject({ totalElements: 9_000, totalIsExact: false });
  expect(reply.content).toHaveLength(20);
  expect(entries).toBeLessThan(21_000);
});

test("the rows of a job are counted by their states without looking at them", async () => {
  await database.pool.query(
    `insert into call_jobs (workspace_id, id, name, status, phone_number_ids, retry_config, total_rows)
     select workspace_id, job_id, 'Summed up', 'RUNNING', '{}', '{}', count(*)::int from call_rows
      where workspace_id = $1 and job_id = any($2) group by 1, 2`,
    [WORKSPACE, [OVER, QUEUED]],
  );
  await rollUpRows(database.pool);
  const { rows, entries } = await costOf(database.pool, "call_rows", async () => {
    expect(await listRowGroups(database.db, WORKSPACE, QUEUED)).toMatchObject([
      { part: "OPENING", status: "QUEUED", count: 30 },
      { part: "ALL", count: WAITING },
    ]);
    const over = await listRowGroups(database.db, WORKSPACE, OVER);
    expect(over.filter(({ part }) => part === "COUNTED").reduce((sum, { count }) => sum + count, 0)).toBe(
      over.find(({ part }) => part === "ALL")?.count,
    );
  });
  expect(rows).toBeLessThan(100);
  expect(entries).toBeLessThan(200);
});

test("contacts with a rare name are read by their names", async () => {
  const before = await entriesRead();
  const newest = { by: "createdAt", isDescending: true } as const;
  const found = await listContacts(database.db, WORKSPACE, { name: "Contact 3999" }, newest, FIRST);
  expect(found.map(({ name }) => name)).toEqual([
    ...Array.from({ length: 10 }, (_, i) => `Contact ${39_999 - i}`),
    "Contact 3999",
  ]);
  expect(await countContacts(database.db, WORKSPACE, { name: "zebra" }, newest)).toBe(0);
  expect(await listContacts(database.db, WORKSPACE, { name: "zebra" }, newest, { ...FIRST, size: 1 })).toEqual([]);
  expect((await entriesRead()) - before).toBeLessThan(200);
});

test("costs of a kind that never occurs are not looked for", async () => {
  const before = await entriesRead();
  expect(await listEntries(database.db, WORKSPACE, { kind: "SMS_SEGMENT" }, FIRST)).toEqual([]);
  expect(await countEntries(database.db, WORKSPACE, { kind: "SMS_SEGMENT" })).toBe(0);
  expect((await entriesRead()) - before).toBeLessThan(100);
});

test("of a state that many rows have, those at the beginning of the list are read", async () => {
  // The planner takes the workspace for a two-hundredth of all calls.
  const { entries } = await costOf(database.pool, "call_rows", () =>
    read({ outcome: ["ANSWERED"], flowApiId: "flow-a" }),
  );
  expect(entries).toBeLessThan(8 * 13_000);
});

test("of a flow and a time, only the calls of the hours at its ends are looked at", async () => {
  await settle(database.pool, "call_rows");
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  const { rows } = await costOf(database.pool, "call_rows", async () => {
    const { reply } = await read({ flowApiId: "flow-c", createdAfter: daysAgo(3), createdBefore: daysAgo(1) });
    expect([reply.totalElements, reply.totalIsExact, reply.content.length]).toEqual([864, true, 20]);
    const short = { flowApiId: "flow-c", createdAfter: daysAgo(1.02), createdBefore: daysAgo(1) };
    expect((await readRows(database, "http://x", WORKSPACE, short)).totalElements).toBeGreaterThanOrEqual(8);
  });
  expect(rows).toBeLessThan(9 * 300);
});

test("the last page that is counted of a state that many rows have is read in the order of the list", async () => {
  const last = { page: 499, size: 20 };
  const { entries } = await costOf(database.pool, "call_rows", async () => {
    const { reply } = await read({ status: ["COMPLETED"], ...last });
    expect([reply.content.length, reply.last]).toEqual([20, false]);
  });
  // A count of 10,001, and as many rows until the page is whole.
  expect(entries).toBeLessThan(8 * 22_000);
});

test("of numbers that start alike, no call is looked at but those of the page", async () => {
  await settle(database.pool, "call_rows");
  await read({ customerNumberPrefix: "+4930001" });
  // A plan for any number would read all calls of the workspace.
  const prepared = await database.pool.query("select from pg_prepared_statements where strpos(statement, '~>=~') > 0");
  expect(prepared.rowCount).toBe(0);
  const { rows } = await costOf(database.pool, "call_rows", () => read({ customerNumberPrefix: "+4930001" }));
  expect(rows).toBeLessThan(8 * 100);
});

test("the calls of a flow or a job behind a figure are found without the facts of all others", async () => {
  const { pool } = database;
  // A quarter of an hour has 90 calls, of which the flow has four or five.
  await pool.query(
    `insert into call_facts (workspace_id, row_id, sums, field_values)
     select workspace_id, id, jsonb_build_array(jsonb_build_object('key', jsonb_build_array(
         date_bin('15 minutes', created_at, '2000-01-01'), job_id, flow_api_id, '1', phone_number_id, 'OUTBOUND', outcome, ''),
         'figures', '[1,1,1,0,1,0,0,1,1,0]'::jsonb)), 'null'
       from call_rows where workspace_id = $1 and flow_api_id <> 'flow-b'`,
    [WORKSPACE],
  );
  await pool.query(
    `insert into result_sums (workspace_id, bucket_at, job_id, flow_api_id, flow_version, phone_number_id, channel, outcome,
       reason, calls, dialled, persons, machines, talked, goals, call_ms, billed, simulated, dials, dial_persons, dial_machines)
     select workspace_id, date_bin('15 minutes', created_at, '2000-01-01'), job_id, flow_api_id, 1, $2, 'OUTBOUND', outcome, '',
       count(*), count(*), 0, 0, 0, 0, 0, 0, 0, count(*), 0, 0
       from call_rows where workspace_id = $1 and flow_api_id <> 'flow-b' group by 1, 2, 3, 4, 8`,
    [WORKSPACE, NO_JOB],
  );
  await settle(database.pool, "call_facts", "result_calls", "result_sums");
  const ofFlow = { ...readFilters(WORKSPACE, { flowApiId: "flow-c" }) };
  const drill = readDrill({}, ofFlow);
  let found: string[] = [];
  const { rows } = await costOf(database.pool, "call_facts", async () => {
    const { content } = await listDrilled(database, "http://x", ofFlow, drill, { ...FIRST, size: 50 });
    found = content.map(({ id }) => id);
  });
  expect(rows).toBeLessThan(150);
  const { reply } = await read({ flowApiId: "flow-c", size: 50 });
  expect(found.toSorted()).toEqual(reply.content.map(({ id }) => id).toSorted());
});

test("the rows of a job that wait for another attempt are summed up without looking at them", async () => {
  const { pool } = database;
  const job = "66666666-6666-4666-8666-666666666666";
  await pool.query(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
       phone_number_id, attempts_made, due_at)
     select $1, uuidv7(), $2, gen_random_uuid(), 'WAITING_FOR_RETRY', '+33777' || i, 'FR', 'MOBILE', gen_random_uuid(),
       1 + i % 2, now() + make_interval(hours => i % 2) from generate_series(1, $3::int) i`,
    [WORKSPACE, job, WAITING],
  );
  await settle(database.pool, "call_rows");
  const { rows } = await costOf(database.pool, "call_rows", async () => {
    const groups = await listRowGroups(database.db, WORKSPACE, job);
    expect(groups.toSorted((a, b) => a.attempts_made - b.attempts_made)).toMatchObject([
      { part: "COUNTED", status: "WAITING_FOR_RETRY", attempts_made: 1, count: WAITING / 2 },
      { part: "COUNTED", status: "WAITING_FOR_RETRY", attempts_made: 2, count: WAITING / 2 },
    ]);
    expect(groups[0]?.first_due).toEqual(groups[0]?.last_due);
  });
  expect(rows).toBeLessThan(100);
  await pool.query("delete from call_rows where job_id = $1", [job]);
});

test("deliveries that were given up are found among many that arrived", async () => {
  const { pool } = database;
  await pool.query(
    `insert into tasks (id, workspace_id, kind, subject_id, payload, status, created_at, finished_at)
     select gen_random_uuid(), $1, 'session.event', gen_random_uuid(), '{}', case when i % 1000 = 0 then 'DEAD' else 'DONE' end,
       now() - make_interval(secs => i), now() from generate_series(1, 20000) i`,
    [WORKSPACE],
  );
  await settle(database.pool, "tasks");
  const list = async (status: "DEAD" | undefined) => {
    const { rows, count } = await listDeliveries(database.db, WORKSPACE, FIRST, { status, rowId: undefined });
    return [rows.length, await count()];
  };
  const dead = await costOf(database.pool, "tasks", async () => expect(await list("DEAD")).toEqual([20, 20]));
  expect(dead.entries).toBeLessThan(200);
  const all = await costOf(database.pool, "tasks", async () => expect(await list(undefined)).toEqual([21, 10_001]));
  expect(all.rows).toBeLessThan(200);
});

test("audit entries of a time in the past are not looked for among all later ones", async () => {
  await database.pool.query(
    `insert into audit_log (workspace_id, id, actor_kind, actor, action, created_at)
     select $1, uuidv7(make_interval(mins => -i)), 'USER', 'somebody', 'flows.saved', now() - make_interval(mins => i)
       from generate_series(1, 20000) i`,
    [WORKSPACE],
  );
  await settle(database.pool, "audit_log");
  const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
  const time = { from: hoursAgo(301), to: hoursAgo(300), actor: "some" };
  const { rows } = await costOf(database.pool, "audit_log", async () => {
    expect(await listAudited(database.db, WORKSPACE, FIRST, time)).toHaveLength(21);
    expect(await countAudited(database.db, WORKSPACE, time)).toBe(60);
  });
  expect(rows).toBeLessThan(500);
  const all = await costOf(database.pool, "audit_log", async () =>
    expect(await countAudited(database.db, WORKSPACE, {})).toBe(10_001),
  );
  expect(all.rows).toBeLessThan(100);
  const nobody = await costOf(database.pool, "audit_log", async () => {
    expect(await listAudited(database.db, WORKSPACE, FIRST, { actor: "nobody" })).toEqual([]);
    expect(await countAudited(database.db, WORKSPACE, { actor: "nobody" })).toBe(0);
  });
  expect(nobody.entries).toBeLessThan(20);
});
