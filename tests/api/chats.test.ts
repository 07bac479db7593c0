import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Chat, ChatHarness, INLINE, type Json, textsOf } from "../kit/chat-harness.ts";
import { Receiver } from "../kit/receiver.ts";
import { type Sample, World } from "../kit/world.ts";

let world: World;
let stranger: Sample;
let harness: ChatHarness;
beforeAll(async () => {
  world = await World.start({ env: { ALLOW_PRIVATE_NETWORK: "1" } });
  stranger = await world.createWorkspace();
  harness = new ChatHarness(world);
});
afterAll(() => world[Symbol.asyncDispose]());

describe("Outbound chats: request fields", () => {
  test("rule 5: channel is required, and contactPhone where a channel delivers to it", async () => {
    expect((await harness.start({})).body).toMatchObject({ details: [{ path: "channel", code: "REQUIRED" }] });
    for (const channel of ["SMS", "WHATSAPP"]) {
      const reply = await harness.start({ channel });
      expect(reply.status).toBe(422);
      expect(reply.body.details).toMatchObject([{ path: "contactPhone", code: "REQUIRED" }]);
    }
    expect((await harness.start({ channel: "FAX" })).status).toBe(422);
    expect((await harness.start({ channel: 7 })).status).toBe(400);
    expect((await harness.start({ channel: "CHAT", contactPhone: "0202 555 0100" })).status).toBe(422);
    expect((await harness.start({ channel: "CHAT", initialMessage: "  " })).status).toBe(422);
    expect((await harness.start({ channel: "CHAT" })).status).toBe(200);
  });

  test("contactIdentifier is kept, or made up for a CHAT", async () => {
    const given = await harness.started({ channel: "CHAT", contactIdentifier: "visitor 7" });
    expect(given.session.contactIdentifier).toBe("visitor 7");
    const [one, two] = [await harness.started({ channel: "CHAT" }), await harness.started({ channel: "CHAT" })];
    expect(one.session.contactIdentifier).toEqual(expect.any(String));
    expect(one.session.contactIdentifier).not.toBe(two.session.contactIdentifier);
  });

  test("assistantPhoneNumber is one of the workspace's numbers; SMS and WHATSAPP fall back to its default", async () => {
    const { number } = world.sample.phoneNumber;
    expect((await harness.started({ channel: "CHAT" })).session.assistantPhoneNumber).toBeNull();
    const sms = { channel: "SMS", contactPhone: "+12025550100" };
    expect((await harness.started(sms)).session.assistantPhoneNumber).toBe(number);
    const other = await harness.started({ ...sms, assistantPhoneNumber: "+12025550191" });
    expect(other.session.assistantPhoneNumber).toBe("+12025550191");
    for (const channel of ["CHAT", "SMS"]) {
      const reply = await harness.start({
        channel,
        contactPhone: "+12025550100",
        assistantPhoneNumber: "+12025550177",
      });
      expect([reply.status, reply.body.error]).toEqual([404, "Not found"]);
    }
  });

  test("initialMessage is the explicit opening, before the flow's firstMessage", async () => {
    const plain = await harness.started({ channel: "CHAT", flow: INLINE, contactName: "Anna" });
    expect(textsOf(plain.messages)).toEqual(["ASSISTANT: Hello Anna."]);
    const firstMessage = 'Until {{ "2026-01-26T14:30:00Z" | date: "%A %H:%M" }}.';
    const dated = {
      channel: "CHAT",
      flow: { ...INLINE, firstMessage, language: "de-DE" },
      contactPhone: "+4930901820",
    };
    expect(textsOf((await harness.started(dated)).messages)).toEqual(["ASSISTANT: Until Montag 15:30."]);
    const explicit = await harness.started({
      channel: "CHAT",
      flow: INLINE,
      initialMessage: "Good day {{ contactName }}",
    });
    expect(textsOf(explicit.messages)).toEqual(["ASSISTANT: Good day {{ contactName }}"]);
  });

  test("without either the model opens, and the reply waits for it", async () => {
    const { session, messages } = await harness.started({
      channel: "CHAT",
      flow: { name: "Survey", channelMode: "CHAT" },
    });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ role: "ASSISTANT", content: expect.stringContaining("Survey") });
    expect(await harness.messages(session.id)).toEqual(messages);
  });
});

