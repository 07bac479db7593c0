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
