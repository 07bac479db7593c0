import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

/** Sends bytes as they are and gives the whole answer. */
function sendRaw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(world.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let text = "";
    socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
    socket.setTimeout(20_000, () => socket.destroy());
    socket.write(bytes);
  });
}

const LIMIT_HEADERS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

describe("rate-limit headers are on every response whatever its fate", () => {
  const key = () => world.sample.apiKey;
  const head = (line: string, ...more: string[]) =>
    [line, "Host: x", `X-API-Key: ${key()}`, "Connection: close", ...more].join("\r\n");
  const cases: [string, number, () => string][] = [
    ["a read", 200, () => `${head("GET /api/external/v1/flows HTTP/1.1")}\r\n\r\n`],
    ["an unknown path", 404, () => `${head("GET /nowhere HTTP/1.1")}\r\n\r\n`],
    ["an unknown path below the prefix", 404, () => `${head("GET /api/external/v1/nowhere HTTP/1.1")}\r\n\r\n`],
    ["a method the path does not take", 405, () => `${head("PUT /api/external/v1/call-history HTTP/1.1")}\r\n\r\n`],
    ["HEAD", 200, () => `${head("HEAD /api/external/v1/flows HTTP/1.1")}\r\n\r\n`],
    ["OPTIONS", 204, () => `${head("OPTIONS /api/external/v1/flows HTTP/1.1")}\r\n\r\n`],
    ["a URL that cannot be decoded", 400, () => `${head("GET /%zz HTTP/1.1")}\r\n\r\n`],
    [
      "malformed JSON",
      400,
      () =>
        `${head("POST /api/external/v1/outbound/calls HTTP/1.1", "Content-Type: application/json", "Content-Length: 1")}\r\n\r\n{`,
    ],
    [
      "another content type",
      415,
      () =>
        `${head("POST /api/external/v1/outbound/calls HTTP/1.1", "Content-Type: text/plain", "Content-Length: 1")}\r\n\r\nx`,
    ],
    [
      "a body too large",
      413,
      () =>
        `${head("POST /api/external/v1/outbound/calls HTTP/1.1", "Content-Type: application/json", "Content-Length: 2000000")}\r\n\r\n`,
    ],
    ["headers too large", 431, () => `${head("GET / HTTP/1.1", `X-Long: ${"x".repeat(70_000)}`)}\r\n\r\n`],
    ["bytes that are not HTTP", 400, () => "garbage\r\n\r\n"],
    ["no Host header", 400, () => `GET /health HTTP/1.1\r\nConnection: close\r\n\r\n`],
    ["no Host header in HTTP/1.0", 200, () => `GET /health HTTP/1.0\r\n\r\n`],
    ["two Host headers", 400, () => `${head("GET /health HTTP/1.1", "Host: y")}\r\n\r\n`],
    ["a Host that is none", 400, () => `GET /health HTTP/1.1\r\nHost: a b/c?d\r\nConnection: close\r\n\r\n`],
    ["a Host with an IPv6 address", 200, () => `GET /health HTTP/1.1\r\nHost: [::1]:80\r\nConnection: close\r\n\r\n`],
    [
      "a transfer coding beside chunked",
      501,
      () =>
        `${head("POST /api/external/v1/tools HTTP/1.1", "Content-Type: application/json", "Transfer-Encoding: gzip, chunked")}\r\n\r\n0\r\n\r\n`,
    ],
    [
      "a content coding",
      415,
      () =>
        `${head("POST /api/external/v1/tools HTTP/1.1", "Content-Type: application/json", "Content-Encoding: gzip", "Content-Length: 2")}\r\n\r\n{}`,
    ],
    [
      "a charset that is not UTF-8",
      415,
      () =>
        `${head("POST /api/external/v1/tools HTTP/1.1", "Content-Type: application/json; charset=utf-16", "Content-Length: 2")}\r\n\r\n{}`,
    ],
    ["a method that no path takes", 501, () => `${head("PROPFIND /api/external/v1/flows HTTP/1.1")}\r\n\r\n`],
    ["TRACE", 501, () => `${head("TRACE /api/external/v1/flows HTTP/1.1")}\r\n\r\n`],
    ["OPTIONS of the server itself", 204, () => `${head("OPTIONS * HTTP/1.1")}\r\n\r\n`],
    ["CONNECT", 501, () => `${head("CONNECT example.com:443 HTTP/1.1")}\r\n\r\n`],
    ["an expectation", 200, () => `${head("GET /api/external/v1/flows HTTP/1.1", "Expect: foo")}\r\n\r\n`],
  ];
  test.each(cases)("%s: %i", async (_name, status, bytes) => {
    const answer = await sendRaw(bytes());
    const [first = "", ...lines] = answer.split("\r\n\r\n", 1)[0]?.split("\r\n") ?? [];
    const names = lines.map((line) => line.split(":", 1)[0]?.toLowerCase());
    expect(Number(first.split(" ")[1])).toBe(status);
    for (const name of LIMIT_HEADERS) expect(names).toContain(name);
    expect(names).toContain("x-request-id");
  });
});

