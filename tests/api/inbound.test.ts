import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Chat, ChatHarness, type Json, textsOf } from "../kit/chat-harness.ts";
import { type Sample, World } from "../kit/world.ts";

let world: World;
let stranger: Sample;
let harness: ChatHarness;
/** A number of the person's that no other test uses. */
let from: string;
let counter = 0;
/** Fictional numbers that take every message and do nothing by themselves. */
const FREE = ["+120255501", "+4420794601", "+612555001"].flatMap((stem) =>
  Array.from({ length: 14 }, (_, i) => `${stem}${56 + i}`),
);
beforeAll(async () => {
  world = await World.start();
  stranger = await world.createWorkspace();
  harness = new ChatHarness(world);
});
beforeEach(() => {
  from = FREE[++counter] as string;
});
afterAll(() => world[Symbol.asyncDispose]());

const receive = (content: string, more: Json = {}, key = world.sample.apiKey) =>
  world.request("POST", "/chat-sessions/inbound-messages", { key, body: { channel: "SMS", from, content, ...more } });

async function received(content: string, more: Json = {}): Promise<Chat> {
  const reply = await receive(content, more);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.body as unknown as Chat;
}

async function chatsWith(contactPhone: string): Promise<(Json & { id: string })[]> {
  const { body } = await world.request("GET", `/chat-sessions?contactPhone=${encodeURIComponent(contactPhone)}`);
  return body.content as (Json & { id: string })[];
}

/** Every message of a chat that was sent, with the state it got to, once none is on its way. */
async function delivered(id: string): Promise<string[]> {
  const page = await world.until(`/chat-sessions/${id}/messages?size=200`, ({ content }) =>
    (content as Json[]).every(({ deliveryStatus }) => !["QUEUED", "SENT"].includes(String(deliveryStatus))),
  );
  const sent = (page.content as Json[]).filter(({ deliveryStatus }) => deliveryStatus !== null);
  return sent.map(
    ({ content, deliveryStatus, errorCode }) => `${String(deliveryStatus)} ${String(errorCode ?? content)}`,
  );
}

const ledger = (number: string) =>
  world.database.query<{ source: string }>("select source from do_not_call where workspace_id = $1 and number = $2", [
    world.sample.workspaceId,
    number,
  ]);

describe("a person who writes first", () => {
  test("is answered by the default flow, in a chat that goes on with the next message", async () => {
    const first = await received("Hello");
    expect(first.session).toMatchObject({
      channel: "SMS",
      provider: "SANDBOX",
      status: "ACTIVE",
      contactPhone: from,
      assistantPhoneNumber: world.sample.phoneNumber.number,
      flowId: world.sample.flow.id,
      inlineFlow: false,
    });
    expect(first.messages.map(({ role }) => role)).toEqual(["USER", "ASSISTANT"]);
    expect(first.messages[0]?.deliveryStatus).toBeNull();
    const second = await received("Yes, I will");
    expect(second.session.id).toBe(first.session.id);
    expect(await delivered(first.session.id)).toEqual(
      [first, second].map(({ messages }) => `DELIVERED ${messages[1]?.content ?? ""}`),
    );
  });

  test("is answered by the number's own flow; a deleted one gives way to the default", async () => {
    const { id } = (await world.request("POST", "/flows", { body: { name: "Inbound" } })).body;
    const path = `/phone-numbers/${world.sample.phoneNumber.id}`;
    expect((await world.request("PUT", path, { body: { inboundFlowId: id } })).body.inboundFlowId).toBe(id);
    expect((await received("Hello")).session.flowId).toBe(id);
    for (const flowId of [stranger.flow.id, randomUUID()]) {
      expect((await world.request("PUT", path, { body: { inboundFlowId: flowId } })).status).toBe(404);
    }
    await world.request("DELETE", `/flows/${String(id)}`);
    expect((await received("Hello", { from: "+12025550174" })).session.flowId).toBe(world.sample.flow.id);
    expect((await world.request("PUT", path, { body: { inboundFlowId: null } })).body.inboundFlowId).toBeNull();
  });

  test("is kept for a human operator where no flow is; no agent can be handed the chat", async () => {
    const bare = await world.createWorkspace();
    await world.request("DELETE", `/flows/${bare.flow.id}`, { key: bare.apiKey });
    const reply = await receive("Hello", {}, bare.apiKey);
    const { session, messages } = reply.body as unknown as Chat;
    expect(session).toMatchObject({ status: "HANDED_OFF", mode: "MANUAL", aiMode: "PAUSED", flowId: null });
    expect(textsOf(messages)).toEqual(["USER: Hello"]);
    const path = `/chat-sessions/${session.id}`;
    expect((await world.request("POST", `${path}/hand-back`, { key: bare.apiKey })).status).toBe(409);
    const human = await world.request("POST", `${path}/messages`, {
      key: bare.apiKey,
      body: { content: "Good day", role: "AGENT" },
    });
    expect(human.status, human.text).toBe(200);
  });

  test("is taken once by the provider's id, also when it comes many times at once", async () => {
    const providerMessageId = `SM-${randomUUID()}`;
    const replies = await Promise.all(Array.from({ length: 6 }, () => received("Hello", { providerMessageId })));
    expect(new Set(replies.map(({ messages }) => messages[0]?.id)).size).toBe(1);
    const [chat, ...others] = await chatsWith(from);
    expect(others).toEqual([]);
    expect(chat?.messageCount).toBe(2);
    await world.request("POST", `/chat-sessions/${String(chat?.id)}/close`);
    await received("Hello", { providerMessageId });
    expect(await chatsWith(from)).toHaveLength(1);
  });

  test("opens one chat with two messages at once, and another one on another channel", async () => {
    await Promise.all(["Hello", "Is anybody there?"].map((text) => received(text)));
    expect(await chatsWith(from)).toHaveLength(1);
    await received("Hello", { channel: "WHATSAPP" });
    expect(await chatsWith(from)).toHaveLength(2);
  });

  test("writes to a number of this workspace, which is a SANDBOX one", async () => {
    const never = await receive("Hello", { to: "+12025550177" });
    expect([never.status, never.body.error]).toEqual([404, "Not found"]);
    expect((await receive("Hello", { from: "020 7946" })).status).toBe(422);
    expect((await receive("  ")).status).toBe(422);
    expect((await receive("Hello", { channel: "CHAT" })).status).toBe(422);
    expect((await receive("Hello", { providerMessageId: "a\u0000b" })).status).toBe(400);
    const live = (await world.operator("workspace.create", { name: "Live", mode: "LIVE" })) as { workspaceId: string };
    const { apiKey } = await world.operator("key.create", { workspaceId: live.workspaceId });
    expect((await receive("Hello", { to: "+12025550190" }, String(apiKey))).status).toBe(409);
  });
});

