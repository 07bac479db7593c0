import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ChatHarness, type Json } from "../kit/chat-harness.ts";
import { World } from "../kit/world.ts";

let world: World;
let harness: ChatHarness;
beforeAll(async () => {
  world = await World.start();
  harness = new ChatHarness(world);
});
afterAll(() => world[Symbol.asyncDispose]());

const operators = { optedOut: true, optOutSource: "OPERATOR" };

async function find(query: Record<string, string>): Promise<Json> {
  const { body } = await world.request("GET", `/contacts?${new URLSearchParams(query).toString()}`);
  const [contact] = body.content as Json[];
  return contact ?? {};
}

/** Starts a chat with somebody without a number, and returns its id, their identifier and the path of their opt-out. */
async function startNameless() {
  const identifier = `nameless-${randomUUID()}`;
  const { session } = await harness.started({ channel: "CHAT", contactIdentifier: identifier, initialMessage: "Hi" });
  const contact = `/contacts/${String((await find({ identifier })).id)}`;
  return { sessionId: session.id, identifier, contact, path: `${contact}/opt-out` };
}

test("an operator's opt-out of a contact without a number is shown as theirs, and can be taken back", async () => {
  const { identifier, contact, path } = await startNameless();
  expect((await world.request("POST", path)).body).toMatchObject(operators);
  expect(await find({ identifier })).toMatchObject(operators);
  const { content } = (await world.request("GET", `${contact}/timeline`)).body as { content: Json[] };
  expect(content[0]).toMatchObject({ type: "OPT_OUT", source: "OPERATOR" });
  const start = { channel: "CHAT", contactIdentifier: identifier, initialMessage: "Hi" };
  expect((await harness.start(start)).status).toBe(422);
  const taken = await world.request("DELETE", path);
  expect([taken.status, taken.body]).toMatchObject([200, { optedOut: false, optedOutAt: null, optOutSource: null }]);
  expect((await harness.start(start)).status).toBe(200);
});

test("what the person wrote replaces it, and cannot be taken back", async () => {
  const { sessionId, path } = await startNameless();
  await world.request("POST", path);
  await harness.write(sessionId, "Please never contact me again, take me off your list");
  expect((await world.request("POST", path)).body).toMatchObject({ optOutSource: "SPOKEN_REFUSAL" });
  expect((await world.request("DELETE", path)).status).toBe(409);
});

test("an opt-out whose source was never stored counts as the person's", async () => {
  const { contact, path } = await startNameless();
  await world.request("POST", path);
  await world.database.query("update contacts set opted_out_source = null");
  expect((await world.request("GET", contact)).body).toMatchObject({ optOutSource: "SPOKEN_REFUSAL" });
  expect((await world.request("DELETE", path)).status).toBe(409);
});

test("it goes over to the number that is known later, and stays the operator's", async () => {
  const { identifier, path } = await startNameless();
  await world.request("POST", path);
  const phone = "+12025550156";
  const sms = { channel: "SMS", contactPhone: phone, contactIdentifier: identifier, initialMessage: "Hi" };
  await harness.started(sms);
  const contact = await find({ phone });
  expect(contact).toMatchObject({ ...operators, identifier });
  const taken = await world.request("DELETE", `/contacts/${String(contact.id)}/opt-out`);
  expect([taken.status, taken.body]).toMatchObject([200, { optedOut: false }]);
});
