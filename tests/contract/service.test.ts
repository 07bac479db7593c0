import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Sample, World } from "../kit/world.ts";

let world: World;
let stranger: Sample;
beforeAll(async () => {
  world = await World.start();
  stranger = await world.createWorkspace();
});
afterAll(() => world[Symbol.asyncDispose]());

describe("What the service does", () => {
  test("every request acts as the workspace that owns the credential; no path carries a workspace identifier", async () => {
    const { body } = await world.request("GET", "/openapi.json", { key: null });
    const paths = Object.keys(body.paths as object);
    expect(paths.filter((path) => /workspace|tenant/i.test(path))).toEqual([]);
    const mine = await world.request("POST", "/flows", { body: { name: "Mine" } });
    const path = `/flows/${String(mine.body.id)}`;
    expect((await world.request("GET", path)).status).toBe(200);
    expect((await world.request("GET", path, { key: stranger.apiKey })).status).toBe(404);
    const list = await world.request("GET", "/flows?size=200", { key: stranger.apiKey });
    expect(list.text).not.toContain(String(mine.body.id));
  });

  test("starting a call returns once it is queued; the result is read later", async () => {
    const slow = await world.createWorkspace({ speed: 1 });
    const body = { customerNumber: "+12025550100" };
    const placed = await world.request("POST", "/outbound/calls", { key: slow.apiKey, body });
    expect([placed.status, placed.body.status]).toEqual([200, "QUEUED"]);
    const row = await world.request("GET", `/call-rows/${String(placed.body.rowId)}`, { key: slow.apiKey });
    expect([row.status, row.body.endedAt]).toEqual([200, null]);
  });

  test("bodies are JSON: another content type is refused in the one error shape", async () => {
    const reply = await world.request("POST", "/flows", { raw: "name=x", headers: { "content-type": "text/plain" } });
    expect([reply.status, Object.keys(reply.body).toSorted()]).toEqual([
      415,
      ["code", "details", "error", "message", "requestId"],
    ]);
  });
});

