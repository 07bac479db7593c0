import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countVisits } from "#src/authoring/flows/stage-funnel-sql.ts";
import { countResults } from "#src/authoring/flows/version-sql.ts";
import { readRows } from "#src/interactions/calls/list-rows.ts";
import { backfillSome } from "#src/interactions/results/backfill.ts";
import { readFilters } from "#src/interactions/results/filters.ts";
import { foldResults } from "#src/interactions/results/fold.ts";
import { getResults } from "#src/interactions/results/results.ts";
import type { Database } from "#src/platform/db/database.ts";
import { lowestIdAt } from "#src/platform/kernel/id.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import { countEntries, listEntries } from "#src/tenancy/usage/store.ts";
import { costOf, meanCostOf, openForReads, settle } from "../kit/read-costs.ts";

/* Figures of what was: they may not cost more the more there was, or are read once, from an index alone. */

const MANY = 40_000;
const WORKSPACE = "55555555-5555-4555-8555-555555555555";
const FLOW = "33333333-3333-4333-8333-333333333333";
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

let database: Database;
let pool: pg.Pool;

beforeAll(async () => {
  database = await openForReads(WORKSPACE);
  ({ pool } = database);
});
afterAll(() => database.close());

test("a funnel reads an index once, and no visit", async () => {
  await pool.query(
    `insert into stage_visits (workspace_id, session_id, position, flow_id, flow_version, stage_id, entered_at, seconds,
       edge_id, is_last)
     select $1, md5(i::text)::uuid, p, $2, 1, 'stage-' || p, now() - make_interval(secs => i - p), p,
       case p when 0 then 'on' end, p = 1 from generate_series(1, $3::int / 2) i, generate_series(0, 1) p`,
    [WORKSPACE, FLOW, MANY],
  );
  await settle(pool, "stage_visits");
  const span = { workspaceId: WORKSPACE, flowId: FLOW, version: 1, from: new Date(0), to: new Date() };
  const cost = await costOf(pool, "stage_visits", async () => {
    const { sessions, stages, edges } = await countVisits(database.db, span);
    expect(sessions).toBe(MANY / 2);
    expect(stages).toEqual([
      { stage_id: "stage-0", entered: MANY / 2, ended_here: 0, median_seconds: 0 },
      { stage_id: "stage-1", entered: MANY / 2, ended_here: MANY / 2, median_seconds: 1 },
    ]);
    expect(edges).toEqual([{ stage_id: "stage-0", edge_id: "on", taken: MANY / 2 }]);
    expect(await countVisits(database.db, { ...span, version: 2 })).toEqual({ sessions: 0, stages: [], edges: [] });
  });
  expect(cost.rows).toBe(0);
  expect(cost.entries).toBeLessThan(MANY + 100);
});

/** Inserts sums of quarters of an hour, under as many flows, numbers and outcomes. */
const addSums = (quarters: number, from: number) =>
  pool.query(
    `insert into result_sums (workspace_id, bucket_at, job_id, flow_api_id, flow_version, phone_number_id, channel, outcome,
       reason, calls, dialled, persons, machines, talked, goals, call_ms, billed, simulated, dials, dial_persons,
       dial_machines)
     select $1, date_bin('15 minutes', now() - make_interval(mins => 15 * q), '2000-01-01'), $2, 'flow-' || k % 3, 1 + k % 2,
       $2, 'OUTBOUND', case k % 2 when 0 then 'ANSWERED' else 'BUSY' end, case k % 5 when 0 then 'LIMIT_TURNS' else '' end,
       1 + k, 1 + k, k, 0, k, k, 1000 * q, 0.01 * k, 0.02, case k % 5 when 0 then 0 else 2 + k end, sign(k % 5), sign(k % 5)
       from generate_series($3::int, $4::int) q, generate_series(1, 10) k
     on conflict do nothing`,
    [WORKSPACE, FLOW, from, from + quarters - 1],
  );
