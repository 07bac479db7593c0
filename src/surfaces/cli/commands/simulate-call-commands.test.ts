import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FakeSystem } from "#kit/fake-system.ts";

const FORECAST = {
  rows: 10,
  repetitions: 31,
  durationSeconds: { p10: 60, p50: 90, p90: 120 },
  startsAt: "2031-03-10T08:00:00.000Z",
  endsAt: "2031-03-10T08:01:30.000Z",
  attempts: 10,
  outcomes: [{ status: "FAILED", outcome: "BUSY", count: 10, share: 1 }],
  cost: { p10: "1.0000", p50: "1.0000", p90: "1.0000", currency: "USD" },
  talkSeconds: 0,
  busiestNumber: null,
  perHour: [],
  skipped: { count: 0, reasons: [] },
  assumptions: [],
};

async function open(system: FakeSystem, reply: unknown): Promise<void> {
  await system.start(
    () => ({ body: reply }),
    () => ({ body: {} }),
  );
  system.env.PARLEY_API_KEY = "k";
}

test("a suite made from a call goes to standard output alone, what to know of it to standard error", async () => {
  await using system = new FakeSystem();
  const proposal = {
    suite: "suite: s\n",
    scenario: {},
    persona: {},
    removed: [{ kind: "NAME", count: 2 }],
    notes: ["Mind this."],
  };
  await open(system, proposal);
  expect(await system.run("simulate", "from-call", "r1")).toBe(0);
  expect(system.api[0]).toMatchObject({ method: "POST" });
  expect(system.api[0]?.url.pathname).toBe("/api/external/v1/call-rows/r1/simulation");
  expect(system.out).toBe("suite: s\n");
  expect(system.err).toContain("Mind this.");
  expect(system.err).toContain("2 NAME");
});

test("a replay sends what the options say, and exits with 6 when something differs", async () => {
  await using system = new FakeSystem();
  const flow = { id: null, apiId: null, name: "f", version: null };
  const progress = { done: 1, total: 1, failed: 1 };
  await open(system, {
    id: "r1",
    kind: "REPLAY",
    state: "FAILED",
    suite: "s",
    flow,
    progress,
    report: null,
    comparison: null,
    comparedWith: null,
    error: null,
  });
  expect(await system.run("simulate", "replay", "--flow", "f", "--draft", "--last", "5", "--job", "j")).toBe(6);
  expect(JSON.parse(system.api[0]?.body ?? "")).toEqual({ flowId: "f", draft: true, last: 5, jobId: "j" });
  expect(await system.run("simulate", "replay")).toBe(2);
});

test("a rehearsal takes a job's id, a file, or both, and prints the forecast", async () => {
  await using system = new FakeSystem();
  await open(system, FORECAST);
  const file = join(system.folder, "job.yaml");
  writeFileSync(file, "job: { rowCount: 10 }\npopulation: [{ line: BUSY, share: 1 }]\n");
  expect(await system.run("simulate", "rehearse", file, "--seed", "3")).toBe(0);
  expect(system.out).toContain("FAILED BUSY");
  expect(await system.run("simulate", "rehearse", "--job", "j1", "--sample", "9")).toBe(0);
  expect(system.api.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { job: { rowCount: 10 }, population: [{ line: "BUSY", share: 1 }], seed: 3 },
    { jobId: "j1", sample: 9 },
  ]);
  expect(await system.run("simulate", "rehearse")).toBe(2);
  writeFileSync(file, "- 1\n");
  expect(await system.run("simulate", "rehearse", file)).toBe(2);
});