describe("keywords", () => {
  test("STOP forbids calls and messages, is confirmed once, and ends the chat; START takes it back", async () => {
    const opened = await harness.started({ channel: "WHATSAPP", contactPhone: from, initialMessage: "Hi" });
    const stopped = await received("Stop!", { channel: "WHATSAPP" });
    expect(stopped.session).toMatchObject({ id: opened.session.id, status: "CLOSED", endReason: "CUSTOMER_OPTED_OUT" });
    expect(stopped.messages[1]?.content).toContain("unsubscribed");
    expect((await delivered(opened.session.id)).at(-1)).toMatch(/^READ You have been unsubscribed/);
    expect(await ledger(from)).toEqual([{ source: "STOP_KEYWORD" }]);

    const call = await world.call(from);
    expect(call).toMatchObject({ status: "SKIPPED", error: { code: "DO_NOT_CALL" } });
    expect((await harness.start({ channel: "SMS", contactPhone: from })).body.details).toMatchObject([
      { code: "DO_NOT_CALL" },
    ]);
    const again = await received("STOP");
    expect(textsOf(again.messages)).toEqual(["USER: STOP"]);
    const dialogue = await received("Are you there?");
    expect(textsOf(dialogue.messages)).toEqual(["USER: Are you there?"]);

    const started = await received("START");
    expect(started.messages[1]?.content).toContain("again");
    expect(started.session).toMatchObject({ status: "ACTIVE" });
    expect(await ledger(from)).toEqual([]);
    expect((await delivered(started.session.id)).at(-1)).toMatch(/^DELIVERED You will get messages/);
    expect((await harness.start({ channel: "SMS", contactPhone: from, initialMessage: "Hi" })).status).toBe(200);
  });

  test("START takes back no entry that anybody else made, before or after the STOP", async () => {
    const insert = `insert into do_not_call (workspace_id, number, source) values ($1, $2, 'OPERATOR')
                    on conflict (workspace_id, number) do update set source = excluded.source`;
    await world.database.query(insert, [world.sample.workspaceId, from]);
    expect(textsOf((await received("STOP")).messages)).toEqual(["USER: STOP"]);
    expect(textsOf((await received("START")).messages)).toEqual(["USER: START"]);
    // What the person said outlasts the operator, who could take back an entry of theirs.
    expect(await ledger(from)).toEqual([{ source: "SPOKEN_REFUSAL" }]);
    // Whom the agent understood to want no more is not asked back by a later START either.
    const other = "+12025550175";
    const { session } = await received("Hello", { from: other });
    await received("STOP", { from: other });
    expect(session.status).toBe("ACTIVE");
    await received("START", { from: other });
    await received("Hello", { from: other });
    await received("Please remove me from your list and never contact me again", { from: other });
    await world.until(`/chat-sessions/${(await chatsWith(other))[0]?.id}`, ({ endReason }) => endReason !== null);
    expect(await ledger(other)).toEqual([{ source: "SPOKEN_REFUSAL" }]);
    await received("START", { from: other });
    expect(await ledger(other)).toEqual([{ source: "SPOKEN_REFUSAL" }]);
  });

  test("START of somebody who never stopped is the agent's to answer, and HELP is not", async () => {
    const { messages } = await received("start");
    expect(messages[1]?.content).not.toContain("again");
    const help = await received("HELP");
    expect(help.messages[1]?.content).toBe(
      "This is Test. Reply STOP to get no more messages, START to get them again.",
    );
    expect(help.session.status).toBe("ACTIVE");
  });

  test("are answered in the flow's language, and are none in a CHAT", async () => {
    const flow = (await world.request("POST", "/flows", { body: { name: "Deutsch", language: "de-DE" } })).body;
    await harness.started({ channel: "SMS", contactPhone: from, flowId: flow.id, initialMessage: "Guten Tag" });
    expect((await received("Abmelden")).messages[1]?.content).toContain("Sie wurden abgemeldet");
    const { session } = await harness.started({ channel: "CHAT", initialMessage: "Hi" });
    const { messages } = await harness.write(session.id, "HELP");
    expect(messages[1]?.content).not.toContain("Reply STOP");
  });
});

