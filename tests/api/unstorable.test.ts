import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { AgentHarness, BYE } from "../kit/agent-harness.ts";
import { ChatHarness, textsOf } from "../kit/chat-harness.ts";
import { lastToolAnswer, type ModelServer } from "../kit/model-server.ts";
import { ToolServer } from "../kit/tool-server.ts";
import type { World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let harness: AgentHarness;
let world: World;
let model: ModelServer;
let server: ToolServer;
beforeAll(async () => {
  harness = await AgentHarness.open();
  ({ world, model, server } = harness);
});
afterAll(() => harness[Symbol.asyncDispose]());
beforeEach(() => harness.reset());

/** No text column takes the first, no JSON column the halves. */
const BAD = "a\0b \ud800y 😀";
const GOOD = "ab \ufffdy 😀";
/** No voice gets the halves either. */
const SPOKEN = "ab y 😀";
const OUTPUT = {
  name: "visit",
  schema: { type: "object", properties: { note: { type: "string" } }, required: ["note"] },
};

test("a call keeps its record when its tool, its model and its outputs say what no database takes", async () => {
  const toolId = await harness.tool({
    name: "look_up",
    returnValue: { path: "note", saveToVariable: "found" },
    apiUrl: `${server.url}/x`,
  });
  server.answer = (_request, response) => ToolServer.json(response, { note: BAD, [BAD]: BAD });
  model.think = (question) => {
    if (question.wantsJson) return { text: JSON.stringify({ note: BAD, [BAD]: BAD }) };
    if (lastToolAnswer(question) === null) return { calls: [{ name: "look_up", input: { [BAD]: BAD } }] };
    return { text: `${BAD}.`, calls: BYE.calls ?? [] };
  };
  const row = await harness.call({ toolIds: [toolId], structuredOutputs: [OUTPUT] });
  expect(row).toMatchObject({ status: "COMPLETED", outcome: "ANSWERED", endReason: "AGENT_ENDED_CALL", error: null });
  const transcript = row.transcript as { role: string; content: string }[];
  expect(transcript.some(({ content }) => content.includes(`${SPOKEN}.`))).toBe(true);
  expect(transcript.some(({ role }) => role === "TOOL")).toBe(true);
  expect(row.extractedFields).toMatchObject({ note: GOOD });
});

test("a chat keeps its record, too, and its agent goes on", async () => {
  const toolId = await harness.tool({
    name: "look_up",
    returnValue: { path: "note", saveToVariable: "found" },
    apiUrl: `${server.url}/x`,
  });
  server.answer = (_request, response) => ToolServer.json(response, { note: BAD });
  model.think = (question) => {
    if (question.wantsJson) return { text: JSON.stringify({ note: BAD }) };
    return lastToolAnswer(question) === null
      ? { calls: [{ name: "look_up", input: { q: BAD } }] }
      : { text: `Found ${BAD}.` };
  };
  const chats = new ChatHarness(world);
  const flow = harness.flow({ toolIds: [toolId], channelMode: "CHAT", structuredOutputs: [OUTPUT] });
  const { session } = await chats.started({ flow, contactIdentifier: "p-1", channel: "CHAT" });
  const { messages } = await chats.write(session.id, "Look it up");
  expect(textsOf(messages).join()).toContain(`Found ${GOOD}.`);
});

test("an output that still cannot be stored is left out and told; the rest of the record stays", async () => {
  // PostgreSQL refuses JSON that is nested more deeply than its stack.
  const deep = `${"[".repeat(9_000)}${"]".repeat(9_000)}`;
  model.think = (question) =>
    question.wantsJson ? { text: `{"note": "x", "deep": ${deep}}` } : { text: "Bye.", calls: BYE.calls ?? [] };
  const row = await harness.call({ structuredOutputs: [OUTPUT] });
  expect(row).toMatchObject({ status: "COMPLETED", outcome: "ANSWERED", endReason: "AGENT_ENDED_CALL" });
  expect(row.error).toMatchObject({ code: "RESULT_INCOMPLETE" });
  expect((row.transcript as Json[]).length).toBeGreaterThan(0);
  expect((row.structuredOutputs as Record<string, Json>).visit).toMatchObject({ value: null, valid: false });
});
