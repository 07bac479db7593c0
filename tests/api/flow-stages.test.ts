import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { NOBODY } from "../kit/resources.ts";
import { type TestReply, World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start({ env: NOBODY });
});
afterAll(() => world[Symbol.asyncDispose]());

const END_CALL = "970e5019-a4cf-566d-abc7-058f7bfdab87";
const always = (to: string) => ({ id: "on", to, when: { type: "ALWAYS" } });
const structuredOutputs = [
  {
    name: "visit",
    schema: { type: "object", properties: { attending: { type: "boolean" }, guests: { type: "integer" } } },
  },
];
const stages = [
  {
    id: "ask",
    type: "TALK",
    fields: ["attending"],
    edges: [
      { id: "no", to: "bye", when: { type: "FIELD", field: "attending", operator: "EQUALS", value: false } },
      { id: "yes", to: "check", label: "comes", when: { type: "COLLECTED" } },
    ],
  },
  { id: "check", type: "CONFIRM", fields: ["attending"], edges: [always("bye")] },
  { id: "bye", type: "END", onEntry: [{ type: "SAY", text: "Goodbye, {{ contactName }}." }], edges: [] },
];
const flow = { name: "Stages", structuredOutputs, stages, toolIds: [END_CALL] };

async function ask(method: string, path: string, body: unknown, status = 200): Promise<TestReply["body"]> {
  const reply = await world.request(method, path, body === undefined ? {} : { body });
  expect(reply.status, `${method} ${path}: ${reply.text}`).toBe(status);
  return reply.body;
}

async function faultsOf(changed: object): Promise<string[]> {
  const body = await ask("POST", "/flows", { ...flow, ...changed }, 422);
  return (body.details as { path: string; code: string }[]).map(({ path, code }) => `${path} ${code}`);
}

const warningsOf = (body: TestReply["body"]) => ((body.warnings ?? []) as { path: string }[]).map(({ path }) => path);

test("stages are read back as they were sent, in flow, draft, version and document", async () => {
  const made = await ask("POST", "/flows", flow);
  expect(made.stages).toEqual(stages);
  expect(made).not.toHaveProperty("warnings");
  const path = `/flows/${String(made.id)}`;
  const draft = await ask("PUT", `${path}/draft`, { stages: [{ ...stages[2], name: "End" }] });
  expect(draft.stages).toEqual([{ ...stages[2], name: "End" }]);
  expect((await ask("GET", path, undefined)).stages).toEqual(stages);
  await ask("POST", `${path}/publish`, {});
  expect((await ask("GET", `${path}/versions/1`, undefined)).stages).toEqual(stages);
  expect((await ask("PUT", path, { stages: null })).stages).toBeNull();
  expect((await ask("POST", "/flows", { name: "Without" })).stages).toBeNull();
});