const setFilled = (isFilled: boolean) => pool.query("update result_filling set is_done = $1", [isFilled]);

test("results read totals of days, not the quarters of an hour, and come to the same", async () => {
  await addSums(MANY / 10, 0);
  await settle(pool, "result_sums", "result_totals");
  const asked = [
    {},
    { timeZone: "Asia/Kolkata", lastDays: 20 },
    { timeZone: "America/New_York", flowApiId: "flow-1", flowVersion: 2 },
    { jobId: FLOW },
    { from: daysAgo(9), to: daysAgo(3), channel: "OUTBOUND" as const },
    { from: daysAgo(9), to: daysAgo(3), timeZone: "Pacific/Auckland" },
    { from: daysAgo(3), to: daysAgo(3), timeZone: "Europe/Berlin" },
    { from: daysAgo(90), to: daysAgo(60), flowApiId: "flow-9" },
  ];
  const readAll = async (isFilled: boolean) => {
    await setFilled(isFilled);
    const found = [];
    for (const query of asked) {
      const { asOf: _, ...rest } = await getResults(database.db, readFilters(WORKSPACE, query));
      found.push(rest);
    }
    return found;
  };
  const before = await readAll(false);
  expect(before[0]?.funnel.calls).toBeGreaterThan(100_000);
  expect(before[0]?.hours).toHaveLength(7 * 24);
  expect(await readAll(true)).toEqual(before);
  const read = async () => void (await getResults(database.db, readFilters(WORKSPACE, { timeZone: "Europe/Berlin" })));
  // One day, of which some is before the first whole one.
  expect((await meanCostOf(pool, "result_sums", read)).entries).toBeLessThan(1_000);
  // Dials of each quarter in 30 days under six flows and versions, and those days.
  expect((await meanCostOf(pool, "result_totals", read)).entries).toBeLessThan(30 * 97 * 8);
});

test("totals follow each change of the sums, and those of earlier versions are added", async () => {
  const sumOf = async (table: string, only: string) =>
    (
      await pool.query(
        `select sum(calls) as calls, sum(billed) as billed, sum(call_ms) as ms, sum(dials) as dials, sum(dial_persons) as p
           from ${table} where ${only}`,
      )
    ).rows[0] as { calls: string; dials: string };
  const expectSame = async () => {
    const sums = await sumOf("result_sums", "true");
    expect(await sumOf("result_totals", "grain = 'DAY'")).toEqual(sums);
    expect((await sumOf("result_totals", "grain = 'QUARTER'")).dials).toBe(
      (await sumOf("result_sums", "dials > 0")).dials,
    );
    return sums;
  };
  const first = await expectSame();
  await pool.query(
    "update result_sums set calls = calls + 3, billed = billed * 2, dials = 0, dial_persons = 0 where flow_version = 1",
  );
  expect(await expectSame()).not.toEqual(first);
  await pool.query("delete from result_sums where flow_api_id = 'flow-1'");
  await expectSame();
  await addSums(200, 0);
  const left = await expectSame();
  await pool.query("update result_totals set calls = calls + 1 where grain = 'DAY'");
  await pool.query("delete from result_totals where flow_version = 2");
  await pool.query("update result_filling set is_done = false");
  // Forty days a run.
  for (let runs = 0; runs < 2; runs++) await foldResults(pool, createLog("silent"));
  expect(await expectSame()).toEqual(left);
  expect((await pool.query("select is_done from result_filling")).rows).toEqual([{ is_done: true }]);
  await pool.query("truncate result_sums, result_totals");
  await expectSame();
});

