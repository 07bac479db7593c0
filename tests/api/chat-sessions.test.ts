import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Chat, ChatHarness, INLINE, type Json, textsOf } from "../kit/chat-harness.ts";
import { type Sample, World } from "../kit/world.ts";

let world: World;
let stranger: Sample;
let harness: ChatHarness;
beforeAll(async () => {
  world = await World.start();
  stranger = await world.createWorkspace();
  harness = new ChatHarness(world);
});
afterAll(() => world[Symbol.asyncDispose]());

describe("a chat session", () => {
  test("holds a whole conversation to its structured outputs", async () => {
    const { session, messages } = await harness.started({ channel: "CHAT", contactName: "Anna" });
    expect(messages[0]?.content).toBe(
      "Hello Anna, this is the automated assistant of Green Street Clinic. I am calling about your appointment tomorrow at ten.",
    );
    const answers: string[] = [];
    let last: Chat | undefined;
    for (const content of ["Hello", "Yes, I will", "two", "By e-mail please"]) {
      last = await harness.write(session.id, content);
      expect(last.messages[0]).toMatchObject({ role: "USER", content });
      answers.push(...last.messages.filter(({ role }) => role === "ASSISTANT").map((message) => message.content));
    }
    expect(answers).toEqual([
      "Will you be able to come to your appointment?",
      expect.stringContaining("How many people will come?"),
      expect.stringContaining("How should we remind you"),
      expect.stringContaining("goodbye"),
    ]);
    expect(last?.session).toMatchObject({ status: "CLOSED", aiMode: "OFF", endReason: "AGENT_ENDED_CHAT" });
    const done = await world.until(`/chat-sessions/${session.id}`, (body) => body.structuredOutputs !== null);
    expect(done.structuredOutputs).toMatchObject({ appointment: { valid: true } });
    expect(done.extractedFields).toEqual({ confirmed: true, partySize: 2, contactChannel: "e-mail" });
    expect(done.endedAt).toEqual(expect.any(String));
    expect(done.cost).toMatchObject({ simulated: true, breakdown: { llm: expect.not.stringMatching(/^0\.0+$/) } });
    const late = await harness.post(session.id, "One more thing");
    expect([late.status, late.body.code]).toEqual([409, "CONFLICT"]);
    expect(late.body.message).toContain("CLOSED");
  });

  test("keeps its flow when that is changed or deleted meanwhile", async () => {
    const made = await world.request("POST", "/flows", { body: { name: "Short", firstMessage: "One." } });
    const flowId = String(made.body.id);
    const { session } = await harness.started({ channel: "CHAT", flowId });
    await world.request("DELETE", `/flows/${flowId}`);
    const { messages } = await harness.write(session.id, "Hello");
    expect(messages.some(({ role }) => role === "ASSISTANT")).toBe(true);
  });

  test("answers each of many messages that come at once, one after the other, and loses none", async () => {
    const schema = { type: "object", properties: { coming: { type: "boolean", description: "Will you come?" } } };
    const flow = { ...INLINE, structuredOutputs: [{ name: "visit", schema }] };
    const { session } = await harness.started({ channel: "CHAT", flow });
    await harness.write(session.id, "Hello");
    // After six turns without an answer the agent leaves its question open.
    const contents = Array.from({ length: 5 }, (_, i) => `${"Hm, ".repeat(i)}who is this?`);
    const replies = await Promise.all(contents.map((content) => harness.write(session.id, content)));
    for (const [i, { messages }] of replies.entries()) {
      expect(messages.map(({ role }) => role)).toEqual(["USER", "ASSISTANT"]);
      expect(messages[0]?.content).toBe(contents[i]);
    }
    const all = await harness.messages(session.id);
    // The opening, the first exchange, and each message with one answer: nothing is lost, nothing answered twice.
    expect(all).toHaveLength(3 + 2 * contents.length);
    const askedIn = all.filter(({ role }) => role === "USER").slice(1);
    const answeredIn = all.filter(({ role }) => role === "ASSISTANT").slice(2);
    const answerTo = new Map(replies.map(({ messages }) => [messages[0]?.id, messages[1]?.id]));
    expect(answeredIn.map(({ id }) => id)).toEqual(askedIn.map(({ id }) => answerTo.get(id)));
  });

  test("takes a message once by its clientMessageId, and by its Idempotency-Key", async () => {
    const { session } = await harness.started({ channel: "CHAT" });
    const [one, two] = await Promise.all(
      [1, 2].map(() => harness.write(session.id, "Hello", { clientMessageId: "m1" })),
    );
    expect(one?.messages).toEqual(two?.messages);
    expect((await harness.post(session.id, "Other", { clientMessageId: "m1" })).status).toBe(409);
    const headers = { "idempotency-key": randomUUID() };
    const first = await harness.post(session.id, "Yes", {}, headers);
    const repeat = await harness.post(session.id, "Yes", {}, headers);
    expect([repeat.text, repeat.headers.get("idempotent-replayed")]).toEqual([first.text, "true"]);
    expect(await harness.messages(session.id)).toHaveLength(5);
  });

  test("is taken over by a person, who writes in the agent's place, and handed back", async () => {
    const { session } = await harness.started({ channel: "CHAT" });
    const path = `/chat-sessions/${session.id}`;
    const taken = await world.request("POST", `${path}/take-over?assignee=Berta`);
    expect(taken.body).toMatchObject({
      status: "HANDED_OFF",
      mode: "MANUAL",
      aiMode: "PAUSED",
      handoff: { state: "TAKEN_OVER", assignee: "Berta" },
    });
    expect(textsOf((await harness.write(session.id, "Is anybody there?")).messages)).toEqual([
      "USER: Is anybody there?",
    ]);
    const human = await harness.write(session.id, "Berta here.", { role: "AGENT" });
    expect(textsOf(human.messages)).toEqual(["AGENT: Berta here."]);
    const back = await world.request("POST", `${path}/hand-back`);
    expect(back.body).toMatchObject({ status: "ACTIVE", mode: "FLOW", aiMode: "ACTIVE", handoff: { state: "NONE" } });
    const { messages } = await harness.write(session.id, "Thanks");
    expect(messages.map(({ role }) => role)).toEqual(["USER", "ASSISTANT"]);
    expect(await harness.messages(session.id)).toHaveLength(5);
  });

  test("answers what stayed unanswered when it is handed back", async () => {
    const { session } = await harness.started({ channel: "CHAT" });
    await world.request("POST", `/chat-sessions/${session.id}/take-over`);
    await harness.write(session.id, "Hello");
    await world.request("POST", `/chat-sessions/${session.id}/hand-back`);
    await world.until(`/chat-sessions/${session.id}/messages`, (page) => page.totalElements === 3);
    expect(textsOf(await harness.messages(session.id)).at(-1)).toBe(
      "ASSISTANT: Will you be able to come to your appointment?",
    );
  });

  test("is closed by request, with its outputs as far as they were told", async () => {
    const { session } = await harness.started({ channel: "CHAT" });
    await harness.write(session.id, "Hello");
    await harness.write(session.id, "Yes");
    const closed = await world.request("POST", `/chat-sessions/${session.id}/close`);
    expect(closed.body).toMatchObject({
      status: "CLOSED",
      endReason: "CLOSED_BY_REQUEST",
      endedAt: expect.any(String),
      extractedFields: { confirmed: true },
    });
    expect((await world.request("POST", `/chat-sessions/${session.id}/close`)).body).toEqual(closed.body);
    for (const action of ["take-over", "hand-back"]) {
      const reply = await world.request("POST", `/chat-sessions/${session.id}/${action}`);
      expect([reply.status, String(reply.body.message).includes("CLOSED")]).toEqual([409, true]);
    }
    expect((await harness.post(session.id, "Hi", { role: "AGENT" })).status).toBe(409);
  });

  test("expires when nobody has written for its idle time", async () => {
    const { session } = await harness.started({ channel: "CHAT", idleTimeoutSeconds: 60 });
    expect((await harness.start({ channel: "CHAT", idleTimeoutSeconds: 59 })).status).toBe(422);
    expect((await harness.started({ channel: "CHAT" })).session.idleTimeoutSeconds).toBe(86_400);
    const due = "update tasks set due_at = now() where subject_id = $1 and kind = 'chat.idle'";
    await world.database.query(due, [session.id]);
    await harness.write(session.id, "Hello");
    expect((await harness.read(session.id)).status).toBe("ACTIVE");
    const idle = `update chat_sessions set last_message_at = now() - interval '61 seconds' where id = $1`;
    await world.database.query(idle, [session.id]);
    await world.database.query(due, [session.id]);
    const ended = await world.until(`/chat-sessions/${session.id}`, (body) => body.structuredOutputs !== null);
    expect(ended).toMatchObject({ status: "EXPIRED", endReason: "LIMIT_IDLE" });
  });

  test("is listed newest first, by status, channel and contactPhone, in pages", async () => {
    const contactPhone = "+442079460155";
    const made: string[] = [];
    for (const channel of ["SMS", "WHATSAPP", "CHAT"]) {
      made.unshift((await harness.started({ channel, contactPhone, initialMessage: "Hi" })).session.id);
    }
    const list = async (query: string) => {
      const { body } = await world.request(
        "GET",
        `/chat-sessions?contactPhone=${encodeURIComponent(contactPhone)}&${query}`,
      );
      return {
        ids: (body.content as { id: string }[]).map(({ id }) => id),
        next: body.nextCursor,
        total: body.totalElements,
      };
    };
    expect((await list("")).ids).toEqual(made);
    expect((await list("channel=SMS,CHAT")).ids).toEqual([made[0], made[2]]);
    expect((await list("status=CLOSED")).ids).toEqual([]);
    const first = await list("size=2");
    expect(first).toMatchObject({ ids: made.slice(0, 2), total: 3 });
    expect((await list(`size=2&cursor=${String(first.next)}`)).ids).toEqual(made.slice(2));
    expect((await list("size=2&page=1")).ids).toEqual(made.slice(2));
    const messages = await world.request("GET", `/chat-sessions/${made[0]}/messages?size=1&cursor=${randomUUID()}`);
    expect([messages.status, messages.body.content]).toEqual([200, []]);
    expect((await world.request("GET", "/chat-sessions?contactPhone=%00")).status).toBe(400);
  });
});

