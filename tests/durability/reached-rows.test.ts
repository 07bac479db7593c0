import type pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ANSWERED } from "#src/interactions/calls/answered.ts";
import { ROW_OUTCOMES } from "#src/interactions/calls/states.ts";
import { MACHINE_OUTCOMES, MISSED_OUTCOMES, PERSON_OUTCOMES } from "../../web/src/features/jobs/answered.ts";
import { setUpOwner, type Tab } from "../kit/console-harness.ts";
import { World } from "../kit/world.ts";

/* Reports of "reached" must count people only: a voicemail that was left is a success of the job, but no person. */

let world: World;
let owner: Tab;
beforeAll(async () => {
  world = await World.start();
  owner = await setUpOwner(world);
  // A new database is looked through once for calls of earlier versions; those of the tests would wait a second time.
  while ((await world.database.query("select 1 from result_backfill where not is_done")).length > 0) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
});
afterAll(() => world[Symbol.asyncDispose]());

/** From the documented table of sandbox numbers. */
const PERSON = "+12025550100";
const OPTS_OUT_OR_ANSWERS = "+12025550101";
const [VOICEMAIL, FULL, IVR, FAX] = ["+12025550120", "+12025550121", "+12025550122", "+12025550123"];
const [BUSY, NOBODY] = ["+12025550110", "+12025550111"];

async function runJob(numbers: (string | undefined)[]): Promise<Record<string, unknown>> {
  const rows = numbers.map((customerNumber) => ({ customerNumber }));
  const body = { name: "people", rows, retryConfig: { maxAttempts: 1 } };
  const { body: job, text } = await world.request("POST", "/call-jobs", { body });
  expect(job.id, text).toEqual(expect.any(String));
  return ended(job.id);
}

const ended = (id: unknown) =>
  world.until(`/call-jobs/${String(id)}`, ({ status, processedRows, totalRows }) => {
    return status === "COMPLETED" && processedRows === totalRows;
  });

const counts = ({ processedRows, reachedRows, machineRows }: Record<string, unknown>) => ({
  processedRows,
  reachedRows,
  machineRows,
});

interface Day {
  ended: object;
  byHour: { reached: number; machine: number; ended: number }[];
  waiting: number;
}

/** The day of the first page, once every call that ended has been added. */
async function readDay(): Promise<Day> {
  for (;;) {
    const { body } = await owner.ask("GET", `/workspaces/${world.sample.workspaceId}/overview`);
    const calls = body.calls as Day;
    if (calls.waiting === 0) return calls;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test("a job, the first page and the versions of a flow tell people from machines and nobody", async () => {
  const job = await runJob([PERSON, OPTS_OUT_OR_ANSWERS, VOICEMAIL, FULL, IVR, FAX, BUSY, NOBODY]);
  expect(counts(job)).toEqual({ processedRows: 8, reachedRows: 2, machineRows: 4 });
  // The contract's counters stay unchanged.
  expect(Number(job.successfulRows) + Number(job.errorRows)).toBe(8);
  expect(Number(job.successfulRows)).toBeGreaterThan(2);
  const listed = await world.request("GET", "/call-jobs");
  expect((listed.body.content as object[])[0]).toMatchObject({ reachedRows: 2, machineRows: 4 });

  const calls = await readDay();
  expect(calls.ended).toEqual({ person: 2, machine: 4, nobody: 2 });
  const sum = (name: "reached" | "machine" | "ended") => calls.byHour.reduce((all, hour) => all + hour[name], 0);
  expect([sum("reached"), sum("machine"), sum("ended")]).toEqual([2, 4, 8]);

  const results = await world.request("GET", `/flows/${world.sample.flow.id}/versions/results`);
  expect((results.body as unknown as { ended: number; reached: number }[])[0]).toMatchObject({ ended: 8, reached: 2 });
});

test.each(["/overview", "/results"])("%s never tells that all calls are added before it reads them", async (path) => {
  const isOverview = path === "/overview";
  const read = async () => {
    const reply = isOverview
      ? await owner.ask("GET", `/workspaces/${world.sample.workspaceId}/overview`)
      : await world.request("GET", path);
    const body = reply.body as { calls: Day & { total: number }; funnel: { calls: number }; waiting: number };
    return isOverview ? [body.calls.waiting, body.calls.total] : [body.waiting, body.funnel.calls];
  };
  await readDay();
  const [, before = 0] = await read();
  const pool = world.database.pool();
  const fold = await pool.connect();
  try {
    // A pass of the fold that holds what waits, and adds it while somebody asks.
    await fold.query("begin; lock table result_changes in access exclusive mode");
    const asked = read();
    await untilReaderWaits(pool);
    const added = await fold.query("update result_sums set calls = calls + 100 where calls > 0");
    await fold.query("commit");
    expect(await asked).toEqual([0, before + 100 * Number(added.rowCount)]);
    await fold.query("update result_sums set calls = calls - 100 where calls > 0");
  } finally {
    fold.release();
  }
});

/** Waits until a reader of the waiting calls waits for the lock on them. */
async function untilReaderWaits(pool: pg.Pool): Promise<void> {
  const waits = `select 1 from pg_stat_activity
    where wait_event_type = 'Lock' and query like '%from result_changes where workspace_id%'`;
  while ((await pool.query(waits)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 20));
}

test("rows that are dialled again are counted once", async () => {
  const job = await runJob([VOICEMAIL, BUSY, PERSON]);
  const before = counts(job);
  const retried = await world.request("POST", `/call-jobs/${String(job.id)}/retry-failed`, { body: {} });
  expect(retried.status, retried.text).toBe(200);
  expect(retried.body.retriedRows).toBeGreaterThan(0);
  expect(counts(await ended(job.id))).toEqual(before);
});

test("every outcome is a person's, a machine's or nobody's, and the dashboard filters by the same lists", () => {
  expect(Object.keys(ANSWERED).toSorted()).toEqual([...ROW_OUTCOMES].toSorted());
  const of = (who: string) => ROW_OUTCOMES.filter((outcome) => ANSWERED[outcome] === who).toSorted();
  expect(PERSON_OUTCOMES.toSorted()).toEqual(of("PERSON"));
  expect(MACHINE_OUTCOMES.toSorted()).toEqual(of("MACHINE"));
  expect(MISSED_OUTCOMES.toSorted()).toEqual(of("NOBODY"));
});
