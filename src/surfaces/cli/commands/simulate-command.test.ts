import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FakeSystem, type SeenRequest } from "#kit/fake-system.ts";
import { readSuite } from "#src/workbench/simulations/read-suite.ts";
import { renderSuite } from "./simulate-init-command.ts";

const SUITE = "suite: s\nflow: f\nscenarios: [{ persona: agrees }]\n";
const REPORT = {
  suite: "s",
  flow: { id: null, apiId: null, name: "f", version: null },
  channel: "VOICE",
  mode: "TEXT",
  model: "SCRIPTED",
  seed: 1,
  passed: true,
  conversations: 0,
  passedConversations: 0,
  durationMs: 1,
  callMs: 0,
  cost: "0",
  currency: "USD",
  inputTokens: 0,
  outputTokens: 0,
  scenarios: [],
  warnings: [],
};
const runOf = (state: string, report: unknown = null) => ({
  id: "r1",
  kind: "SUITE",
  state,
  suite: "s",
  flow: REPORT.flow,
  progress: { done: 0, total: 1, failed: 0 },
  report,
  comparison: null,
  comparedWith: null,
  error: null,
});

/** Starts a server whose runs end in a given state. */
async function open(end: object, system: FakeSystem): Promise<string> {
  await system.start(
    ({ method, url }: SeenRequest) => {
      if (url.pathname.endsWith("/junit")) return { body: "<testsuites><testsuite/></testsuites>" };
      return { body: method === "POST" ? runOf("QUEUED") : end };
    },
    () => ({ body: {} }),
  );
  system.env.PARLEY_API_KEY = "k";
  const file = join(system.folder, "s.suite.yaml");
  writeFileSync(file, SUITE);
  return file;
}

test("the suite travels as it is with what the options say, and a passed run exits with 0", async () => {
  await using system = new FakeSystem();
  const file = await open(runOf("PASSED", REPORT), system);
  const options = ["--repeat", "3", "--seed", "7", "--only", "agrees", "--flow", "g", "--draft", "--compare", "none"];
  expect(await system.run("simulate", file, "--audio", ...options)).toBe(0);
  expect(JSON.parse(system.api[0]?.body ?? "")).toEqual({
    suite: SUITE,
    files: {},
    flow: { draft: "g" },
    only: ["agrees"],
    repeat: 3,
    seed: 7,
    mode: "AUDIO",
    compareWith: "none",
  });
  expect(system.api[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
});

test("a failed run exits with 6, one that could not be run with 1; files hold the run and JUnit", async () => {
  await using system = new FakeSystem();
  const file = await open(runOf("FAILED", { ...REPORT, passed: false }), system);
  const [report, junit] = [join(system.folder, "r.json"), join(system.folder, "r.xml")];
  expect(await system.run("simulate", file, "--report", report, "--junit", junit)).toBe(6);
  expect(JSON.parse(readFileSync(report, "utf8"))).toMatchObject({ id: "r1", state: "FAILED" });
  expect(readFileSync(junit, "utf8")).toContain("<testsuite/>");
  await using other = new FakeSystem();
  const same = await open({ ...runOf("ERROR"), error: { code: "X", message: "It broke." } }, other);
  expect(await other.run("simulate", same)).toBe(1);
  expect(other.out).toContain("It broke.");
});

test("what is wrong with a suite is told as file:line:column, with exit code 2", async () => {
  await using system = new FakeSystem();
  const details = [
    { path: "suite.scenarios.0.persona", code: "SUITE_INVALID", message: "line 3, column 14: is none." },
  ];
  await system.start(
    () => ({ status: 422, body: { error: "Validation failed", message: "m", code: "VALIDATION_FAILED", details } }),
    () => ({ body: {} }),
  );
  system.env.PARLEY_API_KEY = "k";
  const file = join(system.folder, "s.suite.yaml");
  writeFileSync(file, SUITE);
  expect(await system.run("simulate", file)).toBe(2);
  expect(system.err).toContain(`${file}:3:14 scenarios.0.persona is none.`);
  expect(await system.run("simulate")).toBe(2);
  expect(await system.run("simulate", file, "--draft")).toBe(2);
});

test("Ctrl-C cancels the run on the server and exits with 130", async () => {
  await using system = new FakeSystem();
  const file = join(system.folder, "s.suite.yaml");
  writeFileSync(file, SUITE);
  await system.start(
    ({ method, url }) => {
      if (method === "GET") system.interrupt();
      return { body: runOf(url.pathname.endsWith("/cancel") ? "CANCELLED" : "RUNNING") };
    },
    () => ({ body: {} }),
  );
  system.env.PARLEY_API_KEY = "k";
  expect(await system.run("simulate", file)).toBe(130);
  expect(system.api.at(-1)?.url.pathname).toBe("/api/external/v1/simulations/r1/cancel");
});

test("the first suite of a flow reads as a suite whatever its fields and tools are called, and nothing is overwritten", async () => {
  const document = {
    format: "parley.flow",
    formatVersion: 1,
    flow: {},
    tools: [{ name: "book_slot" }],
    structuredOutputs: [{ schema: { properties: { yes: {}, 'a "b": c': {}, plain: {} } } }],
    requiredSecrets: [],
  };
  const text = renderSuite({ apiId: "f-1", name: 'It\'s: a "flow" # one' }, document, null);
  const suite = readSuite(text, "suite", () => "name: hurried\ndescription: d\nkind: PERSON\n");
  expect(suite.name).toBe('It\'s: a "flow" # one');
  expect(Object.keys(suite.scenarios[0]?.expect.fields ?? {})).toEqual(["yes", 'a "b": c', "plain"]);
  expect(Object.keys(suite.scenarios[0]?.tools ?? {})).toEqual(["book_slot"]);
  await using system = new FakeSystem();
  await system.start(
    ({ url }) => ({
      body: url.pathname.endsWith("/export")
        ? document
        : { content: [{ id: "f1", apiId: "f-1", name: "F" }], nextCursor: null, last: true },
    }),
    () => ({ body: {} }),
  );
  system.env.PARLEY_API_KEY = "k";
  const folder = join(system.folder, "suites");
  expect(await system.run("simulate", "init", folder)).toBe(0);
  expect(readFileSync(join(folder, "f-1.suite.yaml"), "utf8")).toContain("flow: f-1");
  expect(await system.run("simulate", "init", folder)).toBe(2);
  const withFlow = join(system.folder, "with-flow");
  expect(await system.run("simulate", "init", withFlow, "--with-flow", "--flow", "f-1")).toBe(0);
  expect(readFileSync(join(withFlow, "f-1.suite.yaml"), "utf8")).toContain("flow: { file: ./f-1.flow.json }");
  expect(JSON.parse(readFileSync(join(withFlow, "f-1.flow.json"), "utf8"))).toEqual(document);
  expect(await system.run("simulate", "init", join(system.folder, "none"), "--flow", "gone")).toBe(4);
});
