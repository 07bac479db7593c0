import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { settled, ToolHarness } from "../kit/tool-harness.ts";
import { ToolServer } from "../kit/tool-server.ts";
import { World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let world: World;
let harness: ToolHarness;
let server: ToolServer;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  server = await ToolServer.start();
  harness = new ToolHarness(world);
});
afterAll(async () => {
  for (const each of [harness, server, world]) await each[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.requests.length = 0;
  server.answer = (_request, response) => ToolServer.json(response, { accepted: true }, 202);
});

const openWith = async (body: Json = {}) =>
  harness.open([await harness.make({ name: "it", apiUrl: server.url, isAsync: true, ...body })]);
const callBack = (body: Json) => world.request("POST", "/api/webhooks/async-tool-task/response", { key: null, body });
const shown = () => ({
  toolTaskId: String(server.last.headers["x-tool-task-id"]),
  secret: String(server.last.headers["x-tool-secret"]),
});
const status = async (id: string) => (await world.request("GET", `/tool-tasks/${id}`)).body;

describe("an async tool", () => {
  test("works with the service's own async-echo, end to end", async () => {
    const apiHeaders = { "X-API-Key": world.sample.apiKey };
    const apiUrl = `${world.url}/api/external/v1/test/async-echo?delaySeconds=0`;
    const returnValue = { path: "echo.body.city", saveToVariable: "city" };
    const parameters = [{ name: "city", type: "string" }];
    const run = await openWith({ apiUrl, apiHeaders, returnValue, parameters });
    const result = await run("it", { city: "Oslo" });
    expect(result.kind).toBe("PENDING");
    expect(await settled(result)).toEqual({
      kind: "VALUE",
      content: "Oslo",
      variables: { city: "Oslo" },
    });
    const { taskId } = result as { taskId: string };
    const task = await status(taskId);
    expect(task).toMatchObject({ status: "COMPLETED" });
    expect(JSON.stringify([task, harness.log])).not.toContain(world.sample.apiKey);
  });

  test("carries task, secret and callback in headers, and in the body where it asks for them", async () => {
    const run = await openWith({
      apiBody: { task: "{{ toolTaskId }}", secret: "{{ toolTaskSecret }}", to: "{{ callbackUrl }}" },
    });
    const result = await run("it");
    const { toolTaskId, secret } = shown();
    expect(result).toMatchObject({ kind: "PENDING", taskId: toolTaskId });
    expect(secret).toMatch(/^[0-9A-Za-z]{40}$/);
    const to = `${world.url}/api/webhooks/async-tool-task/response`;
    expect(server.last.headers["x-callback-url"]).toBe(to);
    expect(JSON.parse(server.last.body)).toEqual({ task: toolTaskId, secret, to });
    expect((await callBack({ toolTaskId, secret, result: { echo: `it was ${secret}` } })).status).toBe(200);
    expect(await settled(result)).toMatchObject({ kind: "VALUE", content: '{"echo":"it was ********"}' });
    expect(JSON.stringify(harness.log)).not.toContain(secret);
  });

  test("a credential in its body does not come back in its answer, nor in what it says of a failure", async () => {
    const run = await openWith({ apiBody: { login: { apiKey: "sk-1234-abcd" } } });
    for (const answer of [{ result: "it was sk-1234-abcd" }, { status: "FAILED", error: "it was sk-1234-abcd" }]) {
      const result = await run("it");
      expect(JSON.parse(server.last.body)).toEqual({ login: { apiKey: "sk-1234-abcd" } });
      expect((await callBack({ ...shown(), ...answer })).status).toBe(200);
      expect(Object.values(await settled(result))).toContain("it was ********");
    }
  });

  test("answers with an id of more digits than a number holds, which keeps them", async () => {
    const run = await openWith({ returnValue: { path: "id" } });
    const result = await run("it");
    const { toolTaskId, secret } = shown();
    const body = `{"toolTaskId":"${toolTaskId}","secret":"${secret}","result":{"id":9007199254740993}}`;
    const headers = { "content-type": "application/json" };
    const { status } = await fetch(`${world.url}/api/webhooks/async-tool-task/response`, {
      method: "POST",
      headers,
      body,
    });
    expect(status).toBe(200);
    expect(await settled(result)).toMatchObject({ kind: "VALUE", content: "9007199254740993" });
  });

  test("is answered once: twice is 409, a wrong secret 401, a task that never was 404", async () => {
    const run = await openWith();
    const result = await run("it");
    const { toolTaskId, secret } = shown();
    expect((await callBack({ toolTaskId, secret: "wrong" })).status).toBe(401);
    expect((await callBack({ toolTaskId: "0197a000-0000-7000-8000-000000000009", secret })).status).toBe(404);
    expect((await callBack({ toolTaskId, secret, result: "first" })).status).toBe(200);
    expect((await callBack({ toolTaskId, secret, result: "second" })).status).toBe(409);
    expect(await settled(result)).toMatchObject({ kind: "VALUE", content: "first" });
  });

  test("a client of another workspace finds no such task", async () => {
    const { workspaceId } = await world.createWorkspace();
    const token = await world.getToken(await world.operator("client.create", { workspaceId, permissions: [] }));
    const run = await openWith({ toolCallTimeoutSeconds: 20 });
    const stop = new AbortController();
    const result = await run("it", {}, {}, stop.signal);
    const reply = await world.request("POST", "/api/webhooks/async-tool-task/response", {
      key: null,
      headers: { authorization: `Bearer ${token}` },
      body: { toolTaskId: shown().toolTaskId },
    });
    expect(reply.status).toBe(404);
    stop.abort(new Error("over"));
    expect(await settled(result)).toMatchObject({ kind: "FAILED", code: "CANCELLED" });
    // Nobody waits any more.
    const late = async () => (await callBack({ ...shown(), result: 1 })).status;
    await expect.poll(async () => (await status(shown().toolTaskId)).status).toBe("FAILED");
    expect(await late()).toBe(409);
  });

  test("nobody answers: it fails in time, and the late answer is 409", async () => {
    const run = await openWith({ toolCallTimeoutSeconds: 1, apiTimeoutSeconds: 1 });
    const result = await run("it");
    expect(await settled(result)).toMatchObject({ kind: "FAILED", code: "TIMEOUT" });
    expect((await callBack({ ...shown(), result: 1 })).status).toBe(409);
    expect(await status(shown().toolTaskId)).toMatchObject({ status: "FAILED", result: null });
  });

  test("a late answer is 409 even when the node that waited is gone", async () => {
    const run = await openWith({ toolCallTimeoutSeconds: 60 });
    const stop = new AbortController();
    const result = await run("it", {}, {}, stop.signal);
    const { toolTaskId } = shown();
    await world.database.query("update tool_tasks set expires_at = now() where id = $1", [toolTaskId]);
    expect(await status(toolTaskId)).toMatchObject({ status: "FAILED", error: "No answer came in time." });
    expect((await callBack({ ...shown(), result: 1 })).status).toBe(409);
    stop.abort(new Error("over"));
    await settled(result);
  });

  test("the answer may come before the request's own, and may be a failure", async () => {
    server.answer = async (_request, response) => {
      await callBack({ ...shown(), result: "quick" });
      ToolServer.json(response, {}, 200);
    };
    const quick = await openWith();
    expect(await settled(await quick("it"))).toMatchObject({ kind: "VALUE", content: "quick" });
    server.answer = (_request, response) => ToolServer.json(response, {});
    const result = await quick("it");
    await callBack({ ...shown(), status: "FAILED", error: "No seats left." });
    expect(await settled(result)).toEqual({ kind: "FAILED", code: "TOOL_FAILED", message: "No seats left." });
  });

  test("that cannot be started fails at once, and a stray answer is 409", async () => {
    server.answer = (_request, response) => ToolServer.json(response, { no: "way" }, 503);
    const run = await openWith();
    expect(await run("it")).toMatchObject({ kind: "FAILED", code: "HTTP_STATUS" });
    expect((await callBack({ ...shown(), result: 1 })).status).toBe(409);
  });

  test("holds its place until the answer, and a step waits for it", async () => {
    const limit = { enabled: true, maxConcurrent: 1, onLimit: "FAIL" };
    const inner = await harness.make({
      name: "inner",
      apiUrl: server.url,
      isAsync: true,
      toolConcurrencyConfig: limit,
    });
    const outer = await harness.make({
      name: "outer",
      toolType: "CODE",
      executionPlan: [
        { id: "a", type: "TOOL", toolId: inner },
        { type: "CODE", code: "return 'got ' + results.a" },
      ],
    });
    const run = await harness.open([inner, outer]);
    const first = await run("inner");
    expect(await run("inner")).toMatchObject({ kind: "FAILED", code: "CONCURRENCY_LIMIT" });
    await callBack({ ...shown(), result: 1 });
    expect((await settled(first)).kind).toBe("VALUE");
    const whole = run("outer");
    await expect.poll(() => server.requests.length).toBe(2);
    await callBack({ ...shown(), result: "it" });
    expect(await whole).toMatchObject({ kind: "VALUE", content: "got it" });
  });
});

describe("an MCP server as a source of tools", () => {
  const mcp = (more: Json = {}) => ({
    name: "flows_of_mine",
    toolType: "MCP",
    toolSubtype: "list_flows",
    apiMethod: null,
    apiUrl: `${world.url}/api/mcp`,
    apiHeaders: { "X-API-Key": world.sample.apiKey },
    ...more,
  });

  test("its schema is offered, its answer is read", async () => {
    const id = await harness.make(mcp());
    const [loaded] = await harness.load([id]);
    expect(loaded?.grant.offer.name).toBe("flows_of_mine");
    expect(Object.keys((loaded?.grant.offer.inputSchema.properties ?? {}) as object).length).toBeGreaterThan(0);
    const run = await harness.open([id]);
    const result = await run("flows_of_mine", {});
    expect(result, JSON.stringify(result)).toMatchObject({ kind: "VALUE" });
    expect(JSON.stringify(result)).toContain(world.sample.flow.id);
    expect(JSON.stringify([result, harness.log])).not.toContain(world.sample.apiKey);
  });

  test("an id with more digits than JavaScript's numbers hold keeps them", async () => {
    const results: Json = {
      initialize: {
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "x", version: "1" },
      },
      "tools/list": { tools: [{ name: "list_flows", inputSchema: { type: "object" } }] },
      "tools/call": { content: [{ type: "text", text: '{"order": 12345678901234567890}' }] },
    };
    server.answer = ({ body }, response) => {
      const { id, method } = JSON.parse(body || "{}") as { id?: number; method?: string };
      if (id === undefined) return void response.writeHead(202).end();
      const result = results[method ?? ""];
      const answer = result ? { result } : { error: { code: -32_601, message: "Method not found" } };
      ToolServer.json(response, { jsonrpc: "2.0", id, ...answer });
    };
    const run = await harness.open([await harness.make(mcp({ apiUrl: server.url }))]);
    expect(await run("flows_of_mine")).toMatchObject({ content: '{"order":"12345678901234567890"}' });
  });

  test("a server that is gone, lies or may not be reached is a failure with its own words", async () => {
    const gone = await harness.open([
      await harness.make(mcp({ apiUrl: "http://127.0.0.1:9999/", networkAllowList: ["127.0.0.2"] })),
    ]);
    expect(await gone("flows_of_mine")).toMatchObject({ kind: "FAILED", code: "HOST_NOT_ALLOWED" });
    server.answer = (_request, response) => ToolServer.json(response, { jsonrpc: "2.0", id: 0, result: "nonsense" });
    const lies = await harness.open([
      await harness.make(mcp({ apiUrl: server.url, toolCallTimeoutSeconds: 3, apiTimeoutSeconds: 2 })),
    ]);
    expect((await lies("flows_of_mine")).kind).toBe("FAILED");
    server.answer = (_request, response) =>
      void response.writeHead(200, { "content-type": "application/json" }).end(`"${"x".repeat(2_000_000)}"`);
    expect((await lies("flows_of_mine")).kind).toBe("FAILED");
    const unknown = await harness.open([await harness.make(mcp({ toolSubtype: "no_such_tool" }))]);
    const said = await unknown("flows_of_mine");
    expect(said.kind).toBe("FAILED");
    expect(JSON.stringify([said, harness.log])).not.toContain(world.sample.apiKey);
  });
});