describe("a person who wants no more messages", () => {
  test("is on the do-not-call list at once when the agent understands so, and the chat is over", async () => {
    const contactPhone = "+12025550161";
    const { session } = await harness.started({ channel: "SMS", contactPhone });
    await harness.delivered(session.id, "DELIVERED");
    const { messages, session: after } = await harness.write(session.id, "Take me off your list");
    expect(after).toMatchObject({ status: "CLOSED", endReason: "CUSTOMER_OPTED_OUT", error: null });
    expect(textsOf(messages).at(-1)).toContain("do-not-call list");
    await allDelivered(session.id);
    expect((await harness.start({ channel: "SMS", contactPhone })).body.details).toMatchObject([
      { code: "DO_NOT_CALL" },
    ]);
    const call = await world.call(contactPhone);
    expect(call).toMatchObject({ status: "SKIPPED", error: { code: "DO_NOT_CALL" } });
  });

  test.each([
    ["STOP", "+12025550162"],
    ["Unsubscribe!", "+12025550163"],
  ])("may write %s alone: no model is asked", async (word, contactPhone) => {
    const { session } = await harness.started({ channel: "WHATSAPP", contactPhone });
    await harness.delivered(session.id, "READ");
    const { messages, session: after } = await harness.write(session.id, word);
    expect(after).toMatchObject({ status: "CLOSED", endReason: "CUSTOMER_OPTED_OUT" });
    expect(messages.map(({ role }) => role)).toEqual(["USER", "ASSISTANT"]);
    await allDelivered(session.id);
    expect((await harness.start({ channel: "SMS", contactPhone })).body.details).toMatchObject([
      { code: "DO_NOT_CALL" },
    ]);
  });

  async function allDelivered(id: string): Promise<void> {
    await world.until(`/chat-sessions/${id}/messages`, (page) =>
      (page.content as Json[]).every(({ role, deliveryStatus }) =>
        role === "ASSISTANT" ? deliveryStatus === "DELIVERED" || deliveryStatus === "READ" : deliveryStatus === null,
      ),
    );
  }
});