test("every fault of a definition is named with its place", async () => {
  const [first, check, bye] = stages;
  expect(await faultsOf({ stages: [first, check, { ...bye, id: "ask" }] })).toEqual([
    "stages.2.id DUPLICATE",
    "stages.0.edges.0.to UNKNOWN",
    "stages.1.edges.0.to UNKNOWN",
  ]);
  expect(
    await faultsOf({
      stages: [
        { id: "a", type: "TALK", isStart: true, fields: ["other"], toolIds: [randomUUID()], prompt: "{{ a" },
        { id: "b", type: "TRANSFER", isStart: true, transferTarget: "desk", onMaxVisits: "c", flowId: randomUUID() },
        {
          id: "d",
          type: "CONFIRM",
          onEntry: [{ type: "SAY" }, { type: "SET", name: "x" }, { type: "CALL_TOOL", toolId: randomUUID() }],
          edges: [
            { id: "e", to: "a", when: { type: "FIELD", field: "guests", operator: "ONE_OF", value: 1 } },
            { id: "e", to: "a", when: { type: "MEANING" } },
            { id: "g", to: "a", when: { type: "EXPRESSION", expression: "{{ x" } },
            { id: "h", to: "a", when: { type: "TOOL_RESULT", toolId: END_CALL } },
          ],
        },
      ],
    }),
  ).toEqual([
    "stages.1.isStart TWO_STARTS",
    "stages.0.fields.0 UNKNOWN",
    "stages.0.toolIds.0 UNKNOWN",
    "stages.0.prompt TEMPLATE",
    "stages.1.flowId MISPLACED",
    "stages.1.transferTarget UNKNOWN",
    "stages.1.onMaxVisits UNKNOWN",
    "stages.2.fields REQUIRED",
    "stages.2.edges.1.id DUPLICATE",
    "stages.2.edges.0.when.value TYPE",
    "stages.2.edges.1.when.description REQUIRED",
    "stages.2.edges.2.when.expression TEMPLATE",
    "stages.2.edges.3.when.outcome REQUIRED",
    "stages.2.onEntry.0.text REQUIRED",
    "stages.2.onEntry.1.value REQUIRED",
    "stages.2.onEntry.2.toolId UNKNOWN",
  ]);
  const many = Array.from({ length: 101 }, (_, i) => ({ id: `s${i}`, type: "END" }));
  expect(await faultsOf({ stages: many })).toEqual([expect.stringMatching(/^stages /)]);
  const edges = Array.from({ length: 51 }, (_, i) => ({ ...always("bye"), id: `e${i}` }));
  expect(await faultsOf({ stages: [{ ...first, edges }, bye] })).toEqual([expect.stringMatching(/^stages\.0\.edges /)]);
});

test("what only smells is a warning, once", async () => {
  const smelly = [
    {
      ...stages[0],
      edges: [
        ...(stages[0]?.edges ?? []),
        { id: "why", to: "loop", when: { type: "MEANING", description: "asks why" } },
      ],
    },
    ...stages.slice(1),
    { id: "loop", type: "TALK", edges: [always("loop")] },
    { id: "alone", type: "TALK", prompt: "x" },
  ];
  const made = await ask("POST", "/flows", { ...flow, stages: smelly });
  expect(warningsOf(made)).toEqual(["/stages/0/edges/2/when/examples", "/stages/3/edges", "/stages/4"]);
  const path = `/flows/${String(made.id)}`;
  expect(await ask("PUT", path, { stages: smelly, description: "x" })).not.toHaveProperty("warnings");
  const draft = await ask("PUT", `${path}/draft`, { stages: [...smelly, { id: "last", type: "TALK" }] });
  expect(warningsOf(draft)).toEqual(["/stages/5"]);
});

test("a stage that a no cannot leave is a warning", async () => {
  const comes = { name: "Coming", schema: { type: "object", properties: { comes: { type: "boolean" } } } };
  const warnings = async (...whens: object[]) => {
    const edges = whens.map((when, i) => ({ id: `e${i}`, to: "bye", when }));
    const ask_ = { id: "ask", type: "TALK", prompt: "Ask whether they come.", fields: ["comes"], edges };
    const body = { name: "Refused", structuredOutputs: [comes], stages: [ask_, { id: "bye", type: "END" }] };
    return ((await ask("POST", "/flows", body)).warnings ?? []) as { path: string; message: string }[];
  };
  const says = (value: boolean) => ({ type: "FIELD", field: "comes", operator: "EQUALS", value });
  expect(await warnings(says(true))).toMatchObject([
    {
      path: "/stages/0/edges",
      message: "No edge of ask follows where comes is false, so a person who says no gets no further.",
    },
  ]);
  expect(await warnings({ ...says(false), operator: "NOT_EQUALS" })).toHaveLength(1);
  expect(await warnings(says(true), says(false))).toEqual([]);
  expect(await warnings(says(true), { type: "COLLECTED" })).toEqual([]);
});

test("a change of tools or outputs cannot break the stages of a flow", async () => {
  const made = await ask("POST", "/flows", flow);
  const path = `/flows/${String(made.id)}`;
  const broken = await ask("PUT", path, { structuredOutputs: [] }, 422);
  expect(broken.details).toEqual(expect.arrayContaining([expect.objectContaining({ path: "stages.0.fields.0" })]));
  expect((await ask("GET", path, undefined)).version).toBe(1);
});