describe("Outbound chats: rule 1", () => {
  test("CHAT creates an API-managed chat session fetchable via chat-session endpoints", async () => {
    const { session, messages } = await harness.started({ channel: "CHAT", contactName: "Anna" });
    const found = await world.request("GET", `/chat-sessions/${session.id}`);
    expect(found.status).toBe(200);
    expect(found.body).toMatchObject({ id: session.id, provider: "API", providerCallId: null, contactName: "Anna" });
    expect(await harness.messages(session.id)).toEqual(messages);
    expect(messages[0]?.deliveryStatus).toBeNull();
  });

  test.each([
    ["SMS", "DELIVERED"],
    ["WHATSAPP", "READ"],
  ])("%s sends the opening assistant message over the delivery channel, once", async (channel, status) => {
    const body = { channel, contactPhone: "+12025550100", initialMessage: "Your table is ready." };
    const { session, messages } = await harness.started(body);
    expect(messages).toMatchObject([{ role: "ASSISTANT", content: "Your table is ready.", deliveryStatus: "QUEUED" }]);
    expect(await harness.delivered(session.id, status)).toMatchObject({ id: messages[0]?.id, errorCode: null });
    const after = await harness.read(session.id);
    expect(after).toMatchObject({ provider: "SANDBOX", providerCallId: expect.any(String), status: "ACTIVE" });
    expect(after.windowExpiresAt === null).toBe(channel === "SMS");
    const taken = "select * from sandbox_messages where message_id = $1";
    expect(await world.database.query(taken, [messages[0]?.id])).toHaveLength(1);
    expect(after.cost).toMatchObject({
      simulated: true,
      breakdown: { messaging: expect.not.stringMatching(/^0\.0+$/) },
    });
  });

  test.each([
    ["+12025550130", "INVALID_NUMBER"],
    ["+12025550131", "UNREACHABLE"],
    ["+12025550142", "CREDENTIALS"],
  ])("a message to %s fails with %s, and its chat goes on", async (contactPhone, errorCode) => {
    const { session } = await harness.started({ channel: "SMS", contactPhone, initialMessage: "Hi" });
    expect(await harness.delivered(session.id, "FAILED")).toMatchObject({ errorCode });
    expect((await harness.read(session.id)).status).toBe("ACTIVE");
  });

  test.each(["+12025550141", "+12025550145", "+12025550146"])(
    "a message whose send to %s is refused for a moment, or gets no answer, arrives once",
    async (contactPhone) => {
      const { session, messages } = await harness.started({ channel: "SMS", contactPhone, initialMessage: "Hi" });
      await harness.delivered(session.id, "DELIVERED");
      const taken = "select * from sandbox_messages where message_id = $1";
      expect(await world.database.query(taken, [messages[0]?.id])).toHaveLength(1);
      const usage = "select * from usage_entries where subject_id = $1 and kind = 'SMS_SEGMENT'";
      expect(await world.database.query(usage, [session.id])).toHaveLength(1);
    },
  );

  test("the do-not-call list, numbers that are never dialled and countries that are not enabled get no message", async () => {
    const reasons = {
      "+12025550132": "DO_NOT_CALL",
      "+12025550133": "COUNTRY_NOT_ENABLED",
      "+19005551234": "PREMIUM_NUMBER",
      "+19116666666": "EMERGENCY_NUMBER",
      "+881612345678": "SATELLITE_NUMBER",
    };
    for (const [contactPhone, code] of Object.entries(reasons)) {
      for (const channel of ["SMS", "WHATSAPP"]) {
        const reply = await harness.start({ channel, contactPhone, initialMessage: "Hi" });
        expect(reply.status).toBe(422);
        expect(reply.body.details).toMatchObject([{ path: "contactPhone", code }]);
      }
    }
    const { body } = await world.request("GET", "/chat-sessions?contactPhone=%2B12025550132");
    expect(body.totalElements).toBe(0);
  });

  test("a number that refuses between writing and sending gets nothing", async () => {
    const contactPhone = "+12025550160";
    const { session } = await harness.started({ channel: "SMS", contactPhone, initialMessage: "Hi" });
    await harness.delivered(session.id, "DELIVERED");
    await world.database.query("insert into do_not_call (workspace_id, number, source) values ($1, $2, 'OPERATOR')", [
      world.sample.workspaceId,
      contactPhone,
    ]);
    const { messages } = await harness.write(session.id, "Hello?");
    const [answer] = messages.filter(({ role }) => role === "ASSISTANT");
    await world.until(`/chat-sessions/${session.id}/messages`, (page) =>
      (page.content as Json[]).some((message) => message.id === answer?.id && message.errorCode === "DO_NOT_CALL"),
    );
    const taken = "select * from sandbox_messages where message_id = $1";
    expect(await world.database.query(taken, [answer?.id])).toHaveLength(0);
  });

  test("a LIVE workspace needs a messenger, except for fictional numbers and CHAT", async () => {
    const live = (await world.operator("workspace.create", {
      name: "Live",
      mode: "LIVE",
      sample: true,
    })) as unknown as Sample;
    await world.operator("workspace.update", { id: live.workspaceId, countries: ["US"] });
    const key = live.apiKey;
    const reply = await harness.start({ channel: "SMS", contactPhone: "+14155552671", initialMessage: "Hi" }, { key });
    expect(reply.status).toBe(422);
    expect(reply.body.details).toMatchObject([{ path: "channel", code: "MESSENGER_NOT_CONFIGURED" }]);
    const fictional = await harness.start(
      { channel: "WHATSAPP", contactPhone: "+12025550100", initialMessage: "Hi" },
      { key },
    );
    expect(fictional.status, fictional.text).toBe(200);
    expect((await harness.start({ channel: "CHAT" }, { key })).status).toBe(200);
  });
});