describe("credentials", () => {
  const missing = { error: "Unauthorized", message: "Missing API key. Use X-API-Key header." };

  test("401 when none is sent: the spec's body and a Bearer challenge", async () => {
    const reply = await world.request("GET", "/flows", { key: null });
    expect([reply.status, reply.body]).toEqual([401, missing]);
    expect(reply.headers.get("www-authenticate")).toBe(
      `Bearer resource_metadata="${world.url}/.well-known/oauth-protected-resource/api/external/v1"`,
    );
  });

  test("401 when it is not valid: error alone", async () => {
    const flipped = `${world.sample.apiKey.slice(0, -1)}${world.sample.apiKey.endsWith("a") ? "b" : "a"}`;
    for (const key of ["", "nonsense", flipped]) {
      const reply = await world.request("GET", "/flows", { key });
      expect([reply.status, reply.body]).toEqual([401, { error: "Unauthorized" }]);
    }
  });

  test("a bad X-API-Key is not rescued by a good bearer token", async () => {
    const token = await world.getToken(world.sample.client);
    const headers = { authorization: `Bearer ${token}` };
    expect((await world.request("GET", "/flows", { key: "nonsense", headers })).status).toBe(401);
    expect((await world.request("GET", "/flows", { key: null, headers })).status).toBe(200);
  });

  test("permissions are read on every request: narrowing and revoking hold on the next one", async () => {
    const client = await world.operator("client.create", {
      workspaceId: world.sample.workspaceId,
      permissions: ["FLOWS", "OUTBOUND"],
    });
    const { clientId } = client;
    const headers = { authorization: `Bearer ${await world.getToken(client)}` };
    const read = () => world.request("GET", "/flows", { key: null, headers });
    expect((await read()).status).toBe(200);
    await world.operator("client.permissions", { clientId, permissions: ["CALL_HISTORY_READ"] });
    const narrowed = await read();
    expect([narrowed.status, narrowed.body.error]).toEqual([403, "Forbidden"]);
    await world.operator("client.permissions", { clientId, permissions: [] });
    expect((await world.request("GET", "/call-history", { key: null, headers })).status).toBe(403);
    await world.operator("client.revoke", { clientId });
    expect((await read()).status).toBe(401);
  });

  test("an expired key is not valid", async () => {
    const made = await world.operator("key.create", { workspaceId: world.sample.workspaceId, expiresInSeconds: 1 });
    const key = String(made.apiKey);
    expect((await world.request("GET", "/flows", { key })).status).toBe(200);
    await world.database.query("update credentials set expires_at = now() - interval '1 second' where id = $1", [
      made.keyId,
    ]);
    expect((await world.request("GET", "/flows", { key })).status).toBe(401);
  });

  test("secrets are stored as digests only", async () => {
    const rows = await world.database.query("select credentials::text as text from credentials");
    const text = JSON.stringify(rows);
    expect(text).not.toContain(world.sample.apiKey);
    expect(text).not.toContain(world.sample.client.clientSecret);
  });
});

describe("token bucket", () => {
  test("429 with Retry-After once it is empty, exact to the token under parallel requests", async () => {
    const { apiKey } = await world.createWorkspace({ rateLimit: { capacity: 20, refill: 1, periodSeconds: 3_600 } });
    const replies = await Promise.all(
      Array.from({ length: 60 }, () => world.request("GET", "/flows", { key: apiKey })),
    );
    const refused = replies.filter((reply) => reply.status === 429);
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(20);
    expect(refused).toHaveLength(40);
    expect(refused[0]?.body).toEqual({ status: 429, error: "Rate limit exceeded" });
    expect(refused[0]?.headers.get("x-ratelimit-remaining")).toBe("0");
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    const remaining = replies
      .filter((reply) => reply.status === 200)
      .map((reply) => Number(reply.headers.get("x-ratelimit-remaining")));
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });

  test("a refused call was not placed", async () => {
    const { apiKey, workspaceId } = await world.createWorkspace({
      rateLimit: { capacity: 1, refill: 1, periodSeconds: 3_600 },
    });
    await world.request("GET", "/flows", { key: apiKey });
    const reply = await world.request("POST", "/outbound/calls", {
      key: apiKey,
      body: { customerNumber: "+12025550100" },
    });
    expect(reply.status).toBe(429);
    expect(await world.database.query("select 1 from call_rows where workspace_id = $1", [workspaceId])).toEqual([]);
  });
});

describe("errors have one shape", () => {
  test("the description of a fault names its path and what to do", async () => {
    const reply = await world.request("POST", "/outbound/calls", { body: { customerNumber: 5, contactName: "x" } });
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({
      error: "Bad request",
      code: "INVALID_BODY",
      details: [{ path: "customerNumber" }],
    });
    expect(reply.body.requestId).toBe(reply.headers.get("x-request-id"));
  });

  test("404 for a path that does not exist names the one that was meant", async () => {
    const reply = await world.request("POST", "/outbound/call", { body: {} });
    expect([reply.status, reply.body.error]).toEqual([404, "Not found"]);
    expect(reply.body.message).toContain("Did you mean /api/external/v1/outbound/calls?");
  });

  test("405 tells which methods the path takes", async () => {
    const reply = await world.request("DELETE", "/call-history");
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(reply.body.message).toBe("This path takes GET.");
  });
});

describe("the OpenAPI document", () => {
  test("is 3.1 and every reference in it leads somewhere", async () => {
    const { body, text } = await world.request("GET", "/openapi.json", { key: null });
    expect(body.openapi).toBe("3.1.0");
    const names = new Set(Object.keys((body.components as { schemas: object }).schemas));
    const used = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map((match) => match[1] as string);
    expect(used.filter((name) => !names.has(name))).toEqual([]);
    expect(Object.keys(body.paths as object)).toContain("/api/external/v1/outbound/calls");
  });
});
