import { afterAll, beforeAll, expect, test } from "vitest";
import { inviteMember, setUpOwner, type Tab } from "../kit/console-harness.ts";
import { World } from "../kit/world.ts";

let world: World;
let owner: Tab;
let base: string;
beforeAll(async () => {
  world = await World.start();
  owner = await setUpOwner(world);
  base = `/workspaces/${world.sample.workspaceId}/webhook-inspector`;
});
afterAll(() => world[Symbol.asyncDispose]());

type Arrived = {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string | null;
  bodyEncoding: string;
  address: string | null;
  answered: number;
};

async function arrived(): Promise<Arrived[]> {
  const { status, body } = await owner.ask("GET", `${base}/requests`);
  expect(status).toBe(200);
  return body.content as Arrived[];
}

async function address(): Promise<string> {
  return String((await owner.ask("GET", base)).body.url);
}

test("shows what was sent, masks credentials, and fails as often as it was told", async () => {
  const url = await address();
  const reported = await owner.ask("PATCH", base, { failNext: 1, failStatus: 503 });
  expect(reported.body).toEqual({ url, failNext: 1, failStatus: 503 });
  const send = (init: RequestInit) => fetch(`${url}?a=1`, { method: "POST", ...init });
  const headers = { "content-type": "application/json", authorization: "Bearer secret-token", "x-mine": "yes" };
  const statuses = [await send({ headers, body: '{"n":1}' }), await send({ method: "DELETE" })].map((r) => r.status);
  expect(statuses).toEqual([503, 200]);
  const [second, first] = await arrived();
  expect(first).toMatchObject({ method: "POST", target: "?a=1", body: '{"n":1}', bodyEncoding: "TEXT", answered: 503 });
  expect(first?.headers["x-mine"]).toBe("yes");
  expect(JSON.stringify(first)).not.toContain("secret-token");
  expect(second).toMatchObject({ method: "DELETE", body: null, bodyEncoding: "NONE", answered: 200 });
});

test("keeps bytes that are no text, and refuses other addresses and bodies without end", async () => {
  const url = await address();
  const post = (to: string, body: Uint8Array<ArrayBuffer>) =>
    fetch(to, { method: "POST", body }).then(({ status }) => status);
  expect(await post(url, new Uint8Array([0, 255, 10]))).toBe(200);
  expect((await arrived())[0]).toMatchObject({ body: "AP8K", bodyEncoding: "BASE64" });
  const count = (await arrived()).length;
  expect(await post(`${url}x`, new Uint8Array(1))).toBe(404);
  expect(await post(url.replace(world.sample.workspaceId, world.sample.flow.id), new Uint8Array(1))).toBe(404);
  expect(await post(url.replace(/[^/]+$/, "%00"), new Uint8Array(1))).toBeLessThan(500);
  expect(await post(url, new Uint8Array(300_000))).toBe(413);
  expect(await arrived()).toHaveLength(count);
});

test("gets the workspace's own webhooks although the service may reach no private address", async () => {
  const url = await address();
  expect((await world.request("POST", "/session-webhooks", { body: { url } })).status).toBe(200);
  const refused = await world.request("POST", "/session-webhooks", { body: { url: `${world.url}/metrics` } });
  expect(refused.status).toBe(422);
  const row = await world.call("+12025550100");
  await expect
    .poll(async () => (await arrived()).filter(({ body }) => body?.includes(String(row.sessionId))).length)
    .toBe(2);
  const [latest] = await arrived();
  expect(latest?.address).toBeNull();
  expect(latest?.headers["webhook-signature"]).toMatch(/^v1,/);
});

test("is read by viewers, changed by others, and forgets when told", async () => {
  const viewer = await inviteMember(world, world.sample.workspaceId, "VIEWER");
  expect((await viewer.ask("GET", `${base}/requests`)).status).toBe(200);
  expect((await viewer.ask("DELETE", `${base}/requests`)).status).toBe(403);
  expect((await viewer.ask("PATCH", base, { failNext: 1 })).status).toBe(403);
  expect((await owner.ask("PATCH", base, { failNext: 101 })).status).toBeGreaterThanOrEqual(400);
  const before = await address();
  expect((await owner.ask("PATCH", base, { newAddress: true })).body.url).not.toBe(before);
  expect((await fetch(before, { method: "POST" })).status).toBe(404);
  expect((await owner.ask("DELETE", `${base}/requests`)).status).toBe(204);
  expect(await arrived()).toEqual([]);
});

test("a write without a body in its answer takes an Idempotency-Key, too", async () => {
  const add = () =>
    owner.ask(
      "POST",
      `/workspaces/${world.sample.workspaceId}/do-not-call`,
      { numbers: ["+4930901820"] },
      { "idempotency-key": "add-once" },
    );
  const replies = [await add(), await add()];
  expect(replies.map(({ status, text }) => [status, text])).toEqual([
    [204, ""],
    [204, ""],
  ]);
  expect(replies[1]?.headers.get("idempotent-replayed")).toBe("true");
});
