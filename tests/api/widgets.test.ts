import { randomUUID } from "node:crypto";
import { Script } from "node:vm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Json } from "../kit/chat-harness.ts";
import { EventReader, says } from "../kit/event-reader.ts";
import { type Sample, type TestReply, World } from "../kit/world.ts";

const ORIGIN = "https://shop.example";
const OTHER = "https://evil.example";

let world: World;
let stranger: Sample;
let widget: Json & { id: string; publicId: string };
beforeAll(async () => {
  world = await World.start();
  stranger = await world.createWorkspace();
  widget = await makeWidget({ greeting: "Hello, how can I help?" });
});
beforeEach(() => world.database.query("delete from widget_buckets"));
afterAll(() => world[Symbol.asyncDispose]());

async function makeWidget(more: Json = {}): Promise<typeof widget> {
  const body = { name: "Shop", allowedOrigins: [ORIGIN], ...more };
  const reply = await world.request("POST", "/widgets", { body });
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as typeof widget;
}

interface Visit {
  origin?: string | null;
  token?: string;
  body?: unknown;
  publicId?: string;
}

/** A request as the page's script makes it. */
function visit(
  method: string,
  path: string,
  { origin = ORIGIN, token, body, publicId }: Visit = {},
): Promise<TestReply> {
  return world.request(method, `/api/widget/${path}?widget=${publicId ?? widget.publicId}`, {
    key: null,
    headers: headersOf(origin, token),
    ...(body === undefined ? {} : { body }),
  });
}

function headersOf(origin: string | null, token?: string): Record<string, string> {
  return { ...(origin === null ? {} : { origin }), ...(token ? { authorization: `Bearer ${token}` } : {}) };
}

async function start(publicId = widget.publicId): Promise<string> {
  const reply = await visit("POST", "sessions", { publicId });
  if (reply.status !== 200) throw new Error(reply.text);
  return String(reply.body.token);
}

const follow = (token: string, more: Record<string, string> = {}, publicId = widget.publicId) =>
  EventReader.open(`${world.url}/api/widget/events?widget=${publicId}`, { ...headersOf(ORIGIN, token), ...more });

const say = (token: string, content: string, clientMessageId: string = randomUUID()) =>
  visit("POST", "messages", { token, body: { content, clientMessageId } });

describe("a widget", () => {
  test("is made, read, changed and deleted", async () => {
    const made = await makeWidget({ flowId: world.sample.flow.id });
    expect(made).toMatchObject({
      publicId: expect.stringMatching(/^wgt_[0-9A-Za-z]{20}$/),
      flowId: world.sample.flow.id,
      allowedOrigins: [ORIGIN],
      greeting: null,
      themeColor: "#2457d6",
      active: true,
    });
    const path = `/widgets/${made.id}`;
    const changed = await world.request("PUT", path, { body: { greeting: "Hi", flowId: null, themeColor: "#ffffff" } });
    expect(changed.body).toMatchObject({
      ...made,
      greeting: "Hi",
      flowId: null,
      themeColor: "#ffffff",
      updatedAt: expect.any(String),
    });
    expect((await world.request("GET", path)).body).toEqual(changed.body);
    const all = (await world.request("GET", "/widgets")).body as unknown as Json[];
    expect(all).toContainEqual(changed.body);
    expect((await world.request("DELETE", path)).status).toBe(204);
    expect((await world.request("GET", path)).status).toBe(404);
  });

  test("names what cannot be used", async () => {
    const cases: [Json, number, string?][] = [
      [{}, 422, "name"],
      [{ name: "x" }, 422, "allowedOrigins"],
      ...[
        "https://shop.example/",
        "shop.example",
        "https://*.example",
        "HTTPS://shop.example",
        "null",
        "file:///x",
        "javascript:1",
        "",
      ].map((origin): [Json, number, string] => [
        { name: "x", allowedOrigins: [ORIGIN, origin] },
        422,
        "allowedOrigins.1",
      ]),
      [{ name: "x", allowedOrigins: [], themeColor: "red" }, 422, "themeColor"],
      [{ name: "x", allowedOrigins: [], flowId: randomUUID() }, 404],
      [{ name: "x", allowedOrigins: [], flowId: stranger.flow.id }, 404],
      [{ name: 7, allowedOrigins: [] }, 400, "name"],
    ];
    for (const [body, status, path] of cases) {
      const reply = await world.request("POST", "/widgets", { body });
      expect([reply.status, (reply.body.details as Json[] | undefined)?.[0]?.path], JSON.stringify(body)).toEqual([
        status,
        path,
      ]);
    }
  });
});

