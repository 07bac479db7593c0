import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sweepLanes } from "#src/interactions/call-jobs/run-store.ts";
import { claimRows } from "#src/interactions/dispatch/claim.ts";
import { LaneRest } from "#src/interactions/dispatch/rest-lanes.ts";
import { SecondNode } from "../kit/second-node.ts";
import { World } from "../kit/world.ts";

const JOBS = 30;
const AT_ONCE = 6;
const NUMBERS = ["+442079460170", "+442079460171", "+442079460172", "+442079460173"];
const LANES_OF_JOBS = "job_id <> '00000000-0000-0000-0000-000000000000'";

let world: World;
beforeAll(async () => {
  world = await World.start();
  for (const phoneNumber of NUMBERS) await send("POST", "/phone-numbers", { provider: "SANDBOX", phoneNumber });
});
afterAll(() => world[Symbol.asyncDispose]());

type Body = { [name: string]: unknown };

async function send(method: string, path: string, body?: Body): Promise<Body> {
  const reply = await world.request(method, path, body === undefined ? {} : { body });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

const isOver = (job: Body) => job.completedAt !== null;
let persons = 0;
/** A person who is in no other job. */
const person = () => ({ customerNumber: `+1202555${String(100 + (persons++ % 100)).padStart(4, "0")}` });

async function makeJob(rows: number, more: Body = {}): Promise<string> {
  const body = { rows: Array.from({ length: rows }, person), fromPhoneNumbers: NUMBERS, ...more };
  return `/call-jobs/${String((await send("POST", "/call-jobs", body)).id)}`;
}

async function lanes(where: string): Promise<number> {
  const [found] = await world.database.query<{ count: number }>(
    `select count(*)::int as count from lanes where ${where}`,
  );
  return found?.count ?? -1;
}

async function sweep(): Promise<void> {
  await sweepLanes(world.database.pool());
}

/** Returns the reads of one claim that finds nothing due: lanes, and look-ups in the queue. */
async function costOfClaim(): Promise<{ lanes: number; looks: number }> {
  await using second = await SecondNode.join(world);
  const client = await second.database.pool.connect();
  try {
    await client.query("begin");
    // Tables of a few rows are read as large ones are.
    await client.query("set local enable_seqscan = off");
    const asPool = { query: (query: pg.QueryConfig) => client.query(query) } as unknown as pg.Pool;
    expect(await claimRows(asPool, second.node.id, 50, 200)).toEqual([]);
    const found = await client.query<{ relname: string; read: number; looks: number }>(
      `select relname, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read, coalesce(idx_scan, 0)::int as looks
         from pg_stat_xact_user_tables where relname in ('lanes', 'call_rows')`,
    );
    const of = (name: string) => found.rows.find(({ relname }) => relname === name);
    return { lanes: of("lanes")?.read ?? 0, looks: of("call_rows")?.looks ?? 0 };
  } finally {
    await client.query("rollback");
    client.release();
  }
}

describe("the lanes of a job", () => {
  test("are closed when it is over, then deleted, and cost the claims that follow nothing", async () => {
    const paths: string[] = [];
    // As many at once as a workspace has connections: on a busy machine, more would wait until they are told to retry.
    while (paths.length < JOBS)
      paths.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => makeJob(NUMBERS.length)))));
    for (const path of paths) await world.until(path, isOver);
    // But for those that were locked while their job ended, which housekeeping closes.
    expect(await lanes(`is_open and ${LANES_OF_JOBS}`)).toBeLessThan((JOBS * NUMBERS.length) / 4);
    await new LaneRest(world.database.pool()).run();
    const closed = await costOfClaim();
    expect(closed).toEqual({ lanes: 0, looks: 0 });
    await sweep();
    expect(await lanes(LANES_OF_JOBS)).toBe(0);
  });

  test("are there again for rows that are added or put back after the end, with the job's shares", async () => {
    const path = await makeJob(2, { maxConcurrency: 6 });
    await world.until(path, isOver);
    await sweep();
    const appended = await send("POST", `${path}/rows`, { rows: [person(), person(), person()] });
    expect(appended).toMatchObject({ totalRows: 5, completedAt: null });
    await world.until(path, isOver);
    const busy = await makeJob(1, { rows: [{ customerNumber: "+12025550120" }], retryConfig: { maxAttempts: 1 } });
    await world.until(busy, isOver);
    await sweep();
    await world.database.query("update call_rows set status = 'FAILED', outcome = 'BUSY' where job_id = $1", [
      busy.split("/").at(-1),
    ]);
    await world.database.query(
      "delete from call_attempts where row_id in (select id from call_rows where job_id = $1)",
      [busy.split("/").at(-1)],
    );
    await world.database.query("update call_jobs set successful_rows = 0, error_rows = 1 where id = $1", [
      busy.split("/").at(-1),
    ]);
    expect(await send("POST", `${busy}/retry-failed`)).toMatchObject({ retriedRows: 1 });
    expect(await world.until(busy, isOver)).toMatchObject({ status: "COMPLETED", successfulRows: 1 });
    await sweep();
    expect(await lanes(`is_open and ${LANES_OF_JOBS}`)).toBe(0);
  });

  test("are closed when the last row that waits is cancelled, or all of them are", async () => {
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const one = await makeJob(1, { startAt });
    const all = await makeJob(5, { startAt });
    const { content } = await send("GET", `${one}/rows`);
    await send("POST", `/call-rows/${String((content as Body[])[0]?.id)}/cancel`);
    await send("POST", `${all}/cancel`);
    for (const path of [one, all]) expect(isOver(await send("GET", path))).toBe(true);
    expect(await lanes(`is_open and ${LANES_OF_JOBS}`)).toBe(0);
  });

  test("stay closed while a job is paused, and are not taken by housekeeping", async () => {
    const path = await makeJob(4, { startAt: new Date(Date.now() + 3_600_000).toISOString() });
    await send("POST", `${path}/pause`);
    await sweep();
    expect([await lanes(`is_open and ${LANES_OF_JOBS}`), await lanes(LANES_OF_JOBS)]).toEqual([0, NUMBERS.length]);
    await send("POST", `${path}/resume`);
    expect(await lanes(`is_open and ${LANES_OF_JOBS}`)).toBe(NUMBERS.length);
    await send("POST", `${path}/cancel`);
  });

  test("survive rows that are added while the job ends and while housekeeping sweeps: none is left behind", async () => {
    const paths = await Promise.all(Array.from({ length: 6 }, () => makeJob(1)));
    const added = await Promise.all(
      paths.map(async (path) => {
        let count = 1;
        for (let i = 0; i < 8; i++) {
          const [reply] = await Promise.all([
            world.request("POST", `${path}/rows`, { body: { rows: [person()] } }),
            sweep(),
          ]);
          expect([200, 503]).toContain(reply.status);
          if (reply.status === 200) count++;
        }
        return count;
      }),
    );
    for (const [i, path] of paths.entries()) {
      const done = await world.until(path, (job) => job.processedRows === added[i], 60_000);
      expect(done).toMatchObject({ status: "COMPLETED", totalRows: added[i] });
    }
    await sweep();
    expect(await lanes(LANES_OF_JOBS)).toBe(0);
    const [slots] = await world.database.query<{ held: number }>(
      "select sum(active_calls)::int as held from phone_numbers",
    );
    expect(slots?.held).toBe(0);
  });
});

describe("a lane without a due row", () => {
  test("costs a claim nothing, however many jobs wait", async () => {
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const paths: string[] = [];
    while (paths.length < JOBS)
      paths.push(...(await Promise.all(Array.from({ length: AT_ONCE }, () => makeJob(NUMBERS.length, { startAt })))));
    expect(await lanes(`is_open and ${LANES_OF_JOBS}`)).toBe(JOBS * NUMBERS.length);
    await new LaneRest(world.database.pool()).run();
    expect(await costOfClaim()).toEqual({ lanes: 0, looks: 0 });
    for (const path of paths) await send("POST", `${path}/cancel`);
  });
});
