import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { FakeSystem } from "../kit/fake-system.ts";
import { ROOT } from "../kit/repository.ts";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

const NAMES = [
  "after-hours-callback",
  "appointment-reminder",
  "delivery-slot",
  "event-rsvp",
  "insurance-renewal",
  "lead-qualification",
  "no-show-follow-up",
  "patient-intake",
  "payment-reminder",
  "recruitment-screening",
  "satisfaction-survey",
  "win-back",
];
/** Templates that say who is on the line before anything else, and what they must not say to others. */
const VERIFIED = { "payment-reminder": /\b(pay|invoice|dollars|due|owe)/i, "patient-intake": /allerg|medicine|visit/i };

interface Template {
  name: string;
  title: string;
  description: string;
  collects: string[];
  tools: string[];
  document: Document;
  suite: string;
}
interface Document {
  flow: {
    apiId: string;
    masterPrompt: string;
    firstMessage: string;
    localVariables: { variableName: string; defaultValue: string }[];
    voicemailConfig: { action: string; message?: string };
  };
  tools: { name: string; mockConfig: { enabled: boolean } }[];
  structuredOutputs: { name: string }[];
}
interface Suite {
  scenarios: { name: string; persona: unknown; expect: { outcome?: string; fields?: object; optOut?: boolean } }[];
}
interface Run {
  id: string;
  state: string;
  report: {
    warnings: string[];
    scenarios: { name: string; passed: boolean; conversations: { failures: { code: string }[] }[] }[];
  };
}
interface Made {
  flow: { id: string; apiId: string; version: number };
  tools: { name: string }[];
  structuredOutputs: { name: string }[];
  requiredSecrets: unknown[];
  unresolved: unknown[];
}

async function read(name: string): Promise<Template> {
  return (await world.request("GET", `/flow-templates/${name}`)).body as unknown as Template;
}

/** Makes the template's flow, and publishes it once more from a draft, which checks its variables. */
async function makeFlow({ document }: Template): Promise<Made> {
  const imported = await world.request("POST", "/flows/import", { body: document });
  expect(imported.status, imported.text).toBe(201);
  const made = imported.body as unknown as Made;
  const path = `/flows/${made.flow.id}`;
  const drafted = await world.request("PUT", `${path}/draft`, { body: { firstMessage: document.flow.firstMessage } });
  expect(drafted.body.warnings ?? [], drafted.text).toEqual([]);
  const published = await world.request("POST", `${path}/publish`, { body: {} });
  expect([published.status, published.body.version], published.text).toEqual([200, 2]);
  return made;
}

/** Runs a suite to its end: on the document, which it names as a file, or on another flow. */
async function run({ suite, document, flow }: { suite: unknown; document: Document; flow?: string }): Promise<Run> {
  const files = { "./flow.json": JSON.stringify(document) };
  const body = { suite, files, ...(flow && { flow }), compareWith: "none" };
  const started = await world.request("POST", "/simulations", { body });
  expect(started.status, started.text).toBe(200);
  const ended = (body: Record<string, unknown>) => body.state !== "QUEUED" && body.state !== "RUNNING";
  return (await world.until(`/simulations/${String(started.body.id)}`, ended)) as unknown as Run;
}

test("the list has a template for each folder, and no more of it than a gallery shows", async () => {
  const { body } = await world.request("GET", "/flow-templates");
  const listed = body as unknown as Template[];
  expect(listed.map(({ name }) => name)).toEqual(NAMES);
  expect(readdirSync(join(ROOT, "templates")).toSorted()).toEqual(NAMES);
  expect(listed.find(({ name }) => name === "payment-reminder")).toEqual({
    name: "payment-reminder",
    title: "Payment reminder",
    description: expect.stringContaining("overdue invoice"),
    language: "en-US",
    collects: ["Postal code", "Settlement", "Day of payment"],
    tools: ["find_invoice"],
  });
  const rows = readFileSync(join(ROOT, "docs/templates.md"), "utf8").matchAll(
    /^\| `([\w-]+)` \| .* \| (?:`(\w+)` )?\|$/gm,
  );
  const documented = [...rows].map(([, name, tool]) => ({ name, tools: tool === undefined ? [] : [tool] }));
  expect(documented).toEqual(listed.map(({ name, tools }) => ({ name, tools })));
});

test.each(["nothing-such", "..%2f..%2fpackage.json", "%2e%2e", "constructor"])(
  "there is no template %s",
  async (name) => {
    expect((await world.request("GET", `/flow-templates/${name}`)).status).toBe(404);
  },
);

