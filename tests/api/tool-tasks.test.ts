import { afterAll, beforeAll, expect, test } from "vitest";
import { type RequestOptions, type Sample, World } from "../kit/world.ts";

let world: World;
let stranger: Sample;
beforeAll(async () => {
  world = await World.start();
  stranger = await world.createWorkspace();
});
afterAll(() => world[Symbol.asyncDispose]());

const answer = (options: RequestOptions) =>
  world.request("POST", "/api/webhooks/async-tool-task/response", { key: null, ...options });
let counter = 0;

/** A task that waits an hour or so, as far as these tests go. */
async function wait(secret: string | null, key = world.sample.apiKey, id = `task ${++counter}`): Promise<string> {
  const body = { toolTaskId: id, secret, delaySeconds: 120 };
  const reply = await world.request("POST", "/test/async-echo", { key, body });
  expect(reply.status, reply.text).toBe(202);
  return id;
}
const read = async (id: string) => (await world.request("GET", `/tool-tasks/${encodeURIComponent(id)}`)).body;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

test("the endpoint's shared secret, in the body or in the header", async () => {
  const [one, two] = [await wait("first secret"), await wait("second secret")];
  expect(await read(one)).toMatchObject({ toolTaskId: one, status: "PENDING", result: null, completedAt: null });
  const done = await answer({ body: { toolTaskId: one, secret: "first secret", result: { a: [1, "\u2713"] } } });
  expect([done.status, done.body]).toEqual([200, { status: "accepted" }]);
  expect(await read(one)).toMatchObject({ status: "COMPLETED", result: { a: [1, "\u2713"] }, error: null });
  const headers = { "x-tool-task-id": two, "x-tool-secret": "second secret" };
  expect((await answer({ headers, body: { status: "FAILED", error: "no luck" } })).status).toBe(200);
  expect(await read(two)).toMatchObject({ status: "FAILED", error: "no luck", result: null });
});

test("Authentication 3: a token of a client without permissions, for the tasks of its own workspace", async () => {
  const { workspaceId } = world.sample;
  const client = await world.operator("client.create", { workspaceId, permissions: [] });
  const token = await world.getToken(client);
  const headers = bearer(token);
  expect((await world.request("GET", "/tools", { key: null, headers })).status).toBe(403);
  const mine = await wait(null);
  expect((await answer({ headers, body: { toolTaskId: mine } })).status).toBe(200);
  expect(await read(mine)).toMatchObject({ status: "COMPLETED", result: null });
  const foreign = await wait("theirs", stranger.apiKey);
  const replies = [
    await answer({ headers, body: { toolTaskId: foreign } }),
    await answer({ headers, body: { toolTaskId: "never was" } }),
  ];
  expect(replies.map((reply) => [reply.status, reply.text])).toEqual(Array(2).fill([404, '{"error":"Not found"}']));
  expect((await world.request("GET", `/tool-tasks/${encodeURIComponent(foreign)}`)).text).toBe('{"error":"Not found"}');
});

test("one id in two workspaces: the secret, or the token's workspace, tells which", async () => {
  const id = "shared id";
  await wait("mine", world.sample.apiKey, id);
  await wait("theirs", stranger.apiKey, id);
  expect((await answer({ body: { toolTaskId: id, secret: "theirs" } })).status).toBe(200);
  expect((await read(id)).status).toBe("PENDING");
  const token = await world.getToken(world.sample.client);
  expect((await answer({ headers: bearer(token), body: { toolTaskId: id } })).status).toBe(200);
  expect((await read(id)).status).toBe("COMPLETED");
});

test("401 for nothing, an API key alone, a worthless token and a wrong secret, in the spec's shapes", async () => {
  const id = await wait("right");
  const body = { toolTaskId: id };
  const nothing = await answer({ body });
  expect([nothing.status, nothing.body]).toEqual([
    401,
    { error: "Unauthorized", message: "Missing API key. Use X-API-Key header." },
  ]);
  expect(nothing.headers.get("www-authenticate")).toMatch(/^Bearer resource_metadata="http/);
  const others = [
    { body, key: world.sample.apiKey },
    { body, headers: bearer("worthless") },
    { body: { ...body, secret: "wrong" } },
    { body, headers: { "x-tool-secret": "wrong" } },
    { body: { ...body, secret: "wrong" }, key: world.sample.apiKey },
  ];
  for (const options of others) {
    const reply = await answer(options);
    expect([reply.status, reply.body]).toEqual([401, { error: "Unauthorized" }]);
    expect(reply.headers.get("www-authenticate")).toContain("resource_metadata=");
    expect(reply.headers.get("x-ratelimit-limit")).not.toBeNull();
  }
  for (const raw of ["", "{", "[]", "null", '"x"', "\u0000"]) expect((await answer({ raw })).status, raw).toBe(401);
  expect((await read(id)).status).toBe("PENDING");
  expect((await answer({ body: { ...body, secret: "right" }, key: world.sample.apiKey })).status).toBe(200);
});

test("404 for an unknown task, 409 for a finished one, 400 and 422 for what cannot be read", async () => {
  const id = await wait("s");
  const good = { toolTaskId: id, secret: "s" };
  expect((await answer({ body: { ...good, toolTaskId: "unknown" } })).status).toBe(404);
  expect((await answer({ body: { secret: "s" } })).status).toBe(422);
  expect((await answer({ body: { ...good, status: "MAYBE" } })).status).toBe(422);
  expect((await answer({ body: { ...good, error: 5 } })).status).toBe(400);
  expect((await answer({ body: { ...good, result: "a\u0000" } })).status).toBe(400);
  expect((await answer({ raw: "{", headers: { "x-tool-secret": "s" } })).status).toBe(400);
  expect((await answer({ body: good })).status).toBe(200);
  const again = await answer({ body: good });
  expect([again.status, again.body.code]).toEqual([409, "CONFLICT"]);
});

test("of ten answers at once, one is accepted", async () => {
  const id = await wait("s");
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, i) => answer({ body: { toolTaskId: id, secret: "s", result: i } })),
  );
  expect(replies.filter((reply) => reply.status === 409)).toHaveLength(9);
  const winner = replies.findIndex((reply) => reply.status === 200);
  expect(winner).not.toBe(-1);
  expect((await read(id)).result).toBe(winner);
});

test("GET /tool-tasks/{toolTaskId}: 404 for an unknown id, 400 for one that cannot be", async () => {
  expect((await world.request("GET", "/tool-tasks/nobody")).status).toBe(404);
  expect((await world.request("GET", "/tool-tasks/%00")).status).toBe(400);
});