test("nothing is sent from a number that was suspended meanwhile", async () => {
  const assistantPhoneNumber = "+12025550191";
  const { session } = await harness.started({ channel: "SMS", contactPhone: "+12025550100", assistantPhoneNumber });
  await harness.delivered(session.id, "DELIVERED");
  const numbers = (await world.request("GET", "/phone-numbers")).body as unknown as Json[];
  const { id } = numbers.find(({ phoneNumber }) => phoneNumber === assistantPhoneNumber) as { id: string };
  await world.request("PUT", `/phone-numbers/${id}`, { body: { status: "SUSPENDED" } });
  const refused = await harness.post(session.id, "Are you there?", { role: "AGENT" });
  expect([refused.status, (refused.body.details as Json[])[0]?.code]).toEqual([422, "SENDER_NOT_ACTIVE"]);
  const { messages } = await harness.write(session.id, "Hello");
  await world.until(`/chat-sessions/${session.id}/messages`, (page) =>
    (page.content as Json[]).some((one) => one.id === messages[1]?.id && one.errorCode === "SENDER_NOT_ACTIVE"),
  );
});

test("a chat that a template opens says what it reads: the flow's first message, or initialMessage", async () => {
  const template = { name: "follow_up", language: "en_US" };
  const body = { channel: "WHATSAPP", contactPhone: "+12025550104", template };
  const mute = { name: "Mute", masterPrompt: "Ask how it went." };
  const refused = await harness.start({ ...body, flow: mute });
  expect([refused.status, refused.body.details]).toMatchObject([422, [{ path: "initialMessage", code: "REQUIRED" }]]);
  expect((await harness.start({ ...body, flow: { ...mute, firstMessage: "How did it go?" } })).status).toBe(200);
  expect((await harness.start({ ...body, flow: mute, initialMessage: "How did it go?" })).status).toBe(200);
});

