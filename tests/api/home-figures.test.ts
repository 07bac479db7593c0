import { afterAll, beforeAll, expect, test } from "vitest";
import { setUpOwner, type Tab } from "../kit/console-harness.ts";
import { EventReader } from "../kit/event-reader.ts";
import { World } from "../kit/world.ts";

/* The first page, the results and the job say the same of the same calls, each by the definition that it names. */

let world: World;
let owner: Tab;
beforeAll(async () => {
  world = await World.start();
  owner = await setUpOwner(world);
});
afterAll(() => world[Symbol.asyncDispose]());

/** People of the sandbox: who answer, machines, busy or silent ones; the last one is not called at all. */
const PEOPLE = ["00", "00", "02", "20", "21", "22", "10", "11", "11", "32"].map((end) => `+120255501${end}`);

interface Overview {
  total: number;
  ended: { person: number; machine: number; nobody: number };
  byOutcome: Record<string, number>;
  byHour: { ended: number; reached: number; machine: number; byOutcome: Record<string, number> }[];
  since: string;
  waiting: number;
}
interface Results {
  waiting: number;
  funnel: Record<"calls" | "dialled" | "answeredByPerson" | "answeredByMachine", number>;
  outcomes: { outcome: string; count: number }[];
  hours: { dials: number; answeredByPerson: number }[];
  numbers: { dials: number; answeredByPerson: number }[];
}

async function readOverview(): Promise<Overview> {
  const { body } = await owner.ask("GET", `/workspaces/${world.sample.workspaceId}/overview`);
  return body.calls as unknown as Overview;
}

test("a job of two hundred calls has the same figures on home, in the results and on its own page", async () => {
  const rows = Array.from({ length: 200 }, (_, i) => ({ customerNumber: PEOPLE[i % PEOPLE.length] as string }));
  const retryConfig = { maxAttempts: 2, retryOn: ["BUSY", "NO_ANSWER"], delaysSeconds: [1] };
  const made = await world.request("POST", "/call-jobs", { body: { name: "Mixed", rows, retryConfig } });
  const job = await world.until(`/call-jobs/${String(made.body.id)}`, ({ status }) => status === "COMPLETED");
  // A call that waits to be dialled is on none of them.
  const later = { name: "Later", startAt: new Date(Date.now() + 3_600_000).toISOString(), rows: rows.slice(0, 5) };
  expect((await world.request("POST", "/call-jobs", { body: later })).status).toBe(200);
  await world.until("/results", ({ waiting, funnel }) => waiting === 0 && (funnel as Results["funnel"]).calls >= 200);

  const home = await readOverview();
  const results = (await world.request("GET", "/results?lastDays=2")).body as unknown as Results;
  const { funnel } = results;
  const sum = <One>(list: One[], of: (one: One) => number) => list.reduce((all, one) => all + of(one), 0);
  expect(home.waiting).toBe(0);
  expect([home.total, funnel.calls]).toEqual([200, 200]);
  expect(home.ended.person).toBe(funnel.answeredByPerson);
  expect(home.ended.machine).toBe(funnel.answeredByMachine);
  expect(home.ended.person).toBeGreaterThan(0);
  expect(home.ended.machine).toBeGreaterThan(0);
  expect(sum(Object.values(home.ended), (count) => count)).toBe(home.total);
  expect({ reachedRows: job.reachedRows, machineRows: job.machineRows, processedRows: job.processedRows }).toEqual({
    reachedRows: home.ended.person,
    machineRows: home.ended.machine,
    processedRows: home.total,
  });

  expect(sum(home.byHour, ({ ended }) => ended)).toBe(home.total);
  expect(sum(home.byHour, ({ reached }) => reached)).toBe(home.ended.person);
  expect(sum(home.byHour, ({ machine }) => machine)).toBe(home.ended.machine);
  for (const [outcome, count] of Object.entries(home.byOutcome)) {
    expect(sum(home.byHour, ({ byOutcome }) => byOutcome[outcome] ?? 0)).toBe(count);
  }
  expect(home.byOutcome).toEqual(Object.fromEntries(results.outcomes.map(({ outcome, count }) => [outcome, count])));

  expect(sum(results.hours, ({ dials }) => dials)).toBeGreaterThan(funnel.dialled);
  expect(sum(results.numbers, ({ dials }) => dials)).toBe(sum(results.hours, ({ dials }) => dials));
  expect(sum(results.hours, ({ answeredByPerson }) => answeredByPerson)).toBe(funnel.answeredByPerson);
});

test("calls that wait outside of jobs are queued on home, as on their number", async () => {
  const url = `${world.url}/api/console/workspaces/${world.sample.workspaceId}/events`;
  const stream = await EventReader.open(url, { cookie: owner.cookie ?? "" });
  const queued = ({ type, data }: { type: string; data: unknown }) =>
    type === "counters" ? Number((data as { queuedRows: number }).queuedRows) : -1;
  let before = 0;
  await stream.until((event) => (before = queued(event)) >= 0);
  const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
  const call = { customerNumber: "+12025550100", scheduledAt };
  const made = await world.request("POST", "/outbound/calls", { body: call });
  expect(made.status, made.text).toBeLessThan(300);
  await stream.until((event) => queued(event) === before + 1);
  stream.close();
});

test("every call of the day is in one of the chart's 24 hours, to the edge of the first", async () => {
  const before = await readOverview();
  const since = Date.parse(before.since);
  const add = (at: number, calls: number) =>
    world.database.query(
      `insert into result_sums select workspace_id, $1, job_id, flow_api_id, 99, phone_number_id, channel, outcome, reason,
         $2, $2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 from result_sums where workspace_id = $3 and calls > 0 limit 1`,
      [new Date(at).toISOString(), calls, world.sample.workspaceId],
    );
  await add(since, 3);
  await add(since - 900_000, 5);
  const after = await readOverview();
  expect(after.total - before.total).toBe(3);
  expect(after.byHour.reduce((sum, { ended }) => sum + ended, 0)).toBe(after.total);
});
