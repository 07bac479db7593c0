import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Chat, ChatHarness, type Json } from "../kit/chat-harness.ts";
import { type Sample, type TestReply, World } from "../kit/world.ts";

let world: World;
let harness: ChatHarness;
let stranger: Sample;
beforeAll(async () => {
  world = await World.start();
  stranger = await world.createWorkspace();
  harness = new ChatHarness(world);
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

/** Fictional numbers of people who agree to everything and take every message. */
const STEMS = ["+120255501", "+4420794601", "+612555001"];
const FREE = STEMS.flatMap((stem) => Array.from({ length: 14 }, (_, i) => `${stem}${56 + i}`));
const nextNumber = () => FREE.pop() as string;

async function timelineOf(id: string): Promise<Json[]> {
  return (await world.request("GET", `/contacts/${id}/timeline`)).body.content as Json[];
}

const isDelivered = (timeline: Json) => JSON.stringify(timeline).includes('"delivered":2');

const close = (id: string) => world.request("POST", `/chat-sessions/${id}/close`);

describe("a contact", () => {
  test("is one for a number, whatever the channel, and its timeline has everything, the newest first", async () => {
    const phone = nextNumber();
    const call = await world.call(phone, { contactName: "Ada Lovelace", contactEmail: "ada@example.com" });
    await harness.receive("SMS", phone, "Hello");
    const whatsapp = await harness.started({ channel: "WHATSAPP", contactPhone: phone, initialMessage: "Hi" });
    await harness.delivered(whatsapp.session.id, "READ");
    await harness.started({ channel: "CHAT", contactPhone: phone, contactIdentifier: "ada", contactName: "Ada L." });
    await harness.receive("SMS", phone, "STOP");
    const [contact, ...others] = await harness.contacts({ phone });
    expect(others).toEqual([]);
    expect(contact).toMatchObject({
      phone,
      identifier: "ada",
      email: "ada@example.com",
      name: "Ada L.",
      optedOut: true,
      optOutSource: "STOP_KEYWORD",
      callCount: 1,
      chatCount: 3,
    });
    const id = String(contact?.id);
    expect((await world.request("GET", `/contacts/${id}`)).body).toEqual(contact);
    // The last of both messages is reported as delivered a moment after it was sent.
    const timeline = (await world.until(`/contacts/${id}/timeline`, isDelivered)).content as Json[];
    expect(timeline.map(({ type, channel }) => [type, channel])).toEqual([
      ["OPT_OUT", null],
      ["CHAT", "CHAT"],
      ["CHAT", "WHATSAPP"],
      ["CHAT", "SMS"],
      ["CALL", "VOICE"],
    ]);
    expect(timeline[4]).toMatchObject({
      callRowId: call.id,
      sessionId: call.sessionId,
      status: "COMPLETED",
      outcome: "ANSWERED",
      durationSeconds: call.durationSeconds,
      messages: null,
    });
    expect(timeline[3]).toMatchObject({ status: "CLOSED", endReason: "CUSTOMER_OPTED_OUT" });
    expect(timeline[3]?.messages).toMatchObject({ fromContact: 2 });
    expect(timeline[2]?.messages).toMatchObject({ total: 1, fromContact: 0, delivered: 1, failed: 0 });
    const pages: Json[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const query: string = cursor === "" ? "size=2" : `size=2&cursor=${cursor}`;
      const { body }: TestReply = await world.request("GET", `/contacts/${id}/timeline?${query}`);
      expect(body.totalElements).toBe(5);
      pages.push(...(body.content as Json[]));
      cursor = body.nextCursor as string | null;
    }
    expect(pages).toEqual(timeline);
  });

  test("is found by number, address, identifier and the beginning of a name, and by nobody else", async () => {
    const phone = nextNumber();
    await world.call(phone, { contactName: "Grace Hopper", contactEmail: "Grace@Example.com" });
    for (const query of [{ phone }, { email: "grace@example.COM" }, { name: "grace h" }, { name: "Grace", phone }]) {
      expect((await harness.contacts(query)).map((contact) => contact.phone)).toEqual([phone]);
    }
    expect(await harness.contacts({ name: "G%" })).toEqual([]);
    expect(await harness.contacts({ name: "Hopper" })).toEqual([]);
    expect(await harness.contacts({ phone }, stranger.apiKey)).toEqual([]);
    const [contact] = await harness.contacts({ phone });
    for (const path of [`/contacts/${String(contact?.id)}`, `/contacts/${randomUUID()}`]) {
      for (const [method, end] of [
        ["GET", ""],
        ["GET", "/timeline"],
        ["DELETE", ""],
      ] as const) {
        expect((await world.request(method, path + end, { key: stranger.apiKey })).status).toBe(404);
      }
    }
    for (const bad of ["phone=020", "name=%00", "email=", "cursor=1"]) {
      expect([400, 422], bad).toContain((await world.request("GET", `/contacts?${bad}`)).status);
    }
  });

  test("of a chat without a number goes by its identifier, and becomes one with a number that comes later", async () => {
    const identifier = `user-${randomUUID()}`;
    await harness.started({ channel: "CHAT", contactIdentifier: identifier, initialMessage: "Hi" });
    await harness.started({ channel: "CHAT", contactIdentifier: identifier, initialMessage: "Hi again" });
    expect(await harness.contacts({ identifier })).toMatchObject([{ phone: null, chatCount: 2 }]);
    const phone = nextNumber();
    await world.call(phone);
    await harness.started({
      channel: "CHAT",
      contactPhone: phone,
      contactIdentifier: identifier,
      contactName: "Known",
      initialMessage: "Hi",
    });
    const [joined, ...others] = await harness.contacts({ identifier });
    expect(others).toEqual([]);
    expect(joined).toMatchObject({ phone, identifier, callCount: 1, chatCount: 3 });
    // An identifier that names somebody with another number does not make two people one.
    const second = nextNumber();
    await harness.started({
      channel: "CHAT",
      contactPhone: second,
      contactIdentifier: identifier,
      initialMessage: "Hi",
    });
    expect(await harness.contacts({ phone: second })).toMatchObject([{ identifier: null, chatCount: 1 }]);
    expect(await harness.contacts({ phone })).toMatchObject([{ identifier, chatCount: 3 }]);
  });

  test("is one, also when many chats with a number begin at once", async () => {
    const phone = nextNumber();
    const identifier = `race-${randomUUID()}`;
    const bodies = Array.from({ length: 8 }, (_, i) => ({
      channel: "CHAT",
      contactIdentifier: identifier,
      ...(i % 2 === 0 ? { contactPhone: phone } : {}),
      initialMessage: "Hi",
    }));
    const replies = await Promise.all(bodies.map((body) => harness.start(body)));
    expect(replies.map((reply) => reply.status)).toEqual(bodies.map(() => 200));
    expect(await harness.contacts({ phone })).toHaveLength(1);
    expect(await harness.contacts({ identifier })).toHaveLength(1);
  });

  test("of rows that were imported is made when they are dialled", async () => {
    const phone = nextNumber();
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const body = { rows: [{ customerNumber: phone }], startAt };
    const { id } = (await world.request("POST", "/call-jobs", { body })).body;
    expect(await harness.contacts({ phone })).toEqual([]);
    await world.request("POST", `/call-jobs/${String(id)}/cancel`);
    // Nobody dialled them, and still they can be found and erased.
    expect(await harness.contacts({ phone })).toMatchObject([{ phone, callCount: 1 }]);
  });
});

describe("permissions", () => {
  test("either of two reads, and only DATA_STORES_WRITE erases", async () => {
    const phone = nextNumber();
    await world.call(phone);
    const [contact] = await harness.contacts({ phone });
    const path = `/contacts/${String(contact?.id)}`;
    const { workspaceId } = world.sample;
    const statusesOf = async (permission: string) => {
      const { apiKey } = await world.operator("key.create", { workspaceId, permissions: [permission] });
      const key = String(apiKey);
      const read = [path, `${path}/timeline`, "/contacts"].map((one) => world.request("GET", one, { key }));
      const erased = await world.request("DELETE", path, { key });
      return [...(await Promise.all(read)).map((reply) => reply.status), erased.status];
    };
    expect(await statusesOf("CALL_HISTORY_READ")).toEqual([200, 200, 200, 403]);
    expect(await statusesOf("OUTBOUND_CHATS_TRIGGER")).toEqual([200, 200, 200, 403]);
    expect(await statusesOf("FLOWS_READ")).toEqual([403, 403, 403, 403]);
  });
});

describe("memory", () => {
  const flow = {
    name: "Remembers",
    memory: { earlierSessions: 2 },
    firstMessage:
      "{% for talk in memory.earlierSessions %}[{{ talk.channel }} {{ talk.outcome }}: {{ talk.summary }}]{% endfor %}Hi.",
  };

  test("tells a call and a chat what was said before by any channel, as many as the flow asks for", async () => {
    const phone = nextNumber();
    const first = await world.call(phone, { flow });
    const openingOf = (row: Json) => (row.transcript as { content: string }[])[0]?.content ?? "";
    expect(openingOf(first)).toBe("Hi.");
    const sms = await harness.started({ channel: "SMS", contactPhone: phone, flow });
    expect(sms.messages[0]?.content).toMatch(/^\[CALL ANSWERED: .*Agent: Hi\..*Person: .*\]Hi\.$/);
    await harness.receive("SMS", phone, "The colour is ochre");
    await close(sms.session.id);
    const second = await world.call(phone, { flow });
    expect(openingOf(second)).toMatch(/^\[SMS CLOSED_BY_REQUEST: .*The colour is ochre.*\]\[CALL ANSWERED: .*\]Hi\.$/);
    const counts = "{{ memory.earlierSessions.size }} talks, the last of {{ memory.earlierSessions[0].summary.size }}.";
    const third = openingOf(await world.call(phone, { flow: { ...flow, firstMessage: counts } }));
    const [, dialogues, characters] = /^(\d+) talks, the last of (\d+)\.$/.exec(third) ?? [];
    expect(dialogues).toBe("2");
    expect(Number(characters)).toBeLessThanOrEqual(600);
    const silent = await world.call(phone, { flow: { ...flow, memory: { earlierSessions: 0 } } });
    expect(openingOf(silent)).toBe("Hi.");
  });

  test("is nobody else's: not of another number, another workspace, or an identifier that was made up", async () => {
    const phone = nextNumber();
    await world.call(phone, { flow, contactEmail: "memory@example.com" });
    const foreign = await world.request("POST", "/outbound/chats", {
      key: stranger.apiKey,
      body: { channel: "SMS", contactPhone: phone, flow },
    });
    expect((foreign.body as unknown as Chat).messages[0]?.content).toBe("Hi.");
    const other = await harness.started({ channel: "SMS", contactPhone: nextNumber(), flow });
    expect(other.messages[0]?.content).toBe("Hi.");
    const typed = await harness.started({ channel: "CHAT", contactEmail: "memory@example.com", flow });
    expect(typed.messages[0]?.content).toBe("Hi.");
  });
});

describe("an opt-out", () => {
  const REFUSAL = "Please never contact me again, take me off your list";
  const CHANNELS = ["CALL", "SMS", "WHATSAPP", "CHAT"] as const;
  type Channel = (typeof CHANNELS)[number];
  const stops: Record<Channel, (phone: string) => Promise<unknown>> = {
    async CALL(phone) {
      const firstMessage = "Please choose: unsubscribe or stop calling?";
      const row = await world.call(phone, { flow: { name: "Choice", firstMessage } });
      expect(row, String(row.transcriptText)).toMatchObject({ endReason: "CUSTOMER_OPTED_OUT" });
    },
    SMS: (phone) => harness.receive("SMS", phone, "STOP"),
    WHATSAPP: (phone) => harness.receive("WHATSAPP", phone, "stop"),
    async CHAT(phone) {
      const { session } = await harness.started({ channel: "CHAT", contactPhone: phone, initialMessage: "Hi" });
      expect((await harness.write(session.id, REFUSAL)).session).toMatchObject({ endReason: "CUSTOMER_OPTED_OUT" });
    },
  };
  const contactBy: Record<Channel, (phone: string) => Promise<unknown>> = {
    CALL: async (phone) => (await world.call(phone)).error,
    SMS: (phone) => faultOf({ channel: "SMS", contactPhone: phone, initialMessage: "Hi" }),
    WHATSAPP: (phone) => faultOf({ channel: "WHATSAPP", contactPhone: phone, initialMessage: "Hi" }),
    CHAT: (phone) => faultOf({ channel: "CHAT", contactPhone: phone, initialMessage: "Hi" }),
  };

  async function faultOf(body: Json): Promise<unknown> {
    const reply = await harness.start(body);
    expect(reply.status, reply.text).toBe(422);
    return (reply.body.details as Json[])[0];
  }

  for (const reported of CHANNELS) {
    for (const tried of CHANNELS) {
      test(`by ${reported} stops ${tried}`, async () => {
        const phone = nextNumber();
        await stops[reported](phone);
        expect(await contactBy[tried](phone)).toMatchObject({ code: "DO_NOT_CALL" });
        expect(await harness.contacts({ phone })).toMatchObject([{ optedOut: true }]);
      });
    }
  }

  test("by an operator can be taken back, and what the person said cannot", async () => {
    const phone = nextNumber();
    await world.call(phone);
    const [contact] = await harness.contacts({ phone });
    const path = `/contacts/${contact?.id}/opt-out`;
    const out = await world.request("POST", path);
    expect(out.body).toMatchObject({ optedOut: true, optOutSource: "OPERATOR" });
    expect((await world.call(phone)).endReason).toBe("GATE_DO_NOT_CALL");
    expect((await world.request("DELETE", path)).body).toMatchObject({ optedOut: false, optOutSource: null });
    await world.request("POST", path);
    await harness.receive("SMS", phone, "STOP");
    expect((await world.request("POST", path)).body).toMatchObject({ optedOut: true, optOutSource: "SPOKEN_REFUSAL" });
    expect((await world.request("DELETE", path)).status).toBe(409);
  });

  test("in a chat without a number stops chats with that identifier, and the number that comes later", async () => {
    const identifier = `quiet-${randomUUID()}`;
    const { session } = await harness.started({ channel: "CHAT", contactIdentifier: identifier, initialMessage: "Hi" });
    expect((await harness.write(session.id, REFUSAL)).session).toMatchObject({ endReason: "CUSTOMER_OPTED_OUT" });
    const again = { channel: "CHAT", contactIdentifier: identifier, initialMessage: "Hi" };
    expect(await faultOf(again)).toMatchObject({ path: "contactIdentifier", code: "DO_NOT_CALL" });
    const [contact] = await harness.contacts({ identifier });
    expect(contact).toMatchObject({ optedOut: true, optOutSource: "SPOKEN_REFUSAL" });
    expect((await timelineOf(String(contact?.id))).map(({ type }) => type)).toEqual(["OPT_OUT", "CHAT"]);
  });
});