test("WhatsApp: after 24 hours only a template goes out, until the person writes again, here or in a later chat", async () => {
  const { session } = await received("Hello", { channel: "WHATSAPP" });
  const before = Date.parse(String(session.windowExpiresAt));
  const back = "update chat_sessions set window_expires_at = window_expires_at - interval '24 hours' where id = $1";
  await world.database.query(back, [session.id]);
  const shut = await harness.read(session.id);
  expect(Date.parse(String(shut.windowExpiresAt))).toBe(before - 86_400_000);
  const free = await harness.post(session.id, "Are you there?", { role: "AGENT" });
  expect([free.status, (free.body.details as Json[])[0]]).toEqual([
    422,
    expect.objectContaining({ path: "template", code: "TEMPLATE_REQUIRED" }),
  ]);
  const template = { name: "follow_up", language: "en_US", variables: { name: "Anna" } };
  const sent = await harness.post(session.id, "Are you there?", { role: "AGENT", template });
  expect(sent.status, sent.text).toBe(200);
  await delivered(session.id);
  const reopened = await received("Yes", { channel: "WHATSAPP" });
  expect(reopened.session.id).toBe(session.id);
  expect(Date.parse(String(reopened.session.windowExpiresAt))).toBeGreaterThan(Date.now());
  expect((await harness.post(session.id, "Good.", { role: "AGENT" })).status).toBe(200);
});

test("an answer of the agent that the window closed on is FAILED, not sent", async () => {
  const { session } = await received("Hello", { channel: "WHATSAPP" });
  await delivered(session.id);
  await world.request("POST", `/chat-sessions/${session.id}/take-over`);
  await received("Yes, I will", { channel: "WHATSAPP" });
  await world.database.query("update chat_sessions set window_expires_at = now() where id = $1", [session.id]);
  await world.request("POST", `/chat-sessions/${session.id}/hand-back`);
  await world.until(`/chat-sessions/${session.id}/messages`, ({ totalElements }) => totalElements === 4);
  expect((await delivered(session.id)).at(-1)).toBe("FAILED TEMPLATE_REQUIRED");
});

describe("the numbers that write back", () => {
  test.each([
    ["+12025550170", "USER: Yes, that suits me.", "ACTIVE"],
    ["+12025550172", "USER: STOP", "CLOSED"],
    ["+12025550173", "USER: Sorry for the delay. Yes.", "ACTIVE"],
  ])("%s answers the opening: %s", async (contactPhone, line, status) => {
    const { session } = await harness.started({
      channel: "SMS",
      contactPhone,
      initialMessage: "Does Monday suit you?",
    });
    await world.until(`/chat-sessions/${session.id}/messages`, ({ totalElements }) => Number(totalElements) >= 3);
    expect(textsOf(await harness.messages(session.id))).toContain(line);
    expect((await harness.read(session.id)).status).toBe(status);
    await delivered(session.id);
    expect((await chatsWith(contactPhone)).map(({ id }) => id)).toEqual([session.id]);
  });

  test("+12025550171 is not delivered to", async () => {
    const { session } = await harness.started({ channel: "SMS", contactPhone: "+12025550171", initialMessage: "Hi" });
    expect(await delivered(session.id)).toEqual(["FAILED UNDELIVERED"]);
  });
});