test("WhatsApp takes a template only, once the person has not written for 24 hours", async () => {
  const { session } = await harness.started({
    channel: "WHATSAPP",
    contactPhone: "+12025550100",
    initialMessage: "Hi",
  });
  await harness.delivered(session.id, "READ");
  const shut = "update chat_sessions set window_expires_at = now() - interval '1 second' where id = $1";
  await world.database.query(shut, [session.id]);
  const refused = await harness.post(session.id, "Are you there?", { role: "AGENT" });
  expect([refused.status, (refused.body.details as Json[])[0]?.code]).toEqual([422, "TEMPLATE_REQUIRED"]);
  const template = { name: "follow_up", language: "en_US", variables: { 1: "Anna" } };
  expect((await harness.post(session.id, "Are you there?", { role: "AGENT", template })).status).toBe(200);
  const { session: reopened } = await harness.write(session.id, "Yes");
  expect(Date.parse(String(reopened.windowExpiresAt))).toBeGreaterThan(Date.now());
  expect((await harness.start({ channel: "SMS", contactPhone: "+12025550100", template })).status).toBe(422);
});

describe("what a crash leaves behind", () => {
  const DEAD_NODE = "00000000-0000-7000-8000-000000000001";

  test("a task that runs a second time does not answer twice", async () => {
    const { session } = await harness.started({ channel: "CHAT" });
    await harness.write(session.id, "Hello");
    const before = await harness.messages(session.id);
    await world.database.query(
      "update tasks set status = 'RUNNING', lease_owner = $2 where subject_id = $1 and kind = 'chat.turn'",
      [session.id, DEAD_NODE],
    );
    await untilDone(session.id, "chat.turn");
    expect(await harness.messages(session.id)).toEqual(before);
  });

  test("a message whose answer died with its node is answered, once", async () => {
    const { session } = await harness.started({ channel: "CHAT" });
    const { messages } = await harness.write(session.id, "Hello");
    await world.database.query(
      "delete from chat_messages where session_id = $1 and role = 'ASSISTANT' and position = 3",
      [session.id],
    );
    await world.database.query("update chat_messages set needs_answer = true where id = $1", [messages[0]?.id]);
    await world.database.query(
      `with t as (update tasks set status = 'RUNNING', lease_owner = $2 where subject_id = $1 and kind = 'chat.turn' returning id)
       update chat_sessions set message_count = 2, turn_task_id = t.id from t where chat_sessions.id = $1`,
      [session.id, DEAD_NODE],
    );
    await untilDone(session.id, "chat.turn");
    expect(textsOf(await harness.messages(session.id)).slice(1)).toEqual([
      "USER: Hello",
      "ASSISTANT: Will you be able to come to your appointment?",
    ]);
  });

  test.each([
    ["had left", 1],
    ["had not left", 0],
  ])("a message that %s when its node died is with the messenger once", async (_case, kept) => {
    const { session, messages } = await harness.started({
      channel: "SMS",
      contactPhone: "+12025550100",
      initialMessage: "Hi",
    });
    await harness.delivered(session.id, "DELIVERED");
    await untilDone(String(messages[0]?.id), "chat.deliver");
    const id = messages[0]?.id;
    const taken = "select taken_at from sandbox_messages where message_id = $1";
    const [before] = await world.database.query(taken, [id]);
    if (kept === 0) await world.database.query("delete from sandbox_messages where message_id = $1", [id]);
    await world.database.query("update chat_messages set delivery_status = 'SENDING' where id = $1", [id]);
    await world.database.query("update tasks set status = 'RUNNING', lease_owner = $2 where subject_id = $1", [
      id,
      DEAD_NODE,
    ]);
    await harness.delivered(session.id, "DELIVERED");
    const after = await world.database.query(taken, [id]);
    expect(after).toHaveLength(1);
    expect(String(after[0]?.taken_at) === String(before?.taken_at) || kept === 0).toBe(true);
  });

  async function untilDone(subjectId: string, kind: string): Promise<void> {
    const open = "select 1 from tasks where subject_id = $1 and kind = $2 and status in ('PENDING', 'RUNNING')";
    while ((await world.database.query(open, [subjectId, kind])).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
});

test("another workspace's chat reads exactly as one that never existed", async () => {
  const { session } = await harness.started({ channel: "CHAT" });
  const requests: [string, string, unknown?][] = [
    ["GET", ""],
    ["GET", "/messages"],
    ["POST", "/messages", { content: "Hi" }],
    ["POST", "/close"],
    ["POST", "/take-over"],
    ["POST", "/hand-back"],
  ];
  for (const [method, tail, body] of requests) {
    const ask = (id: string) =>
      world.request(method, `/chat-sessions/${id}${tail}`, { key: stranger.apiKey, ...(body ? { body } : {}) });
    const [foreign, never] = [await ask(session.id), await ask(randomUUID())];
    expect([method, tail, foreign.status, foreign.text]).toEqual([method, tail, 404, never.text]);
  }
  const list = await world.request("GET", "/chat-sessions", { key: stranger.apiKey });
  expect(list.text).not.toContain(session.id);
  expect((await harness.read(session.id)).status).toBe("ACTIVE");
});

test("403 without OUTBOUND_CHATS_TRIGGER", async () => {
  const made = await world.operator("client.create", {
    workspaceId: world.sample.workspaceId,
    permissions: ["OUTBOUND_CALLS_TRIGGER"],
  });
  const headers = { authorization: `Bearer ${await world.getToken(made)}`, "content-type": "application/json" };
  const reply = await fetch(`${world.url}/api/external/v1/outbound/chats`, {
    method: "POST",
    headers,
    body: JSON.stringify({ channel: "CHAT" }),
  });
  expect(reply.status).toBe(403);
});