test("the totals of a day of very many sums are added in steps, between which sums may change", async () => {
  const manyJobs = (from: number, to: number) =>
    pool.query(
      `insert into result_sums (workspace_id, bucket_at, job_id, flow_api_id, flow_version, phone_number_id, channel, outcome,
         reason, calls, dialled, persons, machines, talked, goals, call_ms, billed, simulated, dials, dial_persons,
         dial_machines)
       select $1, '2026-03-01T00:00Z'::timestamptz + make_interval(mins => 15 * (j % 4)), md5((j / 8)::text)::uuid, 'f', 1, $2,
         'OUTBOUND', case when j % 8 < 4 then 'ANSWERED' else 'BUSY' end, '', 1, 1, 1, 0, 1, 1, j, 0.01, 0, 1, 1, 0
         from generate_series($3::int, $4::int) j`,
      [WORKSPACE, FLOW, from, to],
    );
  const read = async () =>
    (
      await pool.query(
        "select grain, sum(calls) as calls, sum(call_ms) as ms, sum(dials) as dials, count(*) from result_totals group by 1 order by 1",
      )
    ).rows;
  await manyJobs(0, 15_999);
  await pool.query("update result_totals set calls = calls + 1");
  await pool.query("delete from result_totals where job_id > '80000000-0000-0000-0000-000000000000'");
  await pool.query("update result_filling set is_done = false, day = '2026-01-01', workspace_id = $1", [WORKSPACE]);
  await settle(pool, "result_sums", "result_totals");
  const step = () => costOf(pool, "result_sums", () => backfillSome(pool));
  // 501 sums of each of four quarters, twice.
  expect((await step()).entries).toBeLessThan(5_000);
  await step();
  await pool.query(`update result_sums set calls = calls + 2 where call_ms % 3 = 0`);
  await pool.query("delete from result_sums where call_ms % 5 = 0");
  await manyJobs(20_000, 20_999);
  let steps = 2;
  while (await backfillSome(pool)) steps++;
  expect(steps).toBeGreaterThan(5);
  const filled = await read();
  await pool.query("delete from result_totals");
  await pool.query("select add_result_totals((select array_agg(s) from result_sums s), null)");
  expect(filled).toEqual(await read());
  expect((await pool.query("select is_done from result_filling")).rows).toEqual([{ is_done: true }]);
  await pool.query("truncate result_sums, result_totals");
});

test("of a day or a kind, the entries of usage are read by an index, as many as are shown and counted", async () => {
  const startMs = Date.now();
  const ago = (hours: number) => new Date(startMs - hours * 3_600_000).toISOString();
  // Two calls a minute have two each; the latest ones were numbered an hour before they were stored.
  await pool.query(
    `insert into usage_entries (workspace_id, id, kind, quantity, unit_price, amount, simulated, subject_type, subject_id,
       created_at)
     select $1, uuidv7(make_interval(secs => -30 * i - case when i < 10 then 3600 else 0 end)), kind, i, 1, 1, false, 'CALL',
       $2, now() - make_interval(secs => 30 * i)
       from generate_series(1, $3::int / 2) i, unnest(array['TELEPHONY_SECOND', 'MODEL_INPUT_TOKEN']) kind`,
    [WORKSPACE, FLOW, MANY],
  );
  await pool.query(
    "update usage_entries set kind = 'SMS_SEGMENT' where quantity = 19000 and kind = 'TELEPHONY_SECOND'",
  );
  await settle(pool, "usage_entries");
  const first = { page: 0, size: 20, after: undefined };
  const list = async (filter: object, page: object = {}) =>
    (await listEntries(database.db, WORKSPACE, filter, { ...first, ...page })).map(({ id, quantity }) => ({
      id,
      quantity: Number(quantity),
    }));
  const quantities = async (filter: object, page: object = {}) =>
    (await list(filter, page)).map(({ quantity }) => quantity);
  const day = { from: ago(49), to: ago(25) };
  const pairs = (start: number) => Array.from({ length: 21 }, (_, i) => start + Math.floor(i / 2));
  const cost = await meanCostOf(pool, "usage_entries", async () => {
    expect(await countEntries(database.db, WORKSPACE, day)).toBe(2 * 2_880);
    expect(await quantities(day)).toEqual(pairs(25 * 120 + 1));
    expect(await quantities(day, { page: 3 })).toEqual(pairs(25 * 120 + 31));
    // The first pages of a list that goes on from its last entry.
    expect(await quantities({ to: ago(-1) })).toEqual(pairs(1));
    const last = (await list({ to: ago(-1) }))[19]?.id;
    expect(await quantities({ to: ago(-1) }, { after: last })).toEqual(pairs(11));
    for (const kind of ["SMS_SEGMENT", "SPEECH_SECOND"]) {
      const there = kind === "SMS_SEGMENT" ? [19_000] : [];
      expect(await quantities({ kind })).toEqual(there);
      expect(await countEntries(database.db, WORKSPACE, { kind, from: ago(300) })).toBe(there.length);
    }
    expect(await countEntries(database.db, WORKSPACE, { kind: "TELEPHONY_SECOND" })).toBe(10_001);
  });
  expect(cost.rows).toBeLessThan(600);
  expect(cost.entries).toBeLessThan(5_760 + 10_001 + 1_500);
  await pool.query("delete from usage_entries where quantity = 10");
  expect(await quantities({ to: ago(-1) }, { after: lowestIdAt(startMs - 300_000) })).toEqual(pairs(11));
});

