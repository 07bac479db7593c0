import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NOBODY } from "../kit/resources.ts";
import { type Sample, World } from "../kit/world.ts";

let world: World;
let other: Sample;
beforeAll(async () => {
  world = await World.start({ env: NOBODY });
  other = await world.createWorkspace();
});
afterAll(() => world[Symbol.asyncDispose]());

const END_CALL = "970e5019-a4cf-566d-abc7-058f7bfdab87";

async function makeTool(key?: string): Promise<string> {
  const tool = { name: "lookup", description: "d", toolType: "API", apiMethod: "GET", apiUrl: "http://127.0.0.1:9/x" };
  const reply = await world.request("POST", "/tools", { body: tool, ...(key === undefined ? {} : { key }) });
  expect(reply.status, reply.text).toBe(201);
  return String(reply.body.id);
}

/** The three ways in which a caller may write a flow, each with the same fields. */
async function writeEverywhere(fields: Record<string, unknown>) {
  const name = "Everywhere";
  const made = await world.request("POST", "/flows", { body: { name } });
  return Promise.all([
    world.request("POST", "/flows", { body: { name, ...fields } }),
    world.request("PUT", `/flows/${String(made.body.id)}`, { body: fields }),
    world.request("POST", "/outbound/calls", {
      body: { customerNumber: "+12025550100", flow: { name, firstMessage: "Hi.", ...fields } },
    }),
  ]);
}

test("a flow may name its workspace's and the system's tools, an agent and stores, whatever the case of an id", async () => {
  const toolIds = [(await makeTool()).toUpperCase(), END_CALL];
  const { agent, application } = world.sample;
  const fields = { toolIds, agentId: agent.id, storeKeys: [application.storeKey] };
  const replies = await writeEverywhere(fields);
  expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200]);
  expect(replies[0]?.body).toMatchObject(fields);
  expect(replies[1]?.body).toMatchObject(fields);
});

describe("404 for what does not exist, and the same for what another workspace has", () => {
  const cases: [string, () => Promise<Record<string, unknown>>][] = [
    ["a tool", async () => ({ toolIds: [END_CALL, randomUUID()] })],
    ["a foreign tool", async () => ({ toolIds: [await makeTool(other.apiKey)] })],
    ["an agent", async () => ({ agentId: randomUUID() })],
    ["a foreign agent", async () => ({ agentId: other.agent.id })],
    ["a store", async () => ({ storeKeys: ["no-such-store"] })],
    ["a key that no store can have", async () => ({ storeKeys: ["Not A Key"] })],
  ];
  test.each(cases)("%s", async (_name, fields) => {
    const replies = await writeEverywhere(await fields());
    expect(replies.map((reply) => [reply.status, reply.body.error])).toEqual(Array(3).fill([404, "Not found"]));
    expect(String(replies[0]?.body.message)).toMatch(/^(Tool|Agent|Data store) .* does not exist in this workspace\.$/);
  });
});

test("a store of another workspace is as good as none", async () => {
  const path = `/applications/${other.application.id}/stores`;
  expect((await world.request("POST", path, { body: { key: "theirs" }, key: other.apiKey })).status).toBeLessThan(300);
  const replies = await writeEverywhere({ storeKeys: ["theirs"] });
  expect(replies.map((reply) => reply.status)).toEqual([404, 404, 404]);
});

test("422 with the path for a condition that cannot be parsed; a good one is kept as it is", async () => {
  const output = { name: "o", schema: { type: "object", properties: {} } };
  const broken = await writeEverywhere({ structuredOutputs: [output, { ...output, name: "p", condition: "{% if %" }] });
  expect(broken.map((reply) => [reply.status, (reply.body.details as { path: string }[])[0]?.path])).toEqual([
    [422, "structuredOutputs.1.condition"],
    [422, "structuredOutputs.1.condition"],
    [422, "flow.structuredOutputs.1.condition"],
  ]);
  const structuredOutputs = [{ ...output, condition: "{% if channel == 'VOICE' %}1{% endif %}", fillDuring: true }];
  expect((await writeEverywhere({ structuredOutputs }))[0]?.body.structuredOutputs).toEqual(structuredOutputs);
});

test("a flow whose tool, agent, output or store is gone can be read, sent back as it was read, and spoken", async () => {
  const post = async (path: string, body: unknown) => String((await world.request("POST", path, { body })).body.id);
  const toolId = await makeTool();
  const agentId = await post("/agents", { name: "Gone" });
  const outputId = await post("/structured-outputs", { name: "gone", schema: { type: "object" } });
  const stores = `/applications/${world.sample.application.id}/stores`;
  await post(stores, { key: "gone" });
  const fields = { toolIds: [toolId], agentId, structuredOutputIds: [outputId], storeKeys: ["gone"] };
  const made = await world.request("POST", "/flows", { body: { name: "Left", firstMessage: "Hi.", ...fields } });
  expect(made.status, made.text).toBe(200);
  const path = `/flows/${String(made.body.id)}`;
  for (const gone of [`/tools/${toolId}`, `/agents/${agentId}`, `/structured-outputs/${outputId}`, `${stores}/gone`]) {
    expect((await world.request("DELETE", gone)).status, gone).toBe(204);
  }
  const read = await world.request("GET", path);
  expect(read.body).toMatchObject(fields);
  const back = await world.request("PUT", path, { body: read.body });
  expect([back.status, back.body.toolIds, back.body.storeKeys]).toEqual([200, [toolId], ["gone"]]);
  const again = await world.request("PUT", path, { body: { toolIds: [toolId, randomUUID()] } });
  expect(again.status).toBe(404);
  expect((await world.call("+12025550100", { flowId: made.body.id })).status).toBe("COMPLETED");
});