describe.each(NAMES)("the template %s", (name) => {
  test("is imported as a whole, published, and passes its own suite", async () => {
    const template = await read(name);
    const made = await makeFlow(template);
    expect(made).toMatchObject({ requiredSecrets: [], unresolved: [] });
    expect(made.tools.map((tool) => tool.name)).toEqual(template.tools);
    const { state, report } = await run({ ...template, flow: made.flow.id });
    const failed = report.scenarios.filter(({ passed }) => !passed);
    expect([state, report.warnings, failed]).toEqual(["PASSED", [], []]);
  });

  test("has a suite that fails when somebody answers otherwise, and when the agent says something else", async () => {
    const { suite, document } = await read(name);
    const parsed = parse(suite) as Suite;
    const [first, ...others] = parsed.scenarios;
    const otherAnswer = { ...parsed, scenarios: [{ ...first, persona: "declines" }, ...others] };
    const { state, report } = await run({ suite: otherAnswer, document });
    expect([state, report.scenarios.map(({ passed }) => passed)]).toEqual([
      "FAILED",
      [false, ...others.map(() => true)],
    ]);
    const codes = report.scenarios[0]?.conversations[0]?.failures.map(({ code }) => code);
    expect(codes).toContain("FIELD");
    const silent = { ...document, flow: { ...document.flow, firstMessage: "Hello." } };
    expect((await run({ suite, document: silent })).state).toBe("FAILED");
  });

  test("has people who agree, refuse and opt out, and checks fields and the outcome", async () => {
    const { scenarios } = parse((await read(name)).suite) as Suite;
    expect(new Set(scenarios.map(({ persona }) => JSON.stringify(persona))).size).toBeGreaterThanOrEqual(4);
    expect(scenarios[0]?.expect.outcome).toBe("COMPLETED");
    const checked = scenarios.map(({ expect: { fields = {} } }) => Object.keys(fields).length);
    expect(checked.filter((count) => count >= 2).length).toBeGreaterThanOrEqual(3);
    expect(scenarios.filter((scenario) => scenario.expect.optOut)).toHaveLength(1);
  });

  test("says first that an AI calls and for whom, has samples of its variables, and needs no account", async () => {
    const { document, collects, description } = await read(name);
    const { flow, tools, structuredOutputs } = document;
    expect(flow.apiId).toBe(name);
    expect(flow.firstMessage).toContain("this is an AI assistant calling on behalf of {{ company }}.");
    expect(flow.localVariables.filter(({ defaultValue }) => !defaultValue)).toEqual([]);
    expect(tools.filter(({ mockConfig }) => !mockConfig.enabled)).toEqual([]);
    expect(structuredOutputs).toHaveLength(1);
    expect(collects.length).toBeGreaterThanOrEqual(3);
    expect(collects.filter((label) => !/^[A-Z][a-z]/.test(label))).toEqual([]);
    expect(description).toMatch(/^[A-Z].{30,120}\.$/);
    for (const rule of ["human", "do-not-call", "do not want"]) expect(flow.masterPrompt).toContain(rule);
  });
});

test.each(Object.entries(VERIFIED))(
  "%s names nothing of the matter before it knows who listens",
  async (name, matter) => {
    const { firstMessage, voicemailConfig } = (await read(name)).document.flow;
    expect(firstMessage).toMatch(/Am I speaking with [^?]*\?$/);
    expect(firstMessage).not.toMatch(matter);
    expect(voicemailConfig.message).not.toMatch(matter);
  },
);

test("a call with a template's flow gets the answer of its mocked tool, without an account", async () => {
  const made = await makeFlow(await read("appointment-reminder"));
  const row = await world.call("+12025550100", { flowId: made.flow.id });
  expect(row).toMatchObject({ status: "COMPLETED", outcome: "ANSWERED" });
  const said = (row.transcript as { content: string }[]).map(({ content }) => content);
  expect(said.join("\n")).toContain("Your appointment is confirmed.");
});

test("the first person of the sandbox says the postal code that payment-reminder asks for", async () => {
  const made = await makeFlow(await read("payment-reminder"));
  const row = await world.call("+12025550100", { flowId: made.flow.id });
  expect(row.extractedFields).toMatchObject({ postalCode: "12345", payDay: expect.stringMatching(/^2031-/) });
  const said = (row.transcript as { content: string }[]).map(({ content }) => content);
  expect(said.join("\n")).toContain("Invoice 2043");
});

test("what parley init writes is ready for parley simulate and parley flow import", async () => {
  await using system = new FakeSystem();
  Object.assign(system.env, { PARLEY_URL: world.url, PARLEY_API_KEY: world.sample.apiKey });
  const folder = join(system.folder, "delivery");
  expect(await system.run("init", "delivery-slot", "--dir", folder)).toBe(0);
  expect(await system.run("simulate", join(folder, "suite.yaml")), system.out + system.err).toBe(0);
  expect(await system.run("flow", "import", join(folder, "flow.json")), system.err).toBe(0);
  expect(system.out).toMatch(/tools +1\nstructuredOutputs +1\n/);
});
