import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ROOT } from "../kit/repository.ts";
import { World } from "../kit/world.ts";

interface Run {
  state: string;
  report: {
    warnings: string[];
    scenarios: { name: string; passed: boolean; conversations: { failures: unknown[]; transcript: unknown[] }[] }[];
    edgeCoverage: { covered: number; total: number; edges: { covered: boolean }[]; unreachedStages: string[] };
  };
}

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

const FOLDER = join(ROOT, "examples/stages");
const NAMES = readdirSync(FOLDER, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? [one.name] : []));
const read = (name: string, file: string) => readFileSync(join(FOLDER, name, file), "utf8");

async function run(name: string, suite: string): Promise<Run> {
  const files = { "./flow.json": read(name, "flow.json") };
  const started = await world.request("POST", "/simulations", { body: { suite, files, compareWith: "none" } });
  expect(started.status, started.text).toBe(200);
  const ended = (body: Record<string, unknown>) => body.state !== "QUEUED" && body.state !== "RUNNING";
  return (await world.until(`/simulations/${String(started.body.id)}`, ended)) as unknown as Run;
}

test("the page names each example once, five of them and five after each of four vendors", () => {
  const named = readFileSync(join(FOLDER, "README.md"), "utf8").matchAll(/^\| `([a-z-]+)` \|/gm);
  expect([...named].map(([, name = ""]) => name).toSorted()).toEqual(NAMES.toSorted());
  expect(NAMES.length).toBe(25);
});

test.each(NAMES)(
  "the example %s is imported without a warning, passes its suite, and every edge is taken",
  async (name) => {
    const imported = await world.request("POST", "/flows/import", {
      body: JSON.parse(read(name, "flow.json")) as object,
    });
    expect(imported.status, imported.text).toBe(201);
    expect(imported.body).toMatchObject({ unresolved: [] });
    expect(imported.body.warnings ?? []).toEqual([]);
    const { state, report } = await run(name, read(name, "suite.yaml"));
    const failed = report.scenarios
      .filter(({ passed }) => !passed)
      .map((one) => [one.name, one.conversations[0]?.failures, one.conversations[0]?.transcript]);
    expect([state, report.warnings, failed]).toEqual(["PASSED", [], []]);
    const { covered, total, edges, unreachedStages } = report.edgeCoverage;
    expect([edges.filter((edge) => !edge.covered), unreachedStages]).toEqual([[], []]);
    expect(covered).toBe(total);
  },
);

test("a suite says which edges nobody took", async () => {
  const suite = read("survey", "suite.yaml");
  const { report } = await run("survey", suite.slice(0, suite.indexOf("  - name: is not satisfied")));
  expect(report.edgeCoverage).toMatchObject({
    covered: 1,
    total: 9,
    unreachedStages: ["rating", "problem", "praise", "again"],
  });
  expect(report.edgeCoverage.edges).toContainEqual({
    stageId: "rating",
    edgeId: "bad",
    to: "problem",
    label: "not satisfied",
    covered: false,
    sessions: 0,
  });
});