test("a flow runs in another one, but never in itself", async () => {
  const inner = await ask("POST", "/flows", { ...flow, name: "Inner" });
  const none = await ask("POST", "/flows", { name: "No stages" });
  const around = (flowId: unknown) => [
    { id: "sub", type: "SUBFLOW", flowId, edges: [always("bye")] },
    { id: "bye", type: "END" },
  ];
  const outer = await ask("POST", "/flows", { name: "Outer", stages: around(inner.id) });
  await ask("POST", "/flows", { name: "Lost", stages: around(randomUUID()) }, 404);
  await ask("POST", "/flows", { name: "Empty", stages: around(none.id) }, 422);
  const cycle = await ask("PUT", `/flows/${String(inner.id)}`, { stages: around(outer.id) }, 422);
  expect(cycle.details).toEqual([{ path: "stages.0.flowId", code: "CYCLE", message: expect.any(String) }]);
  // Neither by a version from a time when it ran there.
  const path = `/flows/${String(outer.id)}`;
  await ask("PUT", path, { stages: flow.stages, structuredOutputs: flow.structuredOutputs });
  await ask("PUT", `/flows/${String(inner.id)}`, { stages: around(outer.id) });
  const restored = await ask("POST", `${path}/versions/1/restore`, {}, 422);
  expect(restored.details).toMatchObject([{ path: "stages.0.flowId", code: "CYCLE" }]);
  const shared = await ask("PUT", `${path}/split`, { splits: [{ version: 1, percent: 100 }] }, 422);
  expect(shared.details).toMatchObject([{ path: "splits.0.stages.0.flowId", code: "CYCLE" }]);
  await ask("PUT", `/flows/${String(inner.id)}`, { stages: flow.stages });
  await ask("POST", `${path}/versions/1/restore`, {});
});

test("documents and files carry stages with the ids of the workspace they come to", async () => {
  const tool = await ask(
    "POST",
    "/tools",
    { name: "look", description: "d", toolType: "API", apiMethod: "GET", apiUrl: "https://example.com/x" },
    201,
  );
  const named = [
    {
      ...stages[0],
      toolIds: [tool.id],
      onEntry: [{ type: "CALL_TOOL", toolId: tool.id, arguments: {} }],
      edges: [{ id: "t", to: "bye", when: { type: "TOOL_RESULT", toolId: tool.id, outcome: "FAILED" } }],
    },
    stages[2],
  ];
  const made = await ask("POST", "/flows", { ...flow, toolIds: [tool.id], stages: named });
  const document = await ask("GET", `/flows/${String(made.id)}/export`, undefined);
  const imported = (await ask("POST", "/flows/import", document, 201)).flow as TestReply["body"];
  const [newId] = imported.toolIds as string[];
  expect(newId).not.toBe(tool.id);
  expect(imported.stages).toEqual(JSON.parse(JSON.stringify(named).replaceAll(String(tool.id), String(newId))));
  const lost = await ask(
    "POST",
    "/flows/import",
    {
      ...document,
      tools: [],
      flow: {
        ...(document.flow as object),
        toolIds: [],
        stages: JSON.parse(JSON.stringify(named).replaceAll(String(tool.id), randomUUID())),
      },
    },
    201,
  );
  expect((lost.flow as TestReply["body"]).stages).toEqual([
    { ...stages[0], toolIds: [], onEntry: [], edges: [] },
    stages[2],
  ]);
  const [flowId, toolId] = [`file-${randomUUID().slice(0, 8)}`, randomUUID()];
  await ask("POST", "/flows/apply", {
    tools: [
      {
        id: toolId,
        name: "other",
        description: "d",
        toolType: "API",
        apiMethod: "GET",
        apiUrl: "https://example.com/x",
        ifVersion: 0,
      },
    ],
    flows: [
      {
        ...flow,
        apiId: flowId,
        toolIds: [toolId],
        stages: JSON.parse(JSON.stringify(named).replaceAll(String(tool.id), toolId)),
        ifVersion: 0,
      },
    ],
  });
});