test("rule 2: contextData is session memory before the chat starts, and comes back byte for byte", async () => {
  const contextData = '{"z":1.0, "a":12345678901234567890,"z":{"é":"\\u00e9"},  "order":"A-7"}';
  const flow = JSON.stringify({ name: "Order", firstMessage: "About order {{ memory.order }}:" });
  const raw = `{"channel":"CHAT","flow":${flow},"contextData": ${contextData} }`;
  const reply = await world.request("POST", "/outbound/chats", { raw });
  expect(reply.status, reply.text).toBe(200);
  expect(reply.text).toContain(`"contextData":${contextData},`);
  const { session, messages } = reply.body as unknown as Chat;
  expect(textsOf(messages)).toEqual(["ASSISTANT: About order A-7:"]);
  expect((await world.request("GET", `/chat-sessions/${session.id}`)).text).toContain(`"contextData":${contextData},`);
  expect((await world.request("GET", "/chat-sessions")).text).toContain(`"contextData":${contextData},`);
  const large = await harness.start({ channel: "CHAT", contextData: { text: "x".repeat(65_536) } });
  expect([large.status, (large.body.details as Json[])[0]?.code]).toEqual([422, "TOO_LARGE"]);
  expect((await harness.start({ channel: "CHAT", contextData: [] })).status).toBe(400);
});

