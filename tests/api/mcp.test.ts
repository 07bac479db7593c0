import { request as httpRequest } from "node:http";
import type { Client } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callTool, connectMcp } from "../kit/mcp-client.ts";
import { type TestReply, World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let world: World;
let client: Client;
beforeAll(async () => {
  world = await World.start();
  client = await connect(world.sample.apiKey);
});
afterAll(async () => {
  await client.close();
  await world[Symbol.asyncDispose]();
});

const connect = (apiKey: string) => connectMcp(world, apiKey, "?toolsets=all&schemas=full");
const call = (name: string, args: Json = {}, by = client) => callTool(by, name, args);

/** One message of the 2025 era, as a client without an SDK would send it. */
function post(method: string, params: Json = {}, options: Parameters<World["request"]>[2] = {}, query = "") {
  return world.request("POST", `/api/mcp${query}`, {
    body: { jsonrpc: "2.0", id: 1, method, params },
    ...options,
    headers: {
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": "2025-11-25",
      ...options.headers,
    },
  });
}

async function makeKey(permissions: string[]): Promise<{ apiKey: string; keyId: string }> {
  const body = { workspaceId: world.sample.workspaceId, permissions };
  return (await world.operator("key.create", body)) as { apiKey: string; keyId: string };
}

describe("the list of tools", () => {
  test("is the same, in the same order, for both eras and every time", async () => {
    const names = async () => (await client.listTools()).tools.map((tool) => tool.name);
    const first = await names();
    const old = new OldClient({ name: "old", version: "1" });
    const requestInit = { headers: { "x-api-key": world.sample.apiKey } };
    // The SDK's own types disagree under exactOptionalPropertyTypes.
    await old.connect(new OldTransport(new URL(`${world.url}/api/mcp?toolsets=all`), { requestInit }) as never);
    expect((await old.listTools()).tools.map((tool) => tool.name)).toEqual(first);
    expect((await old.callTool({ name: "list_flows", arguments: {} })).isError).toBeFalsy();
    await old.close();
    expect(await names()).toEqual(first);
    expect(first).toEqual(expect.arrayContaining(["place_call_and_wait", "start_call_job_from_rows", "list_flows"]));
    expect(new Set(first).size).toBe(first.length);
    expect(first.filter((name) => !/^[a-z0-9_]{1,64}$/.test(name))).toEqual([]);
    expect(first.filter((name) => name.startsWith("test_") || name.includes("echo"))).toEqual([]);
  });

  test("has a title, a description, all four hints and self-contained schemas of type object on each tool", async () => {
    const ajv = new Ajv2020({ strict: false, formats: { "date-time": true } });
    for (const tool of (await client.listTools()).tools) {
      const { title, readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations ?? {};
      expect([typeof title, typeof tool.description], tool.name).toEqual(["string", "string"]);
      const hints = [readOnlyHint, destructiveHint, idempotentHint, openWorldHint].map((hint) => typeof hint);
      expect(hints, tool.name).toEqual(["boolean", "boolean", "boolean", "boolean"]);
      const text = JSON.stringify([tool.inputSchema, tool.outputSchema]);
      expect(text, tool.name).not.toMatch(/"\$(id|ref)":"/);
      expect([tool.inputSchema.type, tool.outputSchema?.type], tool.name).toEqual(["object", "object"]);
      ajv.compile(tool.inputSchema as Json);
      ajv.compile((tool.outputSchema ?? {}) as Json);
    }
  });

  test("hints follow what the operation does", async () => {
    const { tools } = await client.listTools();
    const hints = (name: string) => tools.find((tool) => tool.name === name)?.annotations;
    expect(hints("get_flow")).toMatchObject({ readOnlyHint: true, destructiveHint: false, openWorldHint: false });
    expect(hints("delete_flow")).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: true });
    expect(hints("place_call")).toMatchObject({ readOnlyHint: false, idempotentHint: false, openWorldHint: true });
    expect(hints("cancel_call_job")).toMatchObject({ destructiveHint: true, openWorldHint: true });
  });
});

test("every read-only tool answers with structured content that fits its output schema", async () => {
  const ajv = new Ajv2020({ strict: false, formats: { "date-time": true } });
  const placed = await call("place_call_and_wait", { customerNumber: "+12025550100" });
  const job = await call("start_call_job_from_rows", { rows: [{ customerNumber: "+12025550100" }], waitSeconds: 20 });
  const known: Json = {
    rowId: (placed.data.call as Json).id,
    jobId: (job.data.job as Json).id,
    flowId: world.sample.flow.id,
    version: 1,
  };
  await call("update_flow_draft", { flowId: known.flowId, name: "Draft" });
  const readers = (await client.listTools()).tools.filter((tool) => tool.annotations?.readOnlyHint);
  expect(readers.length).toBeGreaterThan(8);
  for (const tool of readers) {
    // A jobId is that of a call job or of a transcription job.
    const needed = (tool.inputSchema.required ?? []).map((name) =>
      name === "jobId" && !/call_job|job_failures/.test(tool.name) ? "transcriptionJobId" : name,
    );
    // Rooms whose sample has no such thing yet must say so, in words, and not fail otherwise.
    const args = Object.fromEntries(
      needed.map((name) => [name.replace("transcriptionJobId", "jobId"), known[name] ?? crypto.randomUUID()]),
    );
    const result = await call(tool.name, args);
    const fits = ajv.compile((tool.outputSchema ?? {}) as Json);
    const faults = result.isError
      ? [needed.every((name) => name in known), /^(404 Not found|4(00|22) )/.test(result.text)]
      : [!fits(result.data), JSON.stringify(JSON.parse(result.text)) === JSON.stringify(result.data)];
    expect(faults, `${tool.name}: ${result.text.slice(0, 300)} ${ajv.errorsText(fits.errors)}`).toEqual([false, true]);
  }
});

test("writing tools do what the REST API does, down to the exact text of contextData", async () => {
  const made = await call("create_flow", { name: "By a model", firstMessage: "Hi" });
  const flowId = made.data.id as string;
  expect((await world.request("GET", `/flows/${flowId}`)).body).toMatchObject({ name: "By a model" });
  expect((await call("update_flow", { flowId, firstMessage: null })).data).toMatchObject({ firstMessage: null });
  expect((await call("delete_flow", { flowId })).data).toEqual({ done: true });
  expect((await world.request("GET", `/flows/${flowId}`)).status).toBe(404);
  const contextData = '{"b":1.0,"a":12345678901234567890,"b ":"\\u00e9"}';
  const params = `{"name":"place_call","arguments":{"customerNumber":"+12025550100","contextData":${contextData}}}`;
  const reply = await post(
    "tools/call",
    {},
    { raw: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}` },
  );
  const result = readEvent(reply).result as { content: { text: string }[]; structuredContent: Json };
  expect(result.content[0]?.text).toContain(`"contextData":${contextData}`);
  expect(result.structuredContent.contextData).toMatchObject({ a: "12345678901234567890" });
});

/** The last message of an event stream. */
function readEvent(reply: TestReply): Json {
  const data = reply.text.split("\n").findLast((line) => line.startsWith("data: "));
  return JSON.parse(data?.slice(6) ?? reply.text) as Json;
}

describe("refusals", () => {
  test("an error of the REST API becomes a result that names code, field and what to do", async () => {
    const wrong = await call("place_call", { customerNumber: "12" });
    expect(wrong.isError).toBe(true);
    expect(wrong.text).toMatch(/^422 Validation failed \(VALIDATION_FAILED\).*\n- customerNumber \(FORMAT\)/);
    expect((await call("get_flow", { flowId: crypto.randomUUID() })).text).toMatch(/^404 Not found \(NOT_FOUND\)/);
    expect((await call("get_flow", { flowId: "42" })).text).toMatch(/^400 /);
  });

  test("arguments that cannot become a request are named", async () => {
    expect((await call("get_flow", {})).text).toMatch(/^flowId is required/);
    expect((await call("get_flow", { flowId: ".." })).text).toMatch(/^flowId is not valid/);
    expect((await call("list_flows", { limit: 5 })).text).toMatch(/^limit is not an argument of this tool.*size/);
    expect((await call("list_flows", { size: {} })).text).toMatch(/^size must be/);
    expect((await call("place_call_and_wait", { customerNumber: "+12025550100", waitSeconds: 0 })).text).toMatch(
      /^waitSeconds must be/,
    );
    await expect(call("no_such_tool")).rejects.toThrow(/no_such_tool/);
  });

  test("the caller's permissions decide which tools work, on every call", async () => {
    const { apiKey, keyId } = await makeKey(["FLOWS_READ"]);
    const reader = await connect(apiKey);
    expect((await call("list_flows", {}, reader)).isError).toBeFalsy();
    expect((await call("create_flow", { name: "x" }, reader)).text).toMatch(/^403 Forbidden.*FLOWS_WRITE/);
    await world.operator("key.revoke", { id: keyId });
    await expect(call("list_flows", {}, reader)).rejects.toThrow(/401|Unauthorized/i);
  });

  test("no credential: 401 that points to the metadata of /api/mcp; a client without permissions: 403", async () => {
    for (const method of ["POST", "GET", "DELETE"]) {
      const reply = await world.request(method, "/api/mcp", { key: null });
      expect([reply.status, reply.headers.get("www-authenticate")]).toEqual([
        401,
        `Bearer resource_metadata="${world.url}/.well-known/oauth-protected-resource/api/mcp"`,
      ]);
    }
    const made = await world.operator("client.create", { workspaceId: world.sample.workspaceId, permissions: [] });
    const form = new URLSearchParams({ grant_type: "client_credentials", ...credentialsOf(made) });
    const granted = await fetch(`${world.url}/api/oauth/token`, { method: "POST", body: form });
    const { access_token: token } = (await granted.json()) as { access_token: string };
    const reply = await post("tools/list", {}, { key: null, headers: { authorization: `Bearer ${token}` } });
    expect([reply.status, reply.body.error]).toEqual([403, "Forbidden"]);
  });

  test("GET and DELETE, which only sessions need, answer 405", async () => {
    for (const method of ["GET", "DELETE"]) expect((await world.request(method, "/api/mcp")).status).toBe(405);
  });

  test("what is no message gets the protocol's own errors", async () => {
    const code = async (raw: string, headers = {}) => {
      const reply = await post("", {}, { raw, headers });
      return [reply.status, (reply.body.error as Json | undefined)?.code];
    };
    expect(await code("{")).toEqual([400, -32700]);
    expect(await code('{"a":"\\u0000"}')).toEqual([400, -32600]);
    expect(await code("[]")).toEqual([400, -32600]);
    const one = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
    expect(await code(`[${one},${one}]`)).toEqual([400, -32600]);
    expect((await code("x", { "content-type": "text/plain" }))[0]).toBe(415);
    expect((await post("", {}, { raw: `{"a":"${"x".repeat(5_000_000)}"}` })).status).toBe(413);
  });
});

function credentialsOf(made: Json): { client_id: string; client_secret: string } {
  return { client_id: made.clientId as string, client_secret: made.clientSecret as string };
}

describe("credential in the query", () => {
  test("apiKey is taken, and X-API-Key goes before it", async () => {
    const query = `?apiKey=${world.sample.apiKey}`;
    expect((await post("tools/list", {}, { key: null }, query)).status).toBe(200);
    expect((await post("tools/list", {}, { key: "svc_live_wrong" }, query)).status).toBe(401);
    expect((await world.request("GET", `/flows${query}`, { key: null })).status).toBe(401);
    const result = readEvent(await post("tools/call", { name: "list_flows" }, { key: null }, query)).result as Json;
    expect(result.isError).toBeFalsy();
  });

  test("no answer repeats it, right or wrong", async () => {
    const wrong = "svc_live_wrongwrongwrongwrong";
    const replies = [
      await post("tools/call", { name: "get_flow", arguments: {} }, { key: null }, `?apiKey=${world.sample.apiKey}`),
      await post("tools/list", {}, { key: null, raw: "{" }, `?apiKey=${world.sample.apiKey}`),
      await post("tools/list", {}, { key: null }, `?apiKey=${wrong}`),
    ];
    for (const reply of replies) {
      const shown = reply.text + JSON.stringify([...reply.headers]);
      expect([shown.includes(world.sample.apiKey), shown.includes(wrong)]).toEqual([false, false]);
    }
  });
});

describe("Host and Origin", () => {
  const send = (headers: Record<string, string>) =>
    new Promise<number>((resolve, reject) => {
      const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
      const sent = httpRequest(
        `${world.url}/api/mcp`,
        {
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            "x-api-key": world.sample.apiKey,
            ...headers,
          },
        },
        (reply) => resolve(reply.resume().statusCode ?? 0),
      );
      sent.on("error", reject).end(body);
    });

  test.each([
    ["a Host of another name", { host: "evil.example" }, 403],
    ["a Host that only begins like ours", { host: "127.0.0.1.evil.example" }, 403],
    ["another loopback name", { host: "localhost:1" }, 200],
    ["an Origin of another site", { origin: "http://evil.example" }, 403],
    ["an opaque Origin", { origin: "null" }, 403],
    ["a loopback Origin", { origin: "http://localhost:6274" }, 200],
  ])("%s", async (_title, headers, status) => expect(await send(headers)).toBe(status));
});

describe("rate limit", () => {
  test("a message draws one token, whatever its tool asks of the REST API; every answer has the headers", async () => {
    const sample = await world.createWorkspace({ rateLimit: { capacity: 50, refill: 1, periodSeconds: 86_400 } });
    const remaining = async (name: string, args: Json) => {
      const reply = await post("tools/call", { name, arguments: args }, { key: sample.apiKey });
      expect(readEvent(reply).result, reply.text).toMatchObject({ content: expect.anything() });
      expect(reply.headers.get("x-ratelimit-limit")).toBe("50");
      return Number(reply.headers.get("x-ratelimit-remaining"));
    };
    const first = await remaining("list_flows", {});
    expect(await remaining("place_call_and_wait", { customerNumber: "+12025550100" })).toBe(first - 1);
    expect(await remaining("get_flow", {})).toBe(first - 2);
    const refused = await world.request("POST", "/api/mcp", { key: sample.apiKey, raw: "{" });
    expect(Number(refused.headers.get("x-ratelimit-remaining"))).toBe(first - 3);
  });
});

describe("place_call_and_wait", () => {
  test("gives the final row, with progress that grows on the way", async () => {
    const reported: { progress: number; message?: string | undefined }[] = [];
    const result = await client.callTool(
      { name: "place_call_and_wait", arguments: { customerNumber: "+12025550100", contextData: { crm: 7 } } },
      { onprogress: (progress) => void reported.push(progress) },
    );
    expect(result.structuredContent).toMatchObject({
      finished: true,
      next: null,
      call: { status: "COMPLETED", outcome: "ANSWERED", contextData: { crm: 7 } },
    });
    expect(reported.length).toBeGreaterThan(0);
    expect(reported.map(({ progress }) => progress)).toEqual(reported.map((_one, i) => i + 1));
    expect(reported.at(-1)?.message).toMatch(/^COMPLETED, \d+ turns/);
  });

  test("tells status and transcript while the call goes on, and how to go on when the wait ends first", async () => {
    const sample = await world.createWorkspace({ speed: 8 });
    const by = await connect(sample.apiKey);
    const reported: string[] = [];
    const args = { customerNumber: "+12025550102", waitSeconds: 3 };
    const result = await by.callTool(
      { name: "place_call_and_wait", arguments: args },
      { onprogress: ({ message }) => void reported.push(message ?? "") },
    );
    const { finished, next, call: row } = result.structuredContent as { finished: boolean; next: unknown; call: Json };
    expect(
      reported.some((message) => message.startsWith("IN_PROGRESS")),
      reported.join("; "),
    ).toBe(true);
    const advice = `The call goes on. Read it with get_call, rowId ${String(row.id)}. Do not place it again.`;
    expect(next).toBe(finished ? null : advice);
    await by.close();
  });

  test("the same idempotencyKey places one call", async () => {
    const args = { customerNumber: "+12025550100", idempotencyKey: "once", contactName: "Idem" };
    const rows = await Promise.all([call("place_call", args), call("place_call", args)]);
    const ids = rows.filter((row) => !row.isError).map((row) => row.data.rowId);
    const again = await call("place_call_and_wait", args);
    expect(ids).toContain((again.data.call as Json).id);
    expect((await call("place_call", { ...args, contactName: "Other" })).text).toMatch(/^422 .*IDEMPOTENCY_KEY_REUSED/);
    const found = await call("list_calls", { size: 100 });
    expect((found.data.content as Json[]).filter((row) => row.contactName === "Idem")).toHaveLength(1);
  });

  test("places nothing for a credential that could not read the result", async () => {
    const { apiKey } = await makeKey(["OUTBOUND_CALLS_TRIGGER"]);
    const by = await connect(apiKey);
    const before = (await call("list_calls")).data.totalElements;
    const result = await call("place_call_and_wait", { customerNumber: "+12025550100" }, by);
    expect(result.text).toMatch(/^403 Forbidden.*CALL_HISTORY_READ(.|\n)*No call was placed/);
    expect((await call("list_calls")).data.totalElements).toBe(before);
    await by.close();
  });

  test("a credential revoked in the middle stops the wait; the call goes on", async () => {
    const sample = await world.createWorkspace({ speed: 1 });
    const { apiKey, keyId } = (await world.operator("key.create", { workspaceId: sample.workspaceId })) as {
      apiKey: string;
      keyId: string;
    };
    const by = await connect(apiKey);
    const result = await by.callTool(
      { name: "place_call_and_wait", arguments: { customerNumber: "+12025550102", waitSeconds: 50 } },
      { onprogress: () => void world.operator("key.revoke", { id: keyId }) },
    );
    const text = (result.content[0] as { text: string }).text;
    expect(text).toMatch(/^401 Unauthorized(.|\n)*goes on: rowId [0-9a-f-]{36}/);
    await by.close();
  });

  test("a client that leaves ends the wait, not the call", async () => {
    const sample = await world.createWorkspace({ speed: 1 });
    const by = await connect(sample.apiKey);
    const leaving = new AbortController();
    const waiting = by.callTool(
      { name: "place_call_and_wait", arguments: { customerNumber: "+12025550102", waitSeconds: 50 } },
      { signal: leaving.signal, onprogress: () => leaving.abort(new Error("enough")) },
    );
    await expect(waiting).rejects.toThrow(/enough|abort/i);
    const found = await world.request("GET", "/call-history", { key: sample.apiKey });
    expect(found.body.totalElements).toBe(1);
    await by.close();
  });
});

describe("jobs", () => {
  test("start_call_job_from_rows waits with progress; summarise_job_failures counts what failed", async () => {
    const reported: { progress: number; total?: number | undefined }[] = [];
    const rows = ["00", "12", "12", "30"].map((nn) => ({ customerNumber: `+120255501${nn}` }));
    const result = await client.callTool(
      { name: "start_call_job_from_rows", arguments: { rows, maxAttempts: 1, waitSeconds: 40 } },
      { onprogress: (progress) => void reported.push(progress) },
    );
    const { finished, next, job } = result.structuredContent as { finished: boolean; next: string; job: Json };
    expect([finished, job.totalRows, job.processedRows]).toEqual([true, 4, 4]);
    expect(next).toContain(`summarise_job_failures, jobId ${String(job.id)}`);
    expect(reported.at(-1)).toMatchObject({ progress: 4, total: 4 });
    const summary = await call("summarise_job_failures", { jobId: job.id, examples: 1 });
    const outcomes = summary.data.outcomes as { outcome: string; count: number; endReasons: { examples: Json[] }[] }[];
    expect(outcomes.reduce((sum, { count }) => sum + count, 0)).toBe(job.errorRows);
    const rejected = outcomes.find(({ outcome }) => outcome === "REJECTED");
    expect(rejected).toMatchObject({ count: 2, examined: 2, endReasons: [{ count: 2 }] });
    expect(rejected?.endReasons[0]?.examples).toEqual([
      expect.objectContaining({ customerNumber: "+12025550112", status: "FAILED" }),
    ]);
  });

  test("without waitSeconds it returns at once and says how to go on", async () => {
    const result = await call("start_call_job_from_rows", {
      name: "Quick",
      rows: [{ customerNumber: "+12025550111" }],
    });
    expect(result.data).toMatchObject({ acceptedRows: 1, rowErrors: [], job: { name: "Quick", totalRows: 1 } });
    expect(result.data.next).toMatch(/get_call_job, jobId/);
    expect((await call("start_call_job_from_rows", { rows: [], priority: 1 })).text).toMatch(/^priority is not/);
    expect((await call("start_call_job_from_rows", { rows: [] })).text).toMatch(/^422 /);
  });

  test("a job of another workspace reads as one that never was", async () => {
    const mine = await call("start_call_job_from_rows", { rows: [{ customerNumber: "+12025550100" }] });
    const other = await connect((await world.createWorkspace()).apiKey);
    const jobId = (mine.data.job as Json).id;
    const foreign = await call("summarise_job_failures", { jobId }, other);
    const random = await call("summarise_job_failures", { jobId: crypto.randomUUID() }, other);
    expect([foreign.isError, foreign.text]).toEqual([true, random.text]);
    await other.close();
  });
});