describe("Errors", () => {
  test("401: error, and message when the key is missing", async () => {
    const missing = await world.request("GET", "/flows", { key: null });
    expect(missing.body).toEqual({ error: "Unauthorized", message: "Missing API key. Use X-API-Key header." });
    const invalid = await world.request("GET", "/flows", { key: "svc_live_nope" });
    expect([invalid.status, invalid.body]).toEqual([401, { error: "Unauthorized" }]);
  });

  test("403: error Forbidden", async () => {
    const { workspaceId } = world.sample;
    const { apiKey } = await world.operator("key.create", { workspaceId, permissions: ["FLOWS_READ"] });
    const reply = await world.request("DELETE", `/flows/${world.sample.flow.id}`, { key: String(apiKey) });
    expect([reply.status, reply.body.error]).toEqual([403, "Forbidden"]);
  });

  test("404: error Not found", async () => {
    const reply = await world.request("GET", "/flows/0190a0a0-0000-7000-8000-000000000000");
    expect([reply.status, reply.body]).toEqual([404, { error: "Not found" }]);
  });

  test("429: status and error; rule 1: nothing is queued, nothing is partially applied", async () => {
    const { apiKey, workspaceId } = await world.createWorkspace({
      rateLimit: { capacity: 1, refill: 1, periodSeconds: 86_400 },
    });
    const body = { name: "Once", rows: [{ customerNumber: "+12025550100" }] };
    expect((await world.request("POST", "/call-jobs", { key: apiKey, body })).status).toBe(200);
    const refused = await world.request("POST", "/call-jobs", { key: apiKey, body });
    expect([refused.status, refused.body]).toEqual([429, { status: 429, error: "Rate limit exceeded" }]);
    const jobs = await world.database.query("select 1 from call_jobs where workspace_id = $1", [workspaceId]);
    expect(jobs).toHaveLength(1);
  });

  test("rule 2: every response carries the rate-limit headers", async () => {
    const replies = [
      await world.request("GET", "/flows"),
      await world.request("GET", "/flows", { key: null }),
      await world.request("GET", "/nowhere"),
      await world.request("POST", "/flows", { raw: "{" }),
      await world.request("DELETE", "/flows"),
      await world.request("GET", "/health", { key: null }),
      await world.request("POST", "/api/oauth/token", { key: null }),
      await world.request("POST", "/api/mcp", { key: null, body: {} }),
      await world.request("GET", "/docs", { key: null }),
    ];
    for (const { headers, status } of replies) {
      for (const name of ["limit", "remaining", "reset"]) {
        expect(headers.get(`x-ratelimit-${name}`), `${status} ${name}`).toMatch(/^\d+$/);
      }
    }
  });

  test("rule 3: 201 for a created tool and structured output, 202 for async echo, 204 for deletes", async () => {
    const tool = await world.request("POST", "/tools", {
      body: {
        name: "look_up",
        description: "Looks up.",
        toolType: "API",
        apiMethod: "GET",
        apiUrl: "https://api.example.com/x",
      },
    });
    expect(tool.status, tool.text).toBe(201);
    const output = await world.request("POST", "/structured-outputs", {
      body: { name: "o", schema: { type: "object" } },
    });
    expect(output.status).toBe(201);
    expect((await world.request("POST", "/test/async-echo?delaySeconds=0", { body: {} })).status).toBe(202);
    const flow = await world.request("POST", "/flows", { body: { name: "Gone soon" } });
    const { application, agent } = world.sample as unknown as {
      application: { id: string; storeKey: string; recordId: string };
      agent: { id: string; knowledgeBaseItemId: string };
    };
    const paths = [
      `/tools/${String(tool.body.id)}`,
      `/structured-outputs/${String(output.body.id)}`,
      `/flows/${String(flow.body.id)}`,
      `/applications/${application.id}/stores/${application.storeKey}/${application.recordId}`,
      `/agents/${agent.id}/knowledge-base/items/${agent.knowledgeBaseItemId}`,
    ];
    for (const path of paths) {
      const reply = await world.request("DELETE", path);
      expect([reply.status, reply.text], path).toEqual([204, ""]);
      expect((await world.request("DELETE", path)).status, path).toBe(404);
    }
  });

  test("rule 4: invalid input has one shape with the path of each fault; nothing is half applied", async () => {
    const body = { customerNumber: "12025550100", contactName: 5, fromPhoneNumber: false };
    const reply = await world.request("POST", "/outbound/calls", { body });
    expect([reply.status, reply.body.error]).toEqual([400, "Bad request"]);
    const details = reply.body.details as { path: string; code: string; message: string }[];
    expect(details.map((fault) => fault.path).toSorted()).toEqual(["contactName", "customerNumber", "fromPhoneNumber"]);
    expect(reply.body.requestId).toBe(reply.headers.get("x-request-id"));
    const rule = await world.request("POST", "/outbound/calls", { body: { customerNumber: "12025550100" } });
    expect([rule.status, rule.body.code]).toEqual([422, "VALIDATION_FAILED"]);
    const clash = await world.request("PUT", `/flows/${world.sample.flow.id}`, {
      body: { apiId: "other", localVariables: 5 },
    });
    expect(clash.status).toBe(400);
    const flow = await world.request("GET", `/flows/${world.sample.flow.id}`);
    expect(flow.body.apiId).toBe(world.sample.flow.apiId);
  });
});

