import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AgentHarness } from "../kit/agent-harness.ts";
import { type Chat, ChatHarness, textsOf } from "../kit/chat-harness.ts";
import { lastToolAnswer, type ModelQuestion } from "../kit/model-server.ts";
import type { World } from "../kit/world.ts";

type Json = Record<string, unknown>;
interface Visit {
  stageId: string;
  edgeId: string | null;
  leftAt: string | null;
  turnIndex: number;
}

let harness: AgentHarness;
let world: World;
let chats: ChatHarness;
beforeAll(async () => {
  harness = await AgentHarness.open();
  ({ world } = harness);
  chats = new ChatHarness(world);
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => harness.reset());

const say = (text: string) => ({ type: "SAY", text });
const edge = (id: string, to: string, when: Json = { type: "ALWAYS" }) => ({ id, to, when });
const price = { type: "MEANING", description: "asks about the price", examples: ["how much is it"] };
const structuredOutputs = [
  {
    name: "visit",
    schema: {
      type: "object",
      properties: {
        coming: { type: "boolean", description: "Will you come?" },
        people: { type: "integer", description: "How many people will come?", minimum: 1, maximum: 20 },
        remark: { type: "string", description: "What they remarked." },
      },
    },
  },
];
const stages = [
  {
    id: "ask",
    name: "Ask them",
    type: "TALK",
    fields: ["coming", "people"],
    edges: [
      edge("no", "bye", { type: "FIELD", field: "coming", operator: "EQUALS", value: false }),
      edge("yes", "check", { type: "COLLECTED" }),
    ],
  },
  { id: "check", type: "CONFIRM", fields: ["people"], edges: [edge("on", "bye")] },
  { id: "price", type: "TALK", onEntry: [say("It is free.")], global: { when: price, returns: true } },
  { id: "bye", type: "END", onEntry: [say("Goodbye.")] },
];

const pathOf = (session: Json) =>
  (session.stagePath as Visit[]).map(({ stageId, edgeId, leftAt }) => [stageId, edgeId, leftAt !== null]);

async function write(id: string, ...words: string[]): Promise<Chat> {
  let last: Chat | undefined;
  for (const one of words) last = await chats.write(id, one);
  return last as Chat;
}

test("a chat keeps its stage between its turns, and shows its path", async () => {
  const flow = { name: "Stages", firstMessage: "Hello.", channelMode: "CHAT", structuredOutputs, stages };
  const saved = await harness.make("/flows", flow);
  const { session } = await chats.started({ channel: "CHAT", flowId: saved.id as string });
  expect(session.stagePath).toEqual([]);
  const asked = await write(session.id, "Hi", "Yes, I will");
  expect(pathOf(asked.session)).toEqual([["ask", null, false]]);
  await write(session.id, "How much is it?", "Two", "Yes");
  const done = await world.until(`/chat-sessions/${session.id}`, (body) => body.structuredOutputs !== null);
  expect(pathOf(done)).toEqual([
    ["ask", null, true],
    ["price", null, true],
    ["ask", "yes", true],
    ["check", "on", true],
    ["bye", null, false],
  ]);
  expect(done).toMatchObject({ endReason: "AGENT_ENDED_CHAT", extractedFields: { coming: true, people: 2 } });
  expect(done.structuredOutputs).toMatchObject({ visit: { sources: { coming: "ASKED", people: "ASKED" } } });
  expect(textsOf(await chats.messages(session.id)).filter((line) => line.startsWith("ASSISTANT"))).toEqual([
    "ASSISTANT: Hello.",
    "ASSISTANT: Will you come?",
    "ASSISTANT: Got it. How many people will come?",
    "ASSISTANT: It is free.",
    "ASSISTANT: How many people will come?",
    "ASSISTANT: Let me check: people: 2. Is that right?",
    "ASSISTANT: Goodbye.",
  ]);
  const funnel = await world.request("GET", `/flows/${String(saved.id)}/stage-funnel`);
  expect(funnel.body).toEqual({
    version: 1,
    sessions: 1,
    stages: [
      {
        stageId: "ask",
        entered: 1,
        endedHere: 0,
        medianSeconds: expect.any(Number),
        edges: [
          { edgeId: "no", to: "bye", taken: 0 },
          { edgeId: "yes", to: "check", taken: 1 },
        ],
      },
      expect.objectContaining({ stageId: "check", entered: 1, edges: [{ edgeId: "on", to: "bye", taken: 1 }] }),
      expect.objectContaining({ stageId: "price", entered: 1, endedHere: 0 }),
      expect.objectContaining({ stageId: "bye", entered: 1, endedHere: 1 }),
    ],
  });
});

test("a funnel is refused for a time it cannot count, a version that is none, and a flow of another workspace", async () => {
  const { id } = await harness.make("/flows", { name: "Empty" });
  const path = `/flows/${String(id)}/stage-funnel`;
  const get = async (query: string, key?: string) =>
    (await world.request("GET", `${path}${query}`, key ? { key } : {})).status;
  expect(await get("")).toBe(200);
  expect(await get("?version=2")).toBe(404);
  expect(await get("?from=2026-01-01T00:00:00Z&to=2026-05-01T00:00:00Z")).toBe(422);
  expect(await get("?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z")).toBe(422);
  const stranger = await world.createWorkspace();
  expect(await get("", stranger.apiKey)).toBe(404);
});

test("a flow's funnel and edge coverage leave out the flow to which a call was transferred, whose ids are the same", async () => {
  const ask = (field: string, to: string) => ({ id: "ask", type: "TALK", fields: [field], edges: [edge("on", to)] });
  const bye = { id: "bye", type: "END", onEntry: [say("Goodbye.")] };
  const other = await harness.make("/flows", {
    name: "Other",
    structuredOutputs,
    stages: [ask("people", "bye"), bye],
  });
  const saved = await harness.make("/flows", {
    name: "First",
    firstMessage: "Hello.",
    structuredOutputs,
    transferTargets: [{ name: "other", destinationType: "FLOW", destination: other.apiId }],
    stages: [ask("coming", "over"), { id: "over", type: "TRANSFER", transferTarget: "other" }, bye],
  });
  const placed = await harness.make("/outbound/calls", { customerNumber: "+12025550100", flowId: saved.id });
  const row = await world.until(`/call-rows/${String(placed.rowId)}`, (body) => body.endedAt !== null);
  expect(pathOf(row).map(([stageId]) => stageId)).toEqual(["ask", "over", "ask", "bye"]);
  const { body } = await world.request("GET", `/flows/${String(saved.id)}/stage-funnel`);
  expect(body).toMatchObject({
    sessions: 1,
    stages: [
      { stageId: "ask", edges: [{ edgeId: "on", taken: 1 }] },
      { stageId: "over", endedHere: 1 },
      { stageId: "bye", entered: 0, endedHere: 0 },
    ],
  });
  const suite = { suite: "Transferred", flow: saved.apiId, scenarios: [{ persona: "agrees" }] };
  const run = await harness.make("/simulations", { suite });
  const { report } = await world.until(`/simulations/${String(run.id)}`, ({ endedAt }) => endedAt !== null);
  expect(report).toMatchObject({ edgeCoverage: { covered: 1, total: 1, unreachedStages: ["bye"] } });
});

test("a simulation speaks through a stage's own model, unless its suite names another", async () => {
  const baseUrl = harness.model.url;
  const own = await harness.make("/models", {
    name: "Of a stage",
    provider: "OPENAI_COMPATIBLE",
    model: "own",
    baseUrl,
  });
  const talk = { id: "talk", type: "TALK", prompt: "Say goodbye.", languageModelId: own.id };
  const flow = await harness.make("/flows", { name: "Two models", firstMessage: "Hello.", stages: [talk] });
  harness.model.think = () => ({ text: "I am the stage's own.", calls: [{ name: "end_call", input: {} }] });
  const said = async (model: string) => {
    const suite = { suite: "Models", flow: flow.apiId, model, scenarios: [{ persona: "agrees" }] };
    const run = await harness.make("/simulations", { suite });
    const ended = await world.until(`/simulations/${String(run.id)}`, ({ endedAt }) => endedAt !== null);
    return JSON.stringify(ended.report);
  };
  expect(await said("FLOW")).toContain("I am the stage's own.");
  expect(await said("SCRIPTED")).not.toContain("I am the stage's own.");
});

test("a call walks its stages, and its row and its funnel show them", async () => {
  const flow = { name: "Stages", firstMessage: "Hello.", structuredOutputs, stages };
  const saved = await harness.make("/flows", flow);
  const placed = await harness.make("/outbound/calls", { customerNumber: "+12025550100", flowId: saved.id });
  const row = await world.until(`/call-rows/${String(placed.rowId)}`, (body) => body.endedAt !== null);
  const path = row.stagePath as Visit[];
  expect(row.endReason).toBe("AGENT_ENDED_CALL");
  expect(path[0]).toMatchObject({ stageId: "ask", stageName: "Ask them", enteredAt: expect.any(String), turnIndex: 0 });
  expect(path.at(-1)).toMatchObject({ stageId: "bye" });
  const { body } = await world.request("GET", `/flows/${String(saved.id)}/stage-funnel`);
  expect(body).toMatchObject({ sessions: 1, stages: [{ stageId: "ask", entered: 1 }, {}, {}, { endedHere: 1 }] });
});

test("a call without stages has an empty path", async () => {
  const placed = await harness.make("/outbound/calls", {
    customerNumber: "+12025550100",
    flow: { name: "Plain", firstMessage: "Hello." },
  });
  const row = await world.until(`/call-rows/${String(placed.rowId)}`, (body) => body.endedAt !== null);
  expect(row.stagePath).toEqual([]);
});

/** The names of the tools that a question offers. */
const offered = (question: ModelQuestion) => question.tools.map((tool) => tool.function.name);

test("a hosted model sees its stage alone, records by a strict schema and chooses by an enumeration", async () => {
  const toolId = await harness.tool({ name: "book", apiMethod: "POST" });
  const staged = [
    {
      id: "ask",
      type: "TALK",
      prompt: "Only ask for {{ fields.people | default: 'the people' }}.",
      fields: ["people"],
      toolIds: [],
      edges: [
        edge("why", "why", { type: "MEANING", description: "asks why" }),
        edge("on", "book", { type: "COLLECTED" }),
      ],
    },
    { id: "why", type: "TALK", prompt: "Say why.", toolIds: [], edges: [edge("on", "ask")] },
    {
      id: "book",
      type: "TALK",
      prompt: "Book it.",
      toolIds: [toolId],
      edges: [edge("done", "bye", { type: "TOOL_RESULT", toolId, outcome: "SUCCEEDED" })],
    },
    { id: "bye", type: "END", onEntry: [say("Booked for {{ fields.people }}.")] },
  ];
  harness.model.think = (question, turn) => {
    if (question.wantsJson) return { text: JSON.stringify({ coming: null, people: 7, remark: "nice" }) };
    if (turn === 1) return { calls: [{ name: "book", input: {} }] };
    if (turn === 2) return { text: "How many?" };
    if (turn === 3) return { calls: [{ name: "choose_edge", input: { edge: "why" } }] };
    if (turn === 4) return { text: "For the chairs." };
    if (offered(question).includes("book")) return { calls: [{ name: "book", input: {} }] };
    return lastToolAnswer(question) === null
      ? { calls: [{ name: "record_fields", input: { values: { people: 2 } } }] }
      : { text: "Thanks." };
  };
  const flow = harness.flow({ structuredOutputs, toolIds: [toolId], stages: staged });
  const { session } = await chats.started({ channel: "CHAT", flow });
  await write(session.id, "Hi", "Why do you ask?", "Two of us");
  const done = await world.until(`/chat-sessions/${session.id}`, (body) => body.structuredOutputs !== null);
  const [first, second, third, , fifth] = harness.model.asked;
  expect(offered(first as ModelQuestion)).not.toContain("book");
  expect(JSON.stringify(second?.messages)).toContain("there is no tool named book");
  expect(JSON.stringify(first?.messages[0])).toContain("Only ask for the people.");
  expect(JSON.stringify(first?.messages[0])).not.toContain("Say why.");
  const choose = third?.tools.find((tool) => tool.function.name === "choose_edge");
  expect(choose?.function.parameters).toMatchObject({ properties: { edge: { enum: ["why", "none"] } } });
  const record = third?.tools.find((tool) => tool.function.name === "record_fields");
  expect(record?.function.parameters).toMatchObject({
    properties: { values: { properties: { people: expect.anything() } } },
  });
  expect(fifth).toBeDefined();
  expect(harness.server.requests).toHaveLength(1);
  expect(pathOf(done).map(([stageId]) => stageId)).toEqual(["ask", "why", "ask", "book", "bye"]);
  expect(done.extractedFields).toEqual({ people: 2, remark: "nice" });
  expect(done.structuredOutputs).toMatchObject({ visit: { sources: { people: "ASKED", remark: "FOUND_AFTERWARDS" } } });
});

test("a flow that runs in another one comes back to its edges", async () => {
  const inner = await harness.make("/flows", { name: "Inner", structuredOutputs, stages });
  const outer = {
    name: "Outer",
    firstMessage: "Hello.",
    stages: [
      { id: "visit", type: "SUBFLOW", flowId: inner.id, edges: [edge("on", "last")] },
      { id: "last", type: "END", onEntry: [say("That was the outer flow.")] },
    ],
  };
  const { session } = await chats.started({ channel: "CHAT", flow: outer });
  await write(session.id, "Hi", "Yes", "Two", "Yes");
  const done = await world.until(`/chat-sessions/${session.id}`, (body) => body.structuredOutputs !== null);
  expect(pathOf(done).map(([stageId, edgeId]) => [stageId, edgeId])).toEqual([
    ["visit", null],
    ["visit.ask", "yes"],
    ["visit.check", "on"],
    ["visit.bye", null],
    ["visit", "on"],
    ["last", null],
  ]);
  expect(done.extractedFields).toEqual({ coming: true, people: 2 });
});

test("a TRANSFER of a chat asks for an operator, and goes on by its edges when they hand it back", async () => {
  const flow = {
    name: "Hand over",
    firstMessage: "Hello.",
    transferTargets: [{ name: "desk", destinationType: "PHONE", destination: "+12025550155" }],
    stages: [
      {
        id: "over",
        type: "TRANSFER",
        transferTarget: "desk",
        onEntry: [say("I ask a colleague.")],
        edges: [edge("back", "bye")],
      },
      { id: "bye", type: "END", onEntry: [say("Goodbye.")] },
    ],
  };
  const { session } = await chats.started({ channel: "CHAT", flow });
  const asked = await write(session.id, "Hi");
  expect(textsOf(asked.messages)).toEqual(["USER: Hi", "ASSISTANT: I ask a colleague."]);
  expect(asked.session).toMatchObject({ handoff: { state: "WAITING" } });
  const path = `/chat-sessions/${session.id}`;
  expect((await world.request("POST", `${path}/hand-back`)).status).toBeLessThan(300);
  expect(textsOf((await write(session.id, "I am back")).messages)).toEqual(["USER: I am back", "ASSISTANT: Goodbye."]);
});