test("rows of a job that wait for another attempt are read as far as their page", async () => {
  await pool.query(
    `insert into call_jobs (workspace_id, id, name, status, phone_number_ids, retry_config, total_rows)
     values ($1, $2, 'Night', 'RUNNING', '{}', '{}', $3)`,
    [WORKSPACE, FLOW, MANY],
  );
  await pool.query(
    `insert into call_rows (workspace_id, id, job_id, session_id, status, customer_number, number_country, number_class,
       phone_number_id, due_at, window_opens_at)
     select $1, uuidv7(), $2, gen_random_uuid(), case when i % 3 = 0 then 'WAITING_FOR_RETRY' else 'QUEUED' end,
       '+33777' || i, 'FR', 'MOBILE', gen_random_uuid(), d.at, case when i % 10 > 0 then d.at end
       from generate_series(1, $3::int) i,
         lateral (select date_trunc('hour', now()) + make_interval(hours => i % 8 - 2) as at) d`,
    [WORKSPACE, FLOW, MANY],
  );
  await settle(pool, "call_rows");
  // Those that wait for another attempt alone are read as far as the page, in the order of the list.
  const far = await costOf(pool, "call_rows", async () => {
    const asked = { status: ["WAITING_FOR_RETRY"], page: 50, size: 20 };
    const { content, totalElements } = await readRows(database, "http://x", WORKSPACE, asked, FLOW);
    expect([totalElements, content[0]?.customerNumber]).toEqual([5666, "+337777065"]);
  });
  expect(far.rows).toBeLessThan(3_000);
});

test("the calls of a flow's versions since an instant are looked for among those since", async () => {
  await pool.query("insert into flows (workspace_id, id, api_id, definition) values ($1, $2, 'f', '{}')", [
    WORKSPACE,
    FLOW,
  ]);
  await pool.query(
    `insert into flow_versions (workspace_id, id, flow_id, version, definition) values ($1, uuidv7(), $2, 1, '{}')`,
    [WORKSPACE, FLOW],
  );
  await pool.query(
    "update call_rows set flow_id = $1, flow_version = 1 where id in (select max(id::text)::uuid from call_rows)",
    [FLOW],
  );
  const since = async (hours: number) => {
    const instant = new Date(Date.now() + hours * 3_600_000).toISOString();
    return (await countResults(database.db, WORKSPACE, FLOW, instant)).map(({ calls }) => calls);
  };
  const { rows } = await costOf(pool, "call_rows", async () => expect(await since(3)).toEqual([0]));
  expect(rows).toBe(0);
  expect(await since(-1)).toEqual([1]);
});