describe("a visitor", () => {
  test("chats by the token of the chat, and sees no tools, names or inner states", async () => {
    const settings = await visit("GET", "settings");
    expect(settings.body).toEqual({ name: "Shop", themeColor: "#2457d6", active: true });
    const token = await start();
    const reader = await follow(token);
    await reader.until(says("how can I help"));
    const said = await say(token, "Hello");
    expect(said.body.message).toMatchObject({ role: "USER", content: "Hello", clientMessageId: expect.any(String) });
    await reader.until(says("Will you be able to come"));
    const [row] = await world.database.query<{ session_id: string }>(
      "select session_id from widget_tokens where expires_at > now() order by expires_at desc limit 1",
    );
    const api = `/chat-sessions/${row?.session_id}`;
    expect((await world.request("GET", api)).body).toMatchObject({
      channel: "CHAT",
      status: "ACTIVE",
      contactIdentifier: expect.any(String),
    });
    await world.request("POST", `${api}/take-over?assignee=Berta`);
    const taken = await reader.until(({ type }) => type === "session.updated");
    expect(taken.data).toEqual({ session: { status: "HANDED_OFF" } });
    await world.request("POST", `${api}/messages`, { body: { content: "A person here.", role: "AGENT" } });
    const human = await reader.until(says("A person here."));
    expect(Object.keys(human.data.message as object)).toEqual([
      "id",
      "role",
      "content",
      "clientMessageId",
      "createdAt",
    ]);
    expect((await visit("POST", "close", { token })).body).toEqual({ status: "CLOSED" });
    await reader.end();
    const last = reader.events.at(-1)?.id ?? "";
    expect((await follow(token, { "last-event-id": last })).status).toBe(204);
    expect((await say(token, "One more thing")).status).toBe(409);
  });

  test("is remembered by nothing but a digest of the token, and by no address", async () => {
    const token = await start();
    const rows = await world.database.query<{ text: string }>(
      "select t::text as text from widget_tokens t union all select b::text from widget_buckets b",
    );
    expect(rows.length).toBeGreaterThan(1);
    for (const { text } of rows) {
      expect(text).not.toContain(token.slice(4));
      expect(text).not.toContain("127.0.0.1");
    }
  });

  test("reaches one chat alone: not another visitor's, nor with another widget, nor the API", async () => {
    const [mine, theirs] = [await start(), await start()];
    await say(theirs, "My secret is 4711");
    const reader = await follow(mine);
    await say(mine, "Hello");
    await reader.until(says("Will you be able"));
    reader.close();
    expect(JSON.stringify(reader.events)).not.toContain("4711");
    const other = await makeWidget();
    for (const [method, path, body] of [
      ["POST", "messages", { content: "x", clientMessageId: "x" }],
      ["GET", "events", undefined],
      ["POST", "close", undefined],
    ] as const) {
      expect((await visit(method, path, { token: mine, publicId: other.publicId, body })).status, path).toBe(401);
      expect((await visit(method, path, { body })).status, path).toBe(401);
      expect((await visit(method, path, { token: `wgs_${"x".repeat(44)}`, body })).status, path).toBe(401);
      expect((await visit(method, path, { token: world.sample.apiKey, body })).status, path).toBe(401);
    }
    const api = await world.request("GET", "/chat-sessions", {
      key: null,
      headers: { authorization: `Bearer ${mine}` },
    });
    expect(api.status).toBe(401);
  });

  test("loses the chat when the token is over its time, or the widget is deleted", async () => {
    const token = await start();
    expect((await say(token, "Hello")).status).toBe(200);
    await world.database.query("update widget_tokens set expires_at = now()");
    expect((await say(token, "Hello?")).status).toBe(401);
    const other = await makeWidget();
    const second = await start(other.publicId);
    await world.request("DELETE", `/widgets/${other.id}`);
    expect((await visit("POST", "close", { token: second, publicId: other.publicId })).status).toBe(404);
  });

  test("starts no chat in a widget that is not active or whose flow is gone; one under way goes on", async () => {
    const { id: flowId } = (await world.request("POST", "/flows", { body: { name: "Short" } })).body;
    const other = await makeWidget({ flowId });
    const { publicId } = other;
    const token = await start(publicId);
    await world.request("PUT", `/widgets/${other.id}`, { body: { active: false } });
    expect((await visit("POST", "sessions", { publicId })).status).toBe(404);
    const body = { content: "Hello", clientMessageId: "1" };
    expect((await visit("POST", "messages", { publicId, token, body })).status).toBe(200);
    await world.request("PUT", `/widgets/${other.id}`, { body: { active: true } });
    await world.request("DELETE", `/flows/${String(flowId)}`);
    const gone = await visit("POST", "sessions", { publicId });
    expect([gone.status, gone.body.message]).toEqual([409, "Nobody can answer here now."]);
    expect((await visit("GET", "settings", { publicId: "wgt_never" })).status).toBe(404);
  });

  test("writes a message once by its clientMessageId", async () => {
    const token = await start();
    const replies = await Promise.all([1, 2, 3].map(() => say(token, "Hello", "m1")));
    expect(new Set(replies.map(({ status, body }) => `${status} ${String((body.message as Json).id)}`)).size).toBe(1);
    expect((await say(token, "Other", "m1")).status).toBe(409);
    expect((await say(token, "x".repeat(2_001))).status).toBe(422);
    expect((await say(token, " \n")).status).toBe(422);
  });
});

