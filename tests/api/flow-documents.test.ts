import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { NOBODY } from "../kit/resources.ts";
import { type Sample, type TestReply, World } from "../kit/world.ts";

let world: World;
let other: Sample;
beforeAll(async () => {
  world = await World.start({ env: NOBODY });
  other = await world.createWorkspace();
});
afterAll(() => world[Symbol.asyncDispose]());

type Body = TestReply["body"];
const END_CALL = "970e5019-a4cf-566d-abc7-058f7bfdab87";
const SECRET = "Bearer do-not-tell";

async function ask(method: string, path: string, body: unknown, status: number, key?: string): Promise<Body> {
  const options = { ...(body === undefined ? {} : { body }), ...(key === undefined ? {} : { key }) };
  const reply = await world.request(method, path, options);
  expect(reply.status, `${method} ${path}: ${reply.text}`).toBe(status);
  return reply.body;
}

const API_TOOL = { description: "d", toolType: "API", apiMethod: "GET", apiUrl: "http://127.0.0.1:9/x" };

/** Creates a flow that names a tool with a secret, a tool whose plan calls that one, a system tool and an output. */
async function makeFlow(more: Record<string, unknown> = {}) {
  const apiHeaders = { Authorization: SECRET, "X-Region": "eu" };
  const inner = await ask("POST", "/tools", { ...API_TOOL, name: "lookup", apiHeaders }, 201);
  const executionPlan = [{ id: "found", type: "TOOL", toolId: String(inner.id).toUpperCase() }];
  const outer = await ask("POST", "/tools", { ...API_TOOL, name: "plan", executionPlan }, 201);
  const schema = { type: "object", properties: { ok: { type: "boolean" } } };
  const output = await ask("POST", "/structured-outputs", { name: "visit", schema, condition: "{{ ok }}" }, 201);
  const names = { toolIds: [outer.id, END_CALL], structuredOutputIds: [output.id] };
  const flow = await ask("POST", "/flows", { name: "Portable", firstMessage: "Hi.", ...names, ...more }, 200);
  return { flow, inner, outer, output, path: `/flows/${String(flow.id)}` };
}

