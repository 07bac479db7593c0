import { afterAll, beforeAll, expect, test } from "vitest";
import { createDatabase, type TestDatabase } from "../kit/database.ts";
import { ServerProcess } from "../kit/server-process.ts";

const CAPACITY = 50;
const ASKED = 400;

let database: TestDatabase;
let nodes: [ServerProcess, ServerProcess];
beforeAll(async () => {
  database = await createDatabase();
  const env = { DATABASE_URL: database.url };
  nodes = [await ServerProcess.create(env), await ServerProcess.create(env)];
  await nodes[0].start();
  await nodes[1].start();
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
  await database.drop();
});

async function makeWorkspace(rateLimit: object) {
  const body = { name: "Limited", sample: true, sandboxSpeed: "instant", rateLimit };
  return (await nodes[0].operator("workspace.create", body)) as { workspaceId: string; apiKey: string };
}

function placeCall(node: ServerProcess, key: string): Promise<Response> {
  return fetch(`${node.url}/api/external/v1/outbound/calls`, {
    method: "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify({ customerNumber: "+12025550100" }),
  });
}

test("the bucket is exact across two processes, and a 429 applies nothing", async () => {
  const { workspaceId, apiKey } = await makeWorkspace({ capacity: CAPACITY, refill: 1, periodSeconds: 86_400 });
  const replies = await Promise.all(
    Array.from({ length: ASKED }, (_, i) => placeCall(nodes[i % 2] as ServerProcess, apiKey)),
  );
  const count = (status: number) => replies.filter((reply) => reply.status === status).length;
  expect([count(200), count(429)]).toEqual([CAPACITY, ASKED - CAPACITY]);
  const rows = await database.query("select 1 from call_rows where workspace_id = $1", [workspaceId]);
  expect(rows).toHaveLength(CAPACITY);
});

test("each credential has a bucket of its own, and all three settings of a workspace count", async () => {
  const { workspaceId, apiKey } = await makeWorkspace({ capacity: 7, refill: 3, periodSeconds: 600 });
  const other = (await nodes[0].operator("key.create", { workspaceId })) as { apiKey: string };
  for (const key of [apiKey, other.apiKey]) {
    const replies = await Promise.all(Array.from({ length: 12 }, () => placeCall(nodes[1], key)));
    const passed = replies.filter((reply) => reply.status === 200);
    expect(passed).toHaveLength(7);
    expect(passed[0]?.headers.get("x-ratelimit-limit")).toBe("7");
    const reset = Number((await placeCall(nodes[0], key)).headers.get("x-ratelimit-reset"));
    // 7 tokens at 3 in 600 s take 1,400 s; a little of it has passed.
    expect(reset).toBeGreaterThan(1_300);
    expect(reset).toBeLessThanOrEqual(1_400);
  }
  await nodes[0].operator("workspace.update", {
    id: workspaceId,
    rateLimit: { capacity: 9, refill: 9, periodSeconds: 1 },
  });
  const after = await placeCall(nodes[1], apiKey);
  expect(after.headers.get("x-ratelimit-limit")).toBe("9");
});

test("narrowing and revoking hold on the very next request, on every node", async () => {
  const { workspaceId } = await makeWorkspace({ capacity: 1_000, refill: 1_000, periodSeconds: 1 });
  const client = (await nodes[0].operator("client.create", { workspaceId, permissions: ["OUTBOUND", "FLOWS"] })) as {
    clientId: string;
    clientSecret: string;
  };
  const form = { grant_type: "client_credentials", client_id: client.clientId, client_secret: client.clientSecret };
  const granted = await fetch(`${nodes[1].url}/api/oauth/token`, { method: "POST", body: new URLSearchParams(form) });
  const { access_token: token } = (await granted.json()) as { access_token: string };
  const call = (node: ServerProcess) =>
    fetch(`${node.url}/api/external/v1/outbound/calls`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ customerNumber: "+12025550100" }),
    }).then((reply) => reply.status);
  expect([await call(nodes[0]), await call(nodes[1])]).toEqual([200, 200]);
  await nodes[0].operator("client.permissions", { clientId: client.clientId, permissions: ["FLOWS_READ"] });
  expect([await call(nodes[1]), await call(nodes[0])]).toEqual([403, 403]);
  const flows = await fetch(`${nodes[1].url}/api/external/v1/flows`, { headers: { authorization: `Bearer ${token}` } });
  expect(flows.status).toBe(200);
  await nodes[0].operator("client.revoke", { clientId: client.clientId });
  expect([await call(nodes[1]), await call(nodes[0])]).toEqual([401, 401]);
});
