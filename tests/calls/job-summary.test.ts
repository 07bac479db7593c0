import { afterAll, beforeAll, expect, test } from "vitest";
import { rollUpRows } from "#src/interactions/call-jobs/row-sums.ts";
import { World } from "../kit/world.ts";

/* The counts of a summary are kept by triggers, so that they stay right whichever version changes a row. */

let world: World;
beforeAll(async () => {
  // Nothing is dialled, so a row stays in its state.
  world = await World.start({ roles: ["api"] });
});
afterAll(() => world[Symbol.asyncDispose]());

const ROWS = 60;

async function makeJob(rows = ROWS): Promise<string> {
  const numbers = Array.from({ length: rows }, (_, i) => ({ customerNumber: `+4930${String(1_000_000 + i)}` }));
  const { body, text } = await world.request("POST", "/call-jobs", { body: { rows: numbers } });
  expect(body.id, text).toEqual(expect.any(String));
  return String(body.id);
}

type Counts = Record<string, number>;

async function summaryOf(jobId: string): Promise<{ statuses: Counts; outcomes: Counts; errors: Counts }> {
  const { body, text } = await world.request("GET", `/call-jobs/${jobId}/summary`);
  const toCounts = (list: unknown, name: string) =>
    Object.fromEntries((list as Record<string, unknown>[]).map((one) => [one[name], one.count])) as Counts;
  expect(body.jobId, text).toBe(jobId);
  return {
    statuses: toCounts(body.statuses, "status"),
    outcomes: toCounts(body.outcomes, "outcome"),
    errors: toCounts(body.errors, "code"),
  };
}

/** Counts the rows themselves. */
async function countRows(jobId: string): Promise<Awaited<ReturnType<typeof summaryOf>>> {
  const rows = await world.database.query<{ status: string; outcome: string | null; code: string | null }>(
    `select status, case when ended_at is not null then outcome end as outcome,
            case when ended_at is not null then error ->> 'code' end as code from call_rows where job_id = $1`,
    [jobId],
  );
  const count = (names: (string | null)[]) => {
    const sums: Counts = {};
    for (const name of names) if (name !== null) sums[name] = (sums[name] ?? 0) + 1;
    return sums;
  };
  return {
    statuses: count(rows.map(({ status }) => status)),
    outcomes: count(rows.map(({ outcome }) => outcome)),
    errors: count(rows.map(({ code }) => code)),
  };
}

const rollUp = () => rollUpRows(world.database.pool());

/** Changes some rows of a job in a state, as any version of the server does. */
const change = (jobId: string, from: string, share: number, to: string) =>
  world.database.query(
    `update call_rows set ${to} where job_id = $1 and status = $2
        and id in (select id from call_rows where job_id = $1 and status = $2 order by md5(id::text) limit $3)`,
    [jobId, from, Math.ceil(ROWS * share)],
  );

const DIALLING = "status = 'DIALING', attempts_made = attempts_made + 1, started_at = now()";
const ANSWERED = "status = 'COMPLETED', outcome = 'ANSWERED', ended_at = now(), error = null";
const BUSY = `status = 'FAILED', outcome = 'BUSY', ended_at = now(), error = '{"code":"BUSY"}'`;
const RETRY = `status = 'WAITING_FOR_RETRY', outcome = 'NO_ANSWER', error = '{"code":"NO_ANSWER"}'`;
const QUEUED = "status = 'QUEUED', outcome = null, error = null, ended_at = null, attempts_made = 0";

test("the summary follows every change of a row, before and after the counts are rolled up", async () => {
  const jobId = await makeJob();
  const changes: [from: string, share: number, to: string][] = [
    ["QUEUED", 0.8, DIALLING],
    ["DIALING", 0.2, ANSWERED],
    ["DIALING", 0.2, RETRY],
    ["DIALING", 0.2, BUSY],
    ["DIALING", 0.1, "status = 'UNKNOWN'"],
    // The reason for which it waits comes and goes.
    ["WAITING_FOR_RETRY", 0.1, `error = '{"code":"ATTEMPT_GAP"}'`],
    ["WAITING_FOR_RETRY", 0.1, DIALLING],
    ["WAITING_FOR_RETRY", 0.05, "status = 'CANCELLED', outcome = 'CANCELLED', ended_at = now()"],
    ["UNKNOWN", 0.05, "status = 'UNCONFIRMED', outcome = 'UNCONFIRMED', ended_at = now()"],
    ["FAILED", 0.1, QUEUED],
    // An erased person.
    ["FAILED", 0.05, "customer_number = 'ERASED', error = null"],
    ["DIALING", 0.1, RETRY],
  ];
  for (const [at, [from, share, to]] of changes.entries()) {
    await change(jobId, from, share, to);
    expect(await summaryOf(jobId), to).toEqual(await countRows(jobId));
    if (at % 3 === 1) await rollUp();
  }
  await Promise.all([rollUp(), rollUp()]);
  expect(await summaryOf(jobId)).toEqual(await countRows(jobId));
  expect(await world.database.query("select from job_row_deltas")).toEqual([]);

  await world.database.query("delete from call_rows where job_id = $1 and status = 'COMPLETED'", [jobId]);
  expect((await summaryOf(jobId)).statuses).not.toHaveProperty("COMPLETED");
});

test("a change that is rolled back leaves no count", async () => {
  const jobId = await makeJob(2);
  await expect(change(jobId, "QUEUED", 1, `${ANSWERED}, line = 1 / (line - 2)`)).rejects.toThrow("division by zero");
  expect(await summaryOf(jobId)).toEqual({ statuses: { QUEUED: 2 }, outcomes: {}, errors: {} });
});

test("the rows of a job of an earlier version are counted once, however many ask for its summary", async () => {
  const jobId = await makeJob();
  await change(jobId, "QUEUED", 0.5, BUSY);
  // So far no trigger was there.
  await world.database.query("delete from job_row_deltas where job_id = $1", [jobId]);
  await world.database.query("update call_jobs set has_sums = false where id = $1", [jobId]);
  await change(jobId, "QUEUED", 0.2, ANSWERED);
  await change(jobId, "FAILED", 0.1, QUEUED);
  const expected = await countRows(jobId);
  expect(await Promise.all(Array.from({ length: 8 }, () => summaryOf(jobId)))).toEqual(Array(8).fill(expected));
  await change(jobId, "QUEUED", 0.1, BUSY);
  expect(await summaryOf(jobId)).toEqual(await countRows(jobId));
});