describe("pages", () => {
  test("of a listed origin alone may call, and the browser is told exactly that", async () => {
    const token = await start();
    const paths = [
      ["GET", "settings"],
      ["POST", "sessions"],
      ["POST", "messages"],
      ["POST", "close"],
    ] as const;
    for (const [method, path] of paths) {
      const body = path === "messages" ? { content: "Hi", clientMessageId: "1" } : undefined;
      for (const origin of [
        OTHER,
        "null",
        "https://shop.example.evil.example",
        "http://shop.example",
        "https://shop.example:444",
      ]) {
        const refused = await visit(method, path, { origin, token, body });
        expect(refused.status, `${path} ${origin}`).toBe(403);
        expect(refused.headers.get("access-control-allow-origin")).toBeNull();
        const asked = await visit("OPTIONS", path, { origin });
        expect(asked.headers.get("access-control-allow-origin"), `${path} ${origin}`).toBeNull();
      }
      const asked = await visit("OPTIONS", path);
      expect(asked.status).toBe(204);
      expect(asked.headers.get("access-control-allow-origin")).toBe(ORIGIN);
      expect(asked.headers.get("access-control-allow-methods")).toBe(method);
      expect(asked.headers.get("access-control-allow-headers")).toContain("Authorization");
      expect(asked.headers.get("access-control-allow-credentials")).toBeNull();
      const allowed = await visit(method, path, { token, body });
      expect(allowed.status, path).toBe(200);
      expect([allowed.headers.get("access-control-allow-origin"), allowed.headers.get("vary")]).toEqual([
        ORIGIN,
        "Origin",
      ]);
    }
    const refusal = await visit("POST", "messages", { body: { content: "Hi", clientMessageId: "1" } });
    expect([refusal.status, refusal.headers.get("access-control-allow-origin")]).toEqual([401, ORIGIN]);
  });

  test("start no chat without an origin, and the API takes no page at all", async () => {
    expect((await visit("POST", "sessions", { origin: null })).status).toBe(403);
    const api = await world.request("OPTIONS", "/chat-sessions", { key: null, headers: { origin: ORIGIN } });
    expect(api.headers.get("access-control-allow-origin")).toBeNull();
    for (const query of [
      "",
      "?widget=",
      "?widget=x",
      "?widget=wgt_a%00b",
      "?widget=wgt_a&widget=wgt_b",
      "?widget[x]=1",
    ]) {
      const reply = await world.request("POST", `/api/widget/sessions${query}`, {
        key: null,
        headers: { origin: ORIGIN },
      });
      expect([400, 422], `${query} ${reply.status}`).toContain(reply.status);
      const asked = await world.request("OPTIONS", `/api/widget/sessions${query}`, {
        key: null,
        headers: { origin: ORIGIN },
      });
      expect(asked.status, query).toBe(204);
    }
  });
});

test("a visitor's address begins ten chats, then it is 429; so it is for a widget and a chat whose bucket is empty", async () => {
  const other = await makeWidget();
  const { publicId } = other;
  const statuses: number[] = [];
  for (let i = 0; i < 11; i++) statuses.push((await visit("POST", "sessions", { publicId })).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  const refused = await visit("POST", "sessions", { publicId });
  expect(refused.body).toEqual({ status: 429, error: "Rate limit exceeded" });
  expect(refused.headers.get("access-control-allow-origin")).toBe(ORIGIN);
  await world.database.query("delete from widget_buckets where bucket like '%|start|%'");
  await world.database.query(
    "update widget_buckets set tokens = 0, refilled_at = now() + interval '1 hour' where bucket like '%|start'",
  );
  expect((await visit("POST", "sessions", { publicId })).status).toBe(429);
  const token = await start();
  const said: number[] = [];
  for (let i = 0; i < 30; i++) said.push((await say(token, " ", String(i))).status);
  expect(new Set(said)).toEqual(new Set([422]));
  await world.database.query("update widget_buckets set tokens = 1, refilled_at = now() + interval '1 hour'");
  expect((await say(token, "Hello")).status).toBe(200);
  await world.database.query("update widget_buckets set tokens = 0, refilled_at = now() + interval '1 hour'");
  expect((await say(token, "Hello")).status).toBe(429);
});

test("the script is small, stands alone, and may be loaded by any page", async () => {
  const reply = await fetch(`${world.url}/widget.js`);
  expect(reply.headers.get("content-type")).toContain("text/javascript");
  expect(reply.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
  const text = await reply.text();
  expect(Buffer.byteLength(text)).toBeLessThan(15_000);
  expect(() => new Script(text)).not.toThrow();
  expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\bimport\b|\beval\b/);
});