describe("Outbound chats: rule 3", () => {
  test("the same three flow-selection shapes as calls: saved flow, workspace default, inline flow", async () => {
    const { id, apiId } = world.sample.flow;
    for (const body of [
      { flowId: id },
      { flowId: apiId },
      { flowApiId: apiId },
      { flowId: id, flowApiId: apiId },
      {},
    ]) {
      const { session } = await harness.started({ channel: "CHAT", ...body });
      expect(session).toMatchObject({ flowId: id, flowApiId: apiId, inlineFlow: false });
    }
    const { session } = await harness.started({ channel: "CHAT", flow: INLINE });
    expect(session).toMatchObject({ flowId: null, flowApiId: null, inlineFlow: true });
    expect((await harness.start({ channel: "CHAT", flow: INLINE, flowId: id })).status).toBe(400);
    const [foreign, never] = [stranger.flow.id, randomUUID()];
    const [one, two] = [
      await harness.start({ channel: "CHAT", flowId: foreign }),
      await harness.start({ channel: "CHAT", flowId: never }),
    ];
    expect([one.status, two.status]).toEqual([404, 404]);
    expect(one.text.replace(foreign, never)).toBe(two.text);
  });

  test("flow-session webhooks run for saved flows, and do not for inline flows", async () => {
    await using receiver = await Receiver.start();
    const { apiKey: key } = stranger;
    const hook = await world.request("POST", "/session-webhooks", { key, body: { url: receiver.url } });
    expect(hook.status, hook.text).toBeLessThan(300);
    const run = async (body: Json): Promise<string> => {
      const { session } = (await harness.start({ channel: "CHAT", ...body }, { key })).body as unknown as Chat;
      await world.request("POST", `/chat-sessions/${session.id}/messages`, { key, body: { content: "Hi" } });
      await world.request("POST", `/chat-sessions/${session.id}/close`, { key });
      return session.id;
    };
    await run({ flow: INLINE });
    const id = await run({});
    const events = (await receiver.waitFor(5)).map(
      ({ body }) => JSON.parse(body) as { eventType: string; session: Json; message?: { role: string } },
    );
    expect(new Set(events.map(({ session }) => session.id))).toEqual(new Set([id]));
    expect(events.map(({ eventType, message }) => `${eventType} ${message?.role ?? ""}`.trim()).sort()).toEqual([
      "message.created ASSISTANT",
      "message.created ASSISTANT",
      "message.created USER",
      "session.ended",
      "session.started",
    ]);
    const ended = events.find(({ eventType }) => eventType === "session.ended");
    expect(ended?.session).toMatchObject({ channel: "CHAT", status: "CLOSED", endReason: "CLOSED_BY_REQUEST" });
  });
});

test("rule 4: response 200 holds the session's fields and the messages with role and content", async () => {
  const reply = await harness.start({
    channel: "SMS",
    contactPhone: "+12025550100",
    contactName: "Anna",
    initialMessage: "Hi",
  });
  expect(reply.status).toBe(200);
  expect(Object.keys(reply.body)).toEqual(["session", "messages"]);
  expect(reply.body.session).toMatchObject({
    id: expect.any(String),
    providerCallId: null,
    provider: "SANDBOX",
    status: "ACTIVE",
    mode: "FLOW",
    aiMode: "ACTIVE",
    flowId: world.sample.flow.id,
    contactName: "Anna",
    contactPhone: "+12025550100",
  });
  expect(reply.body.messages).toMatchObject([{ role: "ASSISTANT", content: "Hi" }]);
});

test("an Idempotency-Key starts one chat, and a repeat gets the first answer as it was", async () => {
  for (const body of [
    { channel: "SMS", contactPhone: "+12025550100" },
    { channel: "CHAT", flow: { name: "Survey" } },
  ]) {
    const headers = { "idempotency-key": randomUUID() };
    const first = await harness.start(body, { headers });
    const { session } = first.body as unknown as Chat;
    if (body.channel === "SMS") await harness.delivered(session.id, "DELIVERED");
    const repeat = await harness.start(body, { headers });
    expect(repeat.headers.get("idempotent-replayed")).toBe("true");
    expect([repeat.status, repeat.text]).toEqual([200, first.text]);
    expect((await harness.start({ ...body, contactName: "B" }, { headers })).status).toBe(422);
  }
});