describe("export and import", () => {
  test("a flow comes over into another workspace with its tools and outputs under new ids, and without secrets", async () => {
    const { flow, inner, outer, output, path } = await makeFlow();
    const exported = await world.request("GET", `${path}/export`);
    expect([exported.status, exported.text.includes("do-not-tell")]).toEqual([200, false]);
    const document = exported.body;
    expect(document).toMatchObject({ format: "parley.flow", formatVersion: 1 });
    expect(document.requiredSecrets).toEqual([{ toolId: inner.id, toolName: "lookup", header: "Authorization" }]);
    const made = await ask("POST", "/flows/import", document, 201, other.apiKey);
    const copy = made.flow as Body;
    expect([copy.apiId, copy.name, copy.version, made.unresolved]).toEqual([flow.apiId, "Portable", 1, []]);
    const idOf = (list: unknown, from: unknown) => (list as Body[]).find((one) => one.from === from)?.id;
    const [innerId, outerId] = [idOf(made.tools, inner.id), idOf(made.tools, outer.id)];
    expect(copy.toolIds).toEqual([outerId, END_CALL]);
    expect(copy.structuredOutputIds).toEqual([idOf(made.structuredOutputs, output.id)]);
    expect(made.requiredSecrets).toEqual([{ toolId: innerId, toolName: "lookup", header: "Authorization" }]);
    const plan = (await ask("GET", `/tools/${String(outerId)}`, undefined, 200, other.apiKey)).executionPlan as Body[];
    expect(plan[0]?.toolId).toBe(innerId);
    expect((await ask("GET", `/tools/${String(innerId)}`, undefined, 200, other.apiKey)).apiHeaders).toEqual({
      "X-Region": "eu",
    });
    const again = await ask("GET", `/flows/${String(copy.id)}/export`, undefined, 200, other.apiKey);
    expect(withoutIds(again, made)).toEqual(withoutIds({ ...document, requiredSecrets: [] }, made));
    const call = await world.request("POST", "/outbound/calls", {
      key: other.apiKey,
      body: { customerNumber: "+12025550100", flowId: copy.id },
    });
    expect(call.status, call.text).toBe(200);
  });

  test("imported where it came from, it is a second flow with an apiId of its own", async () => {
    const { flow, path } = await makeFlow();
    const made = await ask("POST", "/flows/import", await ask("GET", `${path}/export`, undefined, 200), 201);
    const copy = made.flow as Body;
    expect(copy.id).not.toBe(flow.id);
    expect(copy.apiId).not.toBe(flow.apiId);
    expect((copy.toolIds as string[])[0]).not.toBe((flow.toolIds as string[])[0]);
  });

  test("an earlier version is exported when it is named", async () => {
    const { path } = await makeFlow();
    await ask("PUT", path, { firstMessage: "Later.", toolIds: null }, 200);
    const of = async (query: string) => ask("GET", `${path}/export${query}`, undefined, 200);
    expect([((await of("")).flow as Body).firstMessage, (await of("")).tools]).toEqual(["Later.", []]);
    expect([
      ((await of("?version=1")).flow as Body).firstMessage,
      ((await of("?version=1")).tools as []).length,
    ]).toEqual(["Hi.", 2]);
    await ask("GET", `${path}/export?version=3`, undefined, 404);
  });

  test("what the other workspace does not have is left out and listed; what it has is kept", async () => {
    const agentId = world.sample.agent.id;
    await ask("POST", `/applications/${world.sample.application.id}/stores`, { key: "only-here" }, 200);
    const { path, outer } = await makeFlow({ agentId, storeKeys: ["customers", "only-here"] });
    await ask("DELETE", `/tools/${String(outer.id)}`, undefined, 204);
    const document = await ask("GET", `${path}/export`, undefined, 200);
    const made = await ask("POST", "/flows/import", document, 201, other.apiKey);
    expect(made.unresolved).toEqual([
      { path: "flow.toolIds.0", value: outer.id },
      { path: "flow.storeKeys.1", value: "only-here" },
      { path: "flow.agentId", value: agentId },
    ]);
    expect(made.flow).toMatchObject({ toolIds: [END_CALL], agentId: null, storeKeys: ["customers"] });
  });

  test("a tool's application stays where it is: elsewhere the tool has none, and that is listed", async () => {
    const applicationId = world.sample.application.id;
    const { path, inner } = await makeFlow();
    await ask("PUT", `/tools/${String(inner.id)}`, { applicationId }, 200);
    const document = await ask("GET", `${path}/export`, undefined, 200);
    const at = (document.tools as Body[]).findIndex(({ id }) => id === inner.id);
    const made = await ask("POST", "/flows/import", document, 201, other.apiKey);
    expect(made.unresolved).toEqual([{ path: `tools.${at}.applicationId`, value: applicationId }]);
    expect((await ask("POST", "/flows/import", document, 201)).unresolved).toEqual([]);
  });

  test("tools whose plans call each other come over as they are", async () => {
    const { path, inner, outer } = await makeFlow();
    await ask("PUT", `/tools/${String(inner.id)}`, { executionPlan: [{ type: "TOOL", toolId: outer.id }] }, 200);
    const made = await ask(
      "POST",
      "/flows/import",
      await ask("GET", `${path}/export`, undefined, 200),
      201,
      other.apiKey,
    );
    const tools = made.tools as Body[];
    for (const [mine, theirs] of [
      [inner, outer],
      [outer, inner],
    ]) {
      const id = tools.find((one) => one.from === mine?.id)?.id;
      const plan = (await ask("GET", `/tools/${String(id)}`, undefined, 200, other.apiKey)).executionPlan as Body[];
      expect(plan[0]?.toolId).toBe(tools.find((one) => one.from === theirs?.id)?.id);
    }
  });
});

