import { createHash } from "node:crypto";
import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { freePort } from "../kit/free-port.ts";
import { Receiver } from "../kit/receiver.ts";
import { ServerProcess } from "../kit/server-process.ts";
import { World } from "../kit/world.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** A parameter in the document. */
interface Parameter {
  name: string;
  in: string;
  required: boolean;
  schema: { type: string };
}

let world: World;
let sealed: World;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  sealed = await World.start();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await sealed[Symbol.asyncDispose]();
});

/** Like `world.request`, also with a body on GET. */
function send(
  method: string,
  path: string,
  { headers = {}, body }: { headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<{ status: number; body: Record<string, unknown> }> {
  return new Promise((resolve, reject) => {
    const own = { "x-api-key": world.sample.apiKey, "content-length": String(Buffer.byteLength(body ?? "")) };
    const call = httpRequest(
      `${world.url}/api/external/v1${path}`,
      { method, headers: { ...own, ...headers } },
      (reply) => {
        let text = "";
        reply.setEncoding("utf8").on("data", (piece: string) => (text += piece));
        reply.on("end", () =>
          resolve({ status: reply.statusCode ?? 0, body: JSON.parse(text) as Record<string, unknown> }),
        );
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}

const read = async (id: unknown) => (await world.request("GET", `/tool-tasks/${encodeURIComponent(String(id))}`)).body;
const finished = (id: unknown) =>
  world.until(`/tool-tasks/${encodeURIComponent(String(id))}`, (task) => task.status !== "PENDING");

describe("sync-echo: 200, a JSON object echoing method, headers, query parameters and body", () => {
  test.each(METHODS)("%s with a JSON body", async (method) => {
    const { status, body } = await send(method, "/test/sync-echo?a=1&b=x&b=y&c=%00", {
      headers: { "content-type": "application/json", "x-mark": "m" },
      body: '{"n":[1,{"s":"\u2713"}]}',
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      method,
      query: { a: "1", b: ["x", "y"], c: "\u0000" },
      headers: { "x-mark": "m", "content-type": "application/json" },
      body: { n: [1, { s: "\u2713" }] },
      bodyEncoding: "JSON",
    });
  });

  test.each<[string, string, string | Buffer, unknown, string]>([
    ["no body", "text/plain", "", null, "NONE"],
    ["text", "text/plain", "1 \u0000 \u2713", "1 \u0000 \u2713", "TEXT"],
    ["a form", "application/x-www-form-urlencoded", "a=1", "a=1", "TEXT"],
    ["bytes", "application/octet-stream", Buffer.from([0xff, 0x00]), "/wA=", "BASE64"],
    ["broken JSON", "application/json", '{"a":', '{"a":', "TEXT"],
    ["JSON that nests deeply", "application/json", "[".repeat(9_000), "[".repeat(9_000), "TEXT"],
    ["JSON with a NUL", "application/json", '"\\u0000"', "\u0000", "JSON"],
    ["another JSON type", "application/vnd.x+json", "true", true, "JSON"],
  ])("any content type and body: %s", async (_what, type, body, echoed, bodyEncoding) => {
    const reply = await send("DELETE", "/test/sync-echo", { headers: { "content-type": type }, body });
    expect([reply.status, reply.body.body, reply.body.bodyEncoding]).toEqual([200, echoed, bodyEncoding]);
  });

  test("credential headers are masked", async () => {
    const headers = { authorization: "Bearer a", cookie: "b=c", "x-tool-secret": "d" };
    const { body } = await send("GET", "/test/sync-echo", { headers });
    const masked = {
      authorization: "********",
      cookie: "********",
      "x-tool-secret": "********",
      "x-api-key": "********",
    };
    expect(body.headers).toMatchObject(masked);
  });

  test("needs any one permission", async () => {
    const { workspaceId } = world.sample;
    const few = await world.operator("key.create", { workspaceId, permissions: ["BALANCE_READ"] });
    expect((await world.request("GET", "/test/sync-echo", { key: String(few.apiKey) })).status).toBe(200);
    expect((await world.request("GET", "/test/sync-echo", { key: null })).status).toBe(401);
  });
});

describe("async-echo: 202, acknowledged immediately", () => {
  test("the document shows the query parameters and the headers of the spec's table, all optional", async () => {
    const { body } = await world.request("GET", "/openapi.json", { key: null });
    const operations = (body.paths as Record<string, Record<string, { parameters: Parameter[] }>>)[
      "/api/external/v1/test/async-echo"
    ];
    for (const method of METHODS) {
      const { parameters = [] } = operations?.[method.toLowerCase()] ?? {};
      expect(parameters.every((one) => !one.required)).toBe(true);
      expect(parameters.map((one) => `${one.in} ${one.name} ${one.schema.type}`).toSorted()).toEqual([
        "header X-Callback-Url string",
        "header X-Tool-Secret string",
        "header X-Tool-Task-Id string",
        "query callbackUrl string",
        "query delaySeconds integer",
        "query secret string",
        "query toolTaskId string",
      ]);
    }
  });

  test.each(METHODS)("rule 1: %s is answered by a POST to the callback URL", async (method) => {
    await using receiver = await Receiver.start();
    const query = new URLSearchParams({
      delaySeconds: "0",
      toolTaskId: `t-${method}`,
      secret: "s p",
      callbackUrl: receiver.url,
    });
    const reply = await send(method, `/test/async-echo?${query.toString()}`);
    expect(reply.status).toBe(202);
    expect(reply.body).toMatchObject({ toolTaskId: `t-${method}`, delaySeconds: 0, callbackUrl: receiver.url });
    const [got] = await receiver.waitFor(1);
    expect(got?.headers).toMatchObject({
      "x-tool-task-id": `t-${method}`,
      "x-tool-secret": "s p",
      "content-type": "application/json",
    });
    const body = JSON.parse(got?.body ?? "") as Record<string, unknown>;
    expect(body).toMatchObject({
      toolTaskId: `t-${method}`,
      secret: "s p",
      status: "COMPLETED",
      error: null,
      result: { delaySeconds: 0, echo: { method, query: { toolTaskId: `t-${method}`, secret: "********" } } },
    });
    expect(Date.parse(String(body.completedAt))).toBeGreaterThanOrEqual(Date.parse(String(reply.body.dueAt)));
  });

  test("rule 1: the delay is 10 by default, 120 at most; 400 names one that is not allowed", async () => {
    const { body } = await send("GET", "/test/async-echo");
    expect(body.delaySeconds).toBe(10);
    const ahead = Date.parse(String(body.dueAt)) - Date.now();
    // By the database's clock, from which the one of this machine may differ a little.
    expect(ahead).toBeLessThanOrEqual(11_000);
    expect((await send("GET", "/test/async-echo?delaySeconds=120")).status).toBe(202);
    const headers = { "content-type": "application/json" };
    const bad = ["121", "-1", "1.5", "x", "", "1e1", "99999999999"];
    for (const value of bad) {
      const reply = await send("GET", `/test/async-echo?delaySeconds=${value}`);
      expect([reply.status, JSON.stringify(reply.body.details)], value).toEqual([
        400,
        expect.stringContaining("delaySeconds"),
      ]);
    }
    for (const value of [121, -1, 1.5, '"5"', "[]", 1e12]) {
      const reply = await send("POST", "/test/async-echo", { headers, body: `{"delaySeconds":${value}}` });
      expect([reply.status, JSON.stringify(reply.body.details)], String(value)).toEqual([
        400,
        expect.stringContaining("delaySeconds"),
      ]);
    }
  });

  test("rule 2: parameters from query, headers or JSON body, in this order", async () => {
    const inBody = { toolTaskId: "from body", delaySeconds: 0, callbackUrl: null, more: [1] };
    const headers = { "content-type": "application/json" };
    const sendAll = (query: string, more: Record<string, string>, body: object = inBody) =>
      send("POST", `/test/async-echo${query}`, { headers: { ...headers, ...more }, body: JSON.stringify(body) });
    expect((await sendAll("", {})).body.toolTaskId).toBe("from body");
    expect((await sendAll("", { "x-tool-task-id": "from header" })).body.toolTaskId).toBe("from header");
    const all = await sendAll(
      "?toolTaskId=from%20query",
      { "x-tool-task-id": "header again" },
      { ...inBody, toolTaskId: 7 },
    );
    expect([all.status, all.body.toolTaskId]).toEqual([202, "from query"]);
    expect((await sendAll("", {}, { toolTaskId: 7 })).status).toBe(400);
    expect((await sendAll("?toolTaskId=%00", {})).status).toBe(400);
    expect((await sendAll("", { "x-tool-task-id": "caf\u00e9" })).status).toBe(400);
    await using receiver = await Receiver.start();
    const reply = await sendAll("?delaySeconds=0", { "x-callback-url": receiver.url, "x-tool-secret": "h" });
    expect(reply.body.callbackUrl).toBe(receiver.url);
    expect((await receiver.waitFor(1))[0]?.headers["x-tool-secret"]).toBe("h");
  });

  test("rule 3: without a callback URL it goes to the service's own tool-task webhook", async () => {
    const { body } = await send("PUT", "/test/async-echo?delaySeconds=0", {
      headers: { "content-type": "application/json", "x-tool-secret": "hush-1" },
      body: '{"secret":"hush-2","a":1}',
    });
    expect(body.callbackUrl).toBe(`${world.url}/api/webhooks/async-tool-task/response`);
    const task = await finished(body.toolTaskId);
    expect(task).toMatchObject({ status: "COMPLETED", error: null });
    expect(task.result).toMatchObject({ delaySeconds: 0, echo: { method: "PUT", body: { a: 1, secret: "********" } } });
    expect(JSON.stringify(task)).not.toContain("hush");
    const text = (
      await send("POST", "/test/async-echo?delaySeconds=0", {
        body: "a \u0000 b",
        headers: { "content-type": "text/plain" },
      })
    ).body;
    expect((await finished(text.toolTaskId)).result).toMatchObject({ echo: { body: "a \u0000 b" } });
  });

  test("a JSON body comes back as its exact text, in the callback and in the task; a secret in it does not", async () => {
    const body = '{ "n": 12345678901234567890, "d":1.10, "k":1,"k":2, "nul":"\\u0000", "big":1e400 }';
    const headers = { "content-type": "application/json" };
    await using receiver = await Receiver.start();
    const query = new URLSearchParams({ delaySeconds: "0", callbackUrl: receiver.url });
    expect((await send("POST", `/test/async-echo?${query.toString()}`, { headers, body })).status).toBe(202);
    expect((await receiver.waitFor(1))[0]?.body).toContain(`"body":${body}`);
    const kept = await send("POST", "/test/async-echo?delaySeconds=0", { headers, body });
    await finished(kept.body.toolTaskId);
    const task = await world.request("GET", `/tool-tasks/${String(kept.body.toolTaskId)}`);
    expect(task.text).toContain(`"body":${body}`);
    const secret = await send("POST", `/test/async-echo?${query.toString()}`, {
      headers,
      body: '{"d":1.10,"secr\\u0065t":"hush","n":12345678901234567890}',
    });
    expect(secret.status).toBe(202);
    expect((await receiver.waitFor(2))[1]?.body).toContain(
      '"body":{"d":1.10,"secret":"********","n":12345678901234567890}',
    );
  });

  test("rule 3: the service's own URL, written out, means the same", async () => {
    const own = `${world.url}/api/webhooks/async-tool-task/response`;
    const query = new URLSearchParams({ delaySeconds: "0", callbackUrl: own });
    const { body } = await send("POST", `/test/async-echo?${query.toString()}`);
    expect((await finished(body.toolTaskId)).status).toBe("COMPLETED");
  });

  test("rule 3: it ends the task that a conversation waits for, when the secret is right", async () => {
    const hash = createHash("sha256").update("right").digest();
    await world.database.query(
      "insert into tool_tasks (workspace_id, id, source, secret_hash) values ($1, 'awaited', 'TOOL', $2)",
      [world.sample.workspaceId, hash],
    );
    expect((await send("POST", "/test/async-echo?toolTaskId=awaited&secret=wrong")).status).toBe(409);
    expect((await send("POST", "/test/async-echo?toolTaskId=awaited&secret=right&delaySeconds=0")).status).toBe(202);
    expect((await finished("awaited")).status).toBe("COMPLETED");
  });

  test("409 for an id that is known in the workspace; another workspace may use it", async () => {
    const body = { toolTaskId: "known", secret: "s", delaySeconds: 120 };
    const ask = (key: string) => world.request("POST", "/test/async-echo", { key, body });
    expect((await ask(world.sample.apiKey)).status).toBe(202);
    const again = await ask(world.sample.apiKey);
    expect([again.status, again.body.code]).toEqual([409, "CONFLICT"]);
    expect((await ask((await world.createWorkspace()).apiKey)).status).toBe(202);
  });

  test("an answer before the echo is due stands", async () => {
    await world.database.query("delete from tasks where kind = 'async-echo'");
    const { body } = await send("POST", "/test/async-echo?delaySeconds=120&secret=s");
    const answer = { toolTaskId: body.toolTaskId, secret: "s", result: "mine" };
    const path = "/api/webhooks/async-tool-task/response";
    expect((await world.request("POST", path, { key: null, body: answer })).status).toBe(200);
    await hurry(world.database);
    await untilEnded(world, "DEAD");
    expect(await read(body.toolTaskId)).toMatchObject({ status: "COMPLETED", result: "mine" });
  });

  test("422 for a callback URL inside the network, and nothing is stored", async () => {
    for (const callbackUrl of ["http://127.0.0.1:9999/", "http://169.254.169.254/", "ftp://example.com", "nonsense"]) {
      const reply = await sealed.request("POST", "/test/async-echo", { body: { callbackUrl, toolTaskId: "x" } });
      expect([reply.status, reply.body.details], callbackUrl).toEqual([
        422,
        [expect.objectContaining({ path: "callbackUrl", code: "NOT_ALLOWED" })],
      ]);
    }
    expect((await sealed.request("GET", "/tool-tasks/x")).status).toBe(404);
    expect(await sealed.database.query("select 1 from tasks where kind = 'async-echo'")).toEqual([]);
  });

  test("the waiting callback holds neither secret nor URL in plain", async () => {
    const query = new URLSearchParams({
      secret: "plain-secret",
      callbackUrl: "http://127.0.0.1:1/plain-path",
      toolTaskId: "kept",
    });
    await send("POST", `/test/async-echo?${query.toString()}`, { headers: { "x-note": "plain-note" } });
    const rows = await world.database.query(
      "select t::text as text from tasks t union all select t::text from tool_tasks t",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/plain-(secret|path|note)/);
  });

  test("an answer of any status ends it; a connection that fails is tried twice more", async () => {
    await using receiver = await Receiver.start([500]);
    const callback = (url: string) =>
      send("POST", `/test/async-echo?delaySeconds=0&callbackUrl=${encodeURIComponent(url)}`);
    await world.database.query("delete from tasks where kind = 'async-echo'");
    await callback(receiver.url);
    await untilEnded(world, "DONE");
    expect(receiver.received).toHaveLength(1);
    await world.database.query("delete from tasks where kind = 'async-echo'");
    await callback(`http://127.0.0.1:${await freePort()}/`);
    const [row] = await untilEnded(world, "DEAD");
    expect(row).toMatchObject({ attempt: 3, last_error: expect.stringMatching(/^CONNECT/) as string });
  });
});

/** Makes all echoes due that wait. */
async function hurry(database: TestDatabase): Promise<void> {
  await database.query("update tasks set due_at = now() where kind = 'async-echo' and status = 'PENDING'");
}

/** Waits until an echo has ended so, and gives such rows. */
async function untilEnded(on: World, status: string): Promise<unknown[]> {
  for (let i = 0; i < 1_500; i++) {
    const rows = await on.database.query(
      "select attempt, last_error from tasks where kind = 'async-echo' and status = $1",
      [status],
    );
    if (rows.length > 0) return rows;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`no echo became ${status}`);
}

test("a kill -9 between the 202 and the callback: it comes once, after the restart", { timeout: 120_000 }, async () => {
  const database = await createDatabase();
  await using receiver = await Receiver.start();
  const server = await ServerProcess.create({ DATABASE_URL: database.url, ALLOW_PRIVATE_NETWORK: "1" });
  try {
    await server.start();
    const sample = (await server.operator("workspace.create", { name: "Echo", sample: true })) as { apiKey: string };
    const ask = async (path: string, method = "POST") => {
      const reply = await fetch(`${server.url}/api/external/v1${path}`, {
        method,
        headers: { "x-api-key": sample.apiKey },
      });
      return (await reply.json()) as Record<string, unknown>;
    };
    const own = await ask("/test/async-echo?delaySeconds=120");
    const sent = await ask(`/test/async-echo?delaySeconds=120&callbackUrl=${encodeURIComponent(receiver.url)}`);
    server.kill();
    await server.gone;
    expect(receiver.received).toEqual([]);
    await hurry(database);
    await server.start();
    await receiver.waitFor(1);
    for (let task = own; task.status !== "COMPLETED";) task = await ask(`/tool-tasks/${String(own.toolTaskId)}`, "GET");
    const ends = () =>
      database.query("select status, count(*)::int as n from tasks where kind = 'async-echo' group by 1");
    await expect.poll(ends).toEqual([{ status: "DONE", n: 2 }]);
    // Once more through the whole restart, with nothing left to send.
    server.kill();
    await server.gone;
    await server.start();
    const again = await ask("/test/async-echo?delaySeconds=0");
    for (let task = again; task.status !== "COMPLETED";)
      task = await ask(`/tool-tasks/${String(again.toolTaskId)}`, "GET");
    expect(receiver.received.map((one) => one.headers["x-tool-task-id"])).toEqual([sent.toolTaskId]);
    await expect.poll(ends).toEqual([{ status: "DONE", n: 3 }]);
  } finally {
    await server.stop();
    await database.drop();
  }
});
