import { afterAll, beforeAll, expect, test } from "vitest";
import type { ModelProvider } from "#src/engine/models/hosted/vendors.ts";
import { AgentHarness } from "../kit/agent-harness.ts";
import { ChatHarness } from "../kit/chat-harness.ts";
import { EVERYWHERE, FORMS, OUTPUTS, RangeOfRequests } from "../kit/model-vendors/range-of-requests.ts";
import { TrialServer } from "../kit/model-vendors/trial-server.ts";
import { ToolServer } from "../kit/tool-server.ts";

/* All that the product sends to models, over its API, against servers that refuse what their vendors refuse. */

type Json = Record<string, unknown>;

let harness: AgentHarness;
let agentId: string;
beforeAll(async () => {
  harness = await AgentHarness.open();
  agentId = String((await harness.make("/agents", { name: "Desk" })).id);
  const items = `/agents/${agentId}/knowledge-base/items`;
  const content = "We are open on Sundays from ten to four.";
  const item = await harness.make(items, { type: "TEXT", title: "Hours", content });
  await harness.world.until(`${items}/${String(item.id)}`, ({ status }) => status === "READY");
});
afterAll(() => harness[Symbol.asyncDispose]());

const outputs = Object.entries(OUTPUTS).map(([name, { schema }]) => ({ name, schema }));
const noteOf = (name: string, more: Json = {}) => ({
  name,
  schema: { type: "object", properties: { note: { type: "string" } } },
  ...more,
});

/** Parallel calls, knowledge, a long history, and outputs of every kind of schema. */
async function holdChat(model: Json): Promise<void> {
  const chats = new ChatHarness(harness.world);
  const parameters = (name: string) => [{ name, type: "string", required: true }];
  const toolIds = [
    await harness.tool({ name: "find", parameters: parameters("day") }),
    await harness.tool({ name: "use", parameters: parameters("code") }),
  ];
  const flow = harness.flow({ model, toolIds, agentId, channelMode: "CHAT", structuredOutputs: outputs });
  const { session } = await chats.started({ flow, contactIdentifier: "p", channel: "CHAT" });
  await chats.write(session.id, "Look up two at once.");
  await chats.write(session.id, "What are your opening hours?");
  for (let i = 0; i < 25; i++) await chats.write(session.id, `And ${i}?`);
  await harness.world.request("POST", `/chat-sessions/${session.id}/close`);
  const ended = await harness.world.until(
    `/chat-sessions/${session.id}`,
    ({ structuredOutputs }) => structuredOutputs !== null,
  );
  for (const [name, { value }] of Object.entries(OUTPUTS))
    expect(ended.structuredOutputs, name).toMatchObject({ [name]: { value, valid: true } });
  for (const id of toolIds) await harness.world.request("DELETE", `/tools/${id}`);
}

/** A tool whose answer comes after words of both sides, outputs in between, and outputs after the end. */
async function holdCall(model: Json, range: RangeOfRequests): Promise<void> {
  let respond: (() => unknown) | undefined;
  harness.server.answer = (_request, response) => {
    respond = () => response.headersSent || ToolServer.json(response, { price: "twelve euros" });
  };
  range.onMeanwhile = () => setTimeout(() => respond?.(), 50);
  const toolId = await harness.tool({ name: "price", messages: { start: "Let me look that up for you." } });
  const structuredOutputs = [noteOf("meanwhile", { fillDuring: true }), noteOf("late")];
  const row = await harness.call({ model, toolIds: [toolId], masterPrompt: "You quote prices.", structuredOutputs });
  expect(row).toMatchObject({ endReason: "AGENT_ENDED_CALL", error: null });
  expect(row.structuredOutputs).toMatchObject({ late: { pending: true } });
  range.fillsLate = true;
  const filled = await harness.world.until(
    `/call-rows/${String(row.id)}`,
    ({ structuredOutputs: stored }) => !JSON.stringify(stored).includes("pending"),
  );
  expect(filled.structuredOutputs).toMatchObject({ late: { value: { note: "was there" }, valid: true } });
  await harness.world.request("DELETE", `/tools/${toolId}`);
  harness.reset();
}

/** A persona whom the workspace's default model plays, at the other end of the flow's own. */
async function rehearse(model: Json): Promise<void> {
  const document = { name: "Orders", firstMessage: "Hello.", masterPrompt: "You are rehearsed.", model };
  const persona = { name: "A baker", goal: "Wants to cancel the order.", drivenBy: "MODEL" };
  const suite = { suite: "Orders", flow: { document }, scenarios: [{ name: "cancels", persona }] };
  const { id } = await harness.make("/simulations", { suite });
  const run = await harness.world.until(
    `/simulations/${String(id)}`,
    ({ report, error }) => (report ?? error) !== null,
  );
  expect(JSON.stringify(run.report)).toContain("Please cancel my order.");
}

const VENDORS: { provider: ModelProvider; model: string }[] = [
  { provider: "OPENAI_COMPATIBLE", model: "gpt-4o-mini" },
  { provider: "OPENAI_COMPATIBLE", model: "gpt-5-mini" },
  { provider: "ANTHROPIC", model: "claude-sonnet-4-5" },
  { provider: "GOOGLE", model: "gemini-2.5-flash" },
  { provider: "AZURE_OPENAI", model: "our-deployment" },
  { provider: "AMAZON_BEDROCK", model: "eu.anthropic.claude-sonnet-4-20250514-v1:0" },
];

test.each(VENDORS)("$provider with $model takes everything that is sent", async ({ provider, model }) => {
  await using server = await TrialServer.start();
  const range = new RangeOfRequests(server, provider);
  const region = provider === "AMAZON_BEDROCK" ? "eu-west-1" : null;
  const account = { provider, model, region, apiKey: "k", baseUrl: server.url };
  const body = { name: model, ...account, temperature: 0.3, isDefault: true };
  const modelId = String((await harness.make("/models", body)).id);
  expect((await harness.make(`/models/${modelId}/check`, {})).error).toBeNull();
  await holdChat({ modelId });
  await holdCall({ modelId }, range);
  await rehearse({ modelId });
  const missing = [...EVERYWHERE, ...FORMS[provider]].filter((kind) => !range.counts.has(kind));
  expect(missing, JSON.stringify(Object.fromEntries(range.counts))).toEqual([]);
  expect(server.refused).toEqual([]);
});
