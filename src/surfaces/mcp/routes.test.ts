import type { FastifyInstance } from "fastify";
import { afterEach, expect, test } from "vitest";
import type { Database } from "#src/platform/db/database.ts";
import { type Route, route } from "#src/platform/http/route.ts";
import { Type } from "#src/platform/http/schemas.ts";
import { createServer } from "#src/platform/http/server.ts";
import { createLog } from "#src/platform/kernel/log.ts";
import type { SecretBox } from "#src/platform/kernel/secret-box.ts";
import type { ApiRequest } from "./call-api.ts";
import { mcpRoutes } from "./routes.ts";

const declare = (method: "GET" | "POST", path: string, params: string[]): Route =>
  route({
    audience: "external",
    access: ["X"],
    tag: "T",
    summary: "S",
    method,
    path: `/api/external/v1${path}`,
    ...(params.length > 0
      ? { params: Type.Object(Object.fromEntries(params.map((name) => [name, Type.String()]))) }
      : {}),
    ...(method === "POST" ? { body: Type.Object({ customerNumber: Type.String() }) } : {}),
    replies: { 200: Type.Object({}) },
    run: async () => ({}),
  });

const caller = { workspaceId: "w", credentialId: "c", kind: "API_KEY", permissions: new Set(["X"]) } as const;
const admission = { caller, allowed: true, limit: 9, remaining: 9, resetSeconds: 0, nextTokenSeconds: 0 };

let server: FastifyInstance | undefined;
afterEach(() => server?.close());

/** Starts a server whose REST API is `answer`. */
async function start(answer: (request: ApiRequest) => { status: number; text: string }): Promise<string> {
  const log = createLog("silent");
  const publicUrl = "http://127.0.0.1:1";
  const external = [declare("POST", "/outbound/calls", []), declare("GET", "/call-rows/{rowId}", ["rowId"])];
  server = createServer({
    routes: mcpRoutes(external, {
      publicUrl,
      log,
      testTools: false,
      callApi: async (request) => answer(request),
      readCaller: async () => caller,
    }),
    gatekeeper: { admit: async () => admission },
    database: {} as Database,
    box: {} as SecretBox,
    log,
    publicUrl,
    trustProxy: undefined,
    checkReplies: true,
  });
  return `${await server.listen({ port: 0, host: "127.0.0.1" })}/api/mcp`;
}

const ERAS = {
  "2025-11-25": { headers: { "mcp-protocol-version": "2025-11-25" }, meta: {} },
  "2026-07-28": {
    headers: {
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/call",
      "mcp-name": "place_call_and_wait",
    },
    meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
};

test.each(Object.entries(ERAS))(
  "%s: when the client leaves, nothing is read any more",
  async (_era, { headers, meta }) => {
    let reads = 0;
    const url = await start(({ method, path }) => {
      if (path.includes("00000000-")) return { status: 404, text: "{}" };
      if (method === "POST") return { status: 200, text: '{"rowId":"r"}' };
      reads++;
      return { status: 200, text: '{"endedAt":null,"status":"RINGING","transcript":[]}' };
    });
    const leaving = new AbortController();
    const args = { name: "place_call_and_wait", arguments: { customerNumber: "+12025550100", waitSeconds: 60 } };
    const sent = fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { ...args, _meta: meta } }),
      signal: leaving.signal,
    }).then((reply) => reply.text());
    await expect.poll(() => reads).toBeGreaterThan(2);
    leaving.abort();
    await expect(sent).rejects.toThrow(/abort/);
    // Reads are at most a second apart: after three seconds without one there will be none.
    expect(await isQuiet(() => reads)).toBe(true);
  },
);

/** True when nothing is read for three seconds. A read already under way may take its time. */
async function isQuiet(read: () => number): Promise<boolean> {
  for (let seen = -1, tries = 0; tries < 4; tries++) {
    if (seen === (seen = read())) return true;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  }
  return false;
}

test("an answer of the REST API that is no JSON becomes an error in words", async () => {
  const url = await start(() => ({ status: 502, text: "<html>" }));
  const reply = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_call", arguments: { rowId: "x" } },
    }),
  });
  expect(await reply.text()).toContain('"text":"502 Error"');
});

test.each(["place_call", "run_tool"])("%s with ten thousand arguments holds nobody up", async (name) => {
  const sent: string[] = [];
  const url = await start(({ body = "" }) => {
    sent.push(body);
    return { status: 200, text: "{}" };
  });
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`argument ${i}`, i]));
  const args = name === "run_tool" ? { name: "place_call", arguments: many } : many;
  await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  expect(sent).toEqual([JSON.stringify(many)]);
});

const REPLIES: Record<string, { status: number; text: string }> = {
  "a result": { status: 200, text: '{"rowId":"r","number":12345678901234567890,"text":"A\\nB\u2028"}' },
  "a refusal": { status: 404, text: '{"error":"Not Found","code":"NOT_FOUND","requestId":"q"}' },
  "a fault": { status: 502, text: "<html>" },
};

/** Sends a call of a tool twice: as it is, and with metadata that changes nothing but that the library answers it. */
test.each(
  Object.entries(ERAS).flatMap(([era, sent]) => Object.keys(REPLIES).map((name) => [era, name, sent] as const)),
)("%s: %s is the same, whether the library writes it or not", async (era, name, { headers, meta }) => {
  const url = await start(() => REPLIES[name] as { status: number; text: string });
  const answers = [undefined, "token"].map(async (progressToken) => {
    const isPlain = progressToken === undefined;
    const _meta = isPlain && era === "2025-11-25" ? {} : { _meta: { ...meta, ...(isPlain ? {} : { progressToken }) } };
    const params = { name: "get_call", arguments: { rowId: "x" }, ..._meta };
    const reply = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        ...headers,
        "mcp-name": "get_call",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: "7", method: "tools/call", params }),
    });
    const { "x-request-id": _id, date: _date, ...others } = Object.fromEntries(reply.headers);
    return { status: reply.status, headers: others, text: await reply.text() };
  });
  const [plain, byLibrary] = await Promise.all(answers);
  expect(plain).toEqual(byLibrary);
  expect(plain?.text).toContain('"id":"7"');
});