describe("refused, and nothing of it is made", () => {
  const flow = { name: "x" };
  const tool = { id: randomUUID(), name: "t", ...API_TOOL };
  const output = { id: randomUUID(), name: "o", schema: { type: "object", properties: {} } };
  const head = { format: "parley.flow", formatVersion: 1 };
  test.each<[string, unknown, number, string]>([
    ["an unknown format", { format: "other", formatVersion: 1, flow }, 422, "format"],
    ["an unknown format with nothing else", { format: "other", formatVersion: 1 }, 422, "format"],
    ["a later version of the format", { ...head, formatVersion: 2, flow }, 422, "formatVersion"],
    ["no flow", head, 422, "flow"],
    ["a flow of the wrong type", { ...head, flow: { name: 5 } }, 400, "flow.name"],
    [
      "a tool that breaks a rule",
      { ...head, flow, tools: [tool, { ...tool, id: randomUUID(), apiUrl: "ftp://x" }] },
      422,
      "tools.1.apiUrl",
    ],
    [
      "a masked secret",
      { ...head, flow, tools: [{ ...tool, apiHeaders: { Authorization: "********" } }] },
      422,
      "tools.0.apiHeaders.Authorization",
    ],
    ["one tool twice", { ...head, flow, tools: [tool, tool] }, 422, "tools.1.id"],
    ["a system tool's id", { ...head, flow, tools: [{ ...tool, id: END_CALL }] }, 422, "tools.0.id"],
    [
      "a broken schema",
      { ...head, flow, structuredOutputs: [output, { ...output, id: randomUUID(), schema: { type: "array" } }] },
      422,
      "structuredOutputs.1.schema.type",
    ],
    [
      "a broken condition",
      { ...head, flow, structuredOutputs: [{ ...output, condition: "{% if %" }] },
      422,
      "structuredOutputs.0.condition",
    ],
    [
      "a broken inline output",
      { ...head, flow: { ...flow, structuredOutputs: [{ name: "i", schema: { type: "array" } }] }, tools: [tool] },
      422,
      "flow.structuredOutputs.0.schema.type",
    ],
  ])("%s", async (_name, document, status, path) => {
    const count = async () => [
      (await ask("GET", "/tools", undefined, 200)).length,
      (await ask("GET", "/structured-outputs", undefined, 200)).length,
      (await ask("GET", "/flows", undefined, 200)).totalElements,
    ];
    const before = await count();
    const body = await ask("POST", "/flows/import", document, status);
    expect((body.details as { path: string }[])[0]?.path).toBe(path);
    expect(await count()).toEqual(before);
  });

  test("a foreign flow is not exported", async () => {
    const { path } = await makeFlow();
    const foreign = await ask("GET", `${path}/export`, undefined, 404, other.apiKey);
    const none = await ask("GET", `/flows/${randomUUID()}/export`, undefined, 404, other.apiKey);
    expect({ ...foreign, requestId: "" }).toEqual({ ...none, requestId: "" });
  });

  test("a credential for flows alone neither reads nor makes tools and outputs by way of a document", async () => {
    const { path } = await makeFlow();
    const document = await ask("GET", `${path}/export`, undefined, 200);
    const bare = { ...head, flow };
    const { workspaceId } = world.sample;
    const client = await world.operator("client.create", { workspaceId, permissions: ["FLOWS"] });
    const headers = { authorization: `Bearer ${await world.getToken(client)}` };
    const replies = [
      await world.request("GET", `${path}/export`, { key: null, headers }),
      await world.request("POST", "/flows/import", { key: null, headers, body: document }),
      await world.request("POST", "/flows/import", { key: null, headers, body: bare }),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([403, 403, 201]);
  });
});

/** Returns a document with each id replaced, so that an export of the original and one of the import compare equal. */
function withoutIds(document: Body, made: Body): unknown {
  let text = JSON.stringify({ ...document, exportedAt: null });
  for (const { from, id } of [...(made.tools as Body[]), ...(made.structuredOutputs as Body[])]) {
    const old = new RegExp(String(from), "gi");
    text = text.replaceAll(old, `made-from-${String(from)}`).replaceAll(String(id), `made-from-${String(from)}`);
  }
  return JSON.parse(text);
}