describe("Limits", () => {
  test("1. a token bucket per credential, refilling continuously; the headers tell it", async () => {
    // So slow that a burst which a busy machine stretches over seconds is still too many.
    const { apiKey } = await world.createWorkspace({ rateLimit: { capacity: 10, refill: 10, periodSeconds: 5 } });
    const first = await world.request("GET", "/flows", { key: apiKey });
    expect(first.headers.get("x-ratelimit-limit")).toBe("10");
    const burst = await Promise.all(Array.from({ length: 30 }, () => world.request("GET", "/flows", { key: apiKey })));
    const refused = burst.filter((reply) => reply.status === 429);
    expect(refused.length).toBeGreaterThan(0);
    const resetSeconds = Number(refused[0]?.headers.get("x-ratelimit-reset"));
    expect(resetSeconds).toBeGreaterThan(0);
    // The caller waits the reset time, and may go on.
    await new Promise((resolve) => setTimeout(resolve, resetSeconds * 1_000 + 50));
    expect((await world.request("GET", "/flows", { key: apiKey })).status).toBe(200);
  });

  test("2. the default budget is 120 in 60 s, which holds for a client paced for 30 too", async () => {
    const made = await world.operator("workspace.create", { name: "Default", sample: true });
    const { headers } = await world.request("GET", "/flows", { key: String(made.apiKey) });
    expect(headers.get("x-ratelimit-limit")).toBe("120");
    expect(headers.get("x-ratelimit-remaining")).toBe("119");
  });

  test("2. capacity, refill amount and refill period are configured separately for each workspace", async () => {
    const { workspaceId, apiKey } = await world.createWorkspace();
    await world.operator("workspace.update", {
      id: workspaceId,
      rateLimit: { capacity: 5, refill: 2, periodSeconds: 1_000 },
    });
    const { headers } = await world.request("GET", "/flows", { key: apiKey });
    // One token is missing; 2 in 1,000 s bring it back in 500 s.
    expect(headers.get("x-ratelimit-limit")).toBe("5");
    expect(Number(headers.get("x-ratelimit-reset"))).toBe(500);
  });

  test("3. concurrency is limited for each number; exceeding it queues the call and does not fail it", async () => {
    const slow = await world.createWorkspace({ speed: 1 });
    const key = slow.apiKey;
    await world.request("PUT", `/phone-numbers/${slow.phoneNumber.id}`, { key, body: { maxConcurrentCalls: 1 } });
    const place = () => world.request("POST", "/outbound/calls", { key, body: { customerNumber: "+12025550189" } });
    const other = () => world.request("POST", "/outbound/calls", { key, body: { customerNumber: "+12025550188" } });
    expect([(await place()).status, (await other()).status]).toEqual([200, 200]);
    for (;;) {
      const numbers = (await world.request("GET", "/phone-numbers", { key })).body as unknown as {
        currentActiveCalls: number;
        queuedCalls: number;
      }[];
      const [number] = numbers;
      expect(number?.currentActiveCalls).toBeLessThanOrEqual(1);
      if (number?.currentActiveCalls === 1 && number.queuedCalls === 1) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });

  test("4. access tokens live at most 24 hours: see Token endpoint", async () => {
    const { workspaceId } = world.sample;
    const client = await world.operator("client.create", {
      workspaceId,
      permissions: ["FLOWS"],
      tokenLifetimeSeconds: 999_999,
    });
    expect(client.tokenLifetimeSeconds).toBe(86_400);
  });

  test("6. a call job of many rows counts as one request", async () => {
    const { apiKey } = await world.createWorkspace({ rateLimit: { capacity: 100, refill: 1, periodSeconds: 86_400 } });
    const rows = Array.from({ length: 50 }, (_, i) => ({ customerNumber: `+1202555012${i % 10}` }));
    const reply = await world.request("POST", "/call-jobs", { key: apiKey, body: { rows } });
    expect([reply.status, reply.body.totalRows, reply.headers.get("x-ratelimit-remaining")]).toEqual([200, 50, "99"]);
  });
});

describe("Versioning", () => {
  test("the version is in the path prefix /api/external/v1; the interface description is v1.0.0", async () => {
    const { body } = await world.request("GET", "/openapi.json", { key: null });
    expect((body.info as { version: string }).version).toBe("v1.0.0");
    expect((await world.request("GET", "/api/external/v1/flows")).status).toBe(200);
    expect((await world.request("GET", "/api/external/v2/flows")).status).toBe(404);
    expect((await world.request("GET", "/api/external/flows")).status).toBe(404);
  });
});
