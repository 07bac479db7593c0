import { afterAll, beforeAll, expect, test } from "vitest";
import { World } from "../kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world[Symbol.asyncDispose]());

async function makeFlow(): Promise<Record<string, unknown>> {
  const localVariables = [{ variableName: "a", type: "string" }];
  return (await world.request("POST", "/flows", { body: { name: "Survey", firstMessage: "Hi", localVariables } })).body;
}

test.each([
  ["/flows", { name: "Once", masterPrompt: "{{ nobody }}" }],
  ["/structured-outputs", { name: "once", schema: { type: "object" } }],
  ["/session-webhooks", { url: "https://example.com/", enabled: false }],
])("POST %s with the same Idempotency-Key makes one", async (path, body) => {
  const key = crypto.randomUUID();
  const send = (sent: object) => world.request("POST", path, { body: sent, headers: { "Idempotency-Key": key } });
  const made = await send(body);
  const again = await send(body);
  expect([again.headers.get("idempotent-replayed"), again.text]).toEqual(["true", made.text]);
  expect((await send({ ...body, name: "Other" })).status).toBe(422);
});

test("rule 1: only fields present in the body change", async () => {
  const flow = await makeFlow();
  const reply = await world.request("PUT", `/flows/${String(flow.id)}`, { body: { name: "Poll" } });
  expect(reply.body).toMatchObject({ name: "Poll", firstMessage: "Hi", localVariables: flow.localVariables });
});

test("rule 2: each sent field is replaced as a whole", async () => {
  const flow = await makeFlow();
  const localVariables = [{ variableName: "b", type: "number" }];
  const reply = await world.request("PUT", `/flows/${String(flow.id)}`, { body: { localVariables } });
  expect(reply.body.localVariables).toEqual(localVariables);
});

test("rule 3: an explicit null clears a field", async () => {
  const flow = await makeFlow();
  const reply = await world.request("PUT", `/flows/${String(flow.id)}`, { body: { firstMessage: null } });
  expect([reply.status, reply.body.firstMessage, reply.body.name]).toEqual([200, null, "Survey"]);
});

test("rule 4: a whole flow may be sent back; id, userId, version and timestamps are ignored", async () => {
  const flow = await makeFlow();
  const path = `/flows/${String(flow.id)}`;
  const sent = { ...flow, id: "x", userId: 7, version: "9", createdAt: false, updatedAt: null, unknown: [] };
  const reply = await world.request("PUT", path, { body: sent });
  expect(reply.status, reply.text).toBe(200);
  const { warnings, warningsTotal: _, ...changed } = reply.body;
  expect(warnings).toEqual([expect.objectContaining({ path: "/unknown" })]);
  expect({ ...changed, version: 0, updatedAt: "" }).toEqual({ ...flow, version: 0, updatedAt: "" });
  expect(changed.version).toBe(Number(flow.version) + 1);
  expect((await world.request("GET", path)).body).toEqual(changed);
});

test("a deleted flow is gone, and its queued calls fail with the reason", async () => {
  const flow = await makeFlow();
  const path = `/flows/${String(flow.id)}`;
  const reply = await world.request("DELETE", path);
  expect([reply.status, reply.text]).toEqual([204, ""]);
  expect((await world.request("GET", path)).status).toBe(404);
  expect((await world.request("PUT", path, { body: {} })).status).toBe(404);
  expect((await world.request("DELETE", path)).status).toBe(404);
});

test("of flows that are given one apiId at once one takes it, and the others get 409", async () => {
  const flows = await Promise.all(Array.from({ length: 8 }, makeFlow));
  const apiId = `taken-${String(flows[0]?.id).slice(-8)}`;
  const rename = async (flow: Record<string, unknown>) =>
    (await world.request("PUT", `/flows/${String(flow.id)}`, { body: { apiId } })).status;
  const statuses = await Promise.all(flows.map(rename));
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, ...Array<number>(7).fill(409)]);
});

test("400 for an id that is no uuid, 409 for an apiId that is taken", async () => {
  expect((await world.request("GET", "/flows/42")).status).toBe(400);
  const flow = await makeFlow();
  const reply = await world.request("PUT", `/flows/${String(flow.id)}`, { body: { apiId: world.sample.flow.apiId } });
  expect([reply.status, reply.body.code]).toEqual([409, "CONFLICT"]);
});

test("the prompt of a flow is what its model gets, by channel; another workspace's flow has none", async () => {
  const body = { name: "Booking", masterPrompt: "You are Nora.", firstMessage: "Hi", language: "sv-SE" };
  const flow = (await world.request("POST", "/flows", { body })).body;
  const path = `/flows/${String(flow.id)}/prompt`;
  const voice = await world.request("GET", path);
  expect(voice.status, voice.text).toBe(200);
  expect(voice.body).toMatchObject({ channel: "VOICE", firstMessage: "Hi", error: null });
  expect(voice.body.system).toMatch(/^You are Nora\.\n\nYou speak with the person on the phone\./);
  expect(voice.body.system).toContain('in Swedish, "14:30" is "halv tre på eftermiddagen"');
  expect(voice.body.system).toMatch(/\nTime zone: .+, assumed[^\n]*\nDate: \d{4}-\d\d-\d\d\n/);
  const chat = await world.request("GET", `${path}?channel=CHAT`);
  expect(chat.body.system).toContain("You write with the person in a chat.");
  expect((await world.request("GET", `${path}?channel=FAX`)).status).toBe(400);
  expect((await world.request("GET", "/flows/00000000-0000-7000-8000-000000000000/prompt")).status).toBe(404);
});
