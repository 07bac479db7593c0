import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { QUEUE_FIGURES, type QueueFigures, readQueueFigures } from "#src/interactions/dispatch/queue-figures.ts";
import { World } from "../kit/world.ts";

/* Nobody claims here: the process has no role but the API, so that what waits stays as a test makes it. */

const KINDS = ["session.event", "knowledge.index"];
const RETRY = { maxAttempts: 3 };

let world: World;
let pool: pg.Pool;
beforeAll(async () => {
  world = await World.start({ roles: ["api"] });
  pool = world.database.pool();
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(async () => {
  await pool.query("delete from call_rows");
  await pool.query("delete from tasks");
  await pool.query("update phone_numbers set status = 'ACTIVE', active_calls = 0, served_at = '-infinity'");
  await pool.query("update lanes set is_open = true, active_calls = 0, max_calls = null");
});

const read = (): Promise<QueueFigures> => readQueueFigures(pool, KINDS);
const dueAgo = (seconds: number) =>
  pool.query("update call_rows set due_at = now() - make_interval(secs => $1)", [seconds]);

/** Places calls that nobody dials. */
async function place(count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const customerNumber = `+1202555${1000 + i}`;
    const flowId = world.sample.flow.id;
    const { status, text } = await world.request("POST", "/outbound/calls", { body: { customerNumber, flowId } });
    expect(status, text).toBe(200);
  }
}

describe("rows that wait", () => {
  test("show how long the oldest is due, and how long its number was not served", async () => {
    await place(2);
    await dueAgo(600);
    const stuck = await read();
    expect(stuck.oldestDueSeconds).toBeGreaterThanOrEqual(600);
    expect(stuck.unservedSeconds).toBeGreaterThanOrEqual(600);
    // A long list is old, and its number is served all the same.
    await pool.query("update phone_numbers set served_at = now() - interval '2 seconds'");
    const served = await read();
    expect(served.oldestDueSeconds).toBeGreaterThanOrEqual(600);
    expect(served.unservedSeconds).toBeGreaterThanOrEqual(2);
    expect(served.unservedSeconds).toBeLessThan(300);
  });

  test.each([
    ["a stopped number", "update phone_numbers set status = 'SUSPENDED'"],
    ["a number without a free slot", "update phone_numbers set active_calls = max_concurrent_calls"],
    ["a paused lane", "update lanes set is_open = false"],
    ["a lane without a free slot", "update lanes set max_calls = 1, active_calls = 1"],
    ["a time that has not come", "update call_rows set due_at = now() + interval '1 hour'"],
  ])("are no reason to worry because of %s", async (_, change) => {
    await place(1);
    await dueAgo(600);
    await pool.query(change);
    expect(await read()).toMatchObject({ oldestDueSeconds: 0, unservedSeconds: 0 });
  });

  test("are counted as single calls, and by the state of their job", async () => {
    await place(2);
    const rows = ["+12025551001", "+12025551002", "+12025551003"].map((customerNumber) => ({ customerNumber }));
    const body = { rows, flowId: world.sample.flow.id, retryConfig: RETRY };
    const job = await world.request("POST", "/call-jobs", { body });
    expect(job.status, job.text).toBe(200);
    const count = async () => Object.fromEntries((await read()).unfinished.map(({ job: of, rows: n }) => [of, n]));
    expect(await count()).toMatchObject({ NONE: 2, RUNNING: 3, PAUSED: 0 });
    await world.request("POST", `/call-jobs/${String(job.body.id)}/pause`);
    expect(await count()).toMatchObject({ NONE: 2, RUNNING: 0, PAUSED: 3 });
  });

  test("for another attempt are counted once they are due", async () => {
    await place(3);
    await dueAgo(10);
    expect((await read()).retriesDue).toBe(0);
    await pool.query("update call_rows set status = 'WAITING_FOR_RETRY'");
    expect((await read()).retriesDue).toBe(3);
    await pool.query("update call_rows set due_at = now() + interval '1 minute'");
    expect((await read()).retriesDue).toBe(0);
  });
});

test("slots of active numbers are summed by provider", async () => {
  const { rows } = await pool.query<{ slots: number }>(
    "update phone_numbers set active_calls = 1 returning max_concurrent_calls as slots",
  );
  const all = rows.reduce((sum, { slots }) => sum + slots, 0);
  const [slots] = (await read()).slots;
  expect(slots).toEqual({ provider: "SANDBOX", used: rows.length, free: all - rows.length });
});

test("the oldest due task of each kind shows its age, and 0 without one", async () => {
  await pool.query(
    `insert into tasks (id, workspace_id, kind, subject_id, payload, due_at)
     select gen_random_uuid(), $1, k.kind, gen_random_uuid(), '{}', now() - k.age
       from (values ('session.event', interval '90 seconds'), ('session.event', interval '5 seconds'),
                    ('knowledge.index', interval '-1 hour')) k(kind, age)`,
    [world.sample.workspaceId],
  );
  const ages = Object.fromEntries((await read()).tasks.map(({ kind, seconds }) => [kind, seconds]));
  expect(ages["session.event"]).toBeGreaterThanOrEqual(90);
  expect(ages["knowledge.index"]).toBe(0);
});

test("nothing is read but by an index, except the numbers, which the claim reads whole too", async () => {
  const client = await pool.connect();
  try {
    // An empty table is scanned whole whatever its indexes; plans.test.ts reads what a filled one costs.
    await client.query("begin");
    for (const way of ["seqscan", "bitmapscan", "sort"]) await client.query(`set local enable_${way} = off`);
    const plan = await client.query<{ "QUERY PLAN": unknown }>(`explain (format json) ${QUEUE_FIGURES}`, [KINDS]);
    const text = JSON.stringify(plan.rows[0]?.["QUERY PLAN"]);
    for (const index of [
      "call_rows_due",
      "call_rows_waiting_retries",
      "call_jobs_active",
      "tasks_due",
      "chat_sessions_open",
    ])
      expect(text).toContain(`"${index}"`);
    const scanned = [...text.matchAll(/"Node Type":"Seq Scan"[^{}]*?"Relation Name":"(\w+)"/g)].map(([, name]) => name);
    expect(scanned).toEqual(["phone_numbers"]);
    expect(text).not.toMatch(/Bitmap|"Node Type":"Sort"/);
  } finally {
    await client.query("rollback");
    client.release();
  }
});
