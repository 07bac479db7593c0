import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startChat } from "#src/interactions/chats/chats.ts";
import { noteDelivery } from "#src/interactions/chats/delivery-reports.ts";
import type { Executor } from "#src/platform/db/database.ts";
import type { OutgoingMessage, SendResult } from "#src/telephony/messaging/messenger.ts";
import { MailHarness } from "../kit/mail-harness.ts";
import { World } from "../kit/world.ts";

type Json = Record<string, unknown>;

let world: World;
let mail: MailHarness;
/** A person used by no other test. */
let from: string;
let counter = 0;
beforeAll(async () => {
  world = await World.start({ roles: ["api"] });
  mail = await MailHarness.open(world);
});
beforeEach(() => {
  from = `+1415555${String(3000 + ++counter)}`;
  mail.onSend = (message) => mail.take(message);
  mail.found = { kind: "ABSENT" };
});
afterAll(async () => {
  await mail.second[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

async function chatsOf(person = from): Promise<(Json & { id: string })[]> {
  const { body } = await world.request("GET", `/chat-sessions?contactPhone=${encodeURIComponent(person)}`);
  return body.content as (Json & { id: string })[];
}

async function chatOf(person = from): Promise<Json & { id: string }> {
  return (await chatsOf(person))[0] as Json & { id: string };
}

/** Returns the states of the messages sent to the person, once none of them waits any more. */
async function statesOf(person = from, count = 1): Promise<string[]> {
  const { id } = await chatOf(person);
  const { content } = await world.until(
    `/chat-sessions/${id}/messages?size=200`,
    (body) =>
      (body.content as Json[]).filter(({ deliveryStatus }) => deliveryStatus !== null).length >= count &&
      (body.content as Json[]).every(({ deliveryStatus }) => deliveryStatus !== "QUEUED"),
  );
  const sent = (content as Json[]).filter(({ deliveryStatus }) => deliveryStatus !== null);
  return sent.map(({ deliveryStatus, errorCode }) => [deliveryStatus, errorCode].filter(Boolean).join(" "));
}

async function sentOne(): Promise<OutgoingMessage> {
  return (await mail.sentTo(from, 1))[0] as OutgoingMessage;
}

async function billed(person = from): Promise<number> {
  const [row] = await world.database.query<{ n: number }>(
    "select count(*)::int as n from usage_entries where subject_id = $1 and kind in ('SMS_SEGMENT', 'WHATSAPP_MESSAGE')",
    [(await chatOf(person)).id],
  );
  return row?.n ?? 0;
}

async function taskOf(messageId: string): Promise<{ status: string; waits_s: number } | undefined> {
  const [row] = await world.database.query<{ status: string; waits_s: number }>(
    `select status, extract(epoch from due_at - now())::float8 as waits_s from tasks
      where kind = 'chat.deliver' and subject_id = $1`,
    [messageId],
  );
  return row;
}

/** Waits until the task that delivers a message reaches this state. */
async function untilTask(
  messageId: string,
  isSo: (task: { status: string; waits_s: number }) => boolean,
): Promise<void> {
  for (let round = 0; round < 500; round++) {
    const task = await taskOf(messageId);
    if (task && isSo(task)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The task did not get there: ${JSON.stringify(await taskOf(messageId))}`);
}

const ledger = (number = from) =>
  world.database.query<{ source: string }>("select source from do_not_call where number = $1", [number]);

describe("a message from a carrier", () => {
  test("is answered by the flow through the carrier, once however often it is brought", async () => {
    const repeat = { from, text: "Hello", providerMessageId: "MM-once" };
    const taken = await Promise.all(Array.from({ length: 5 }, () => mail.write(repeat)));
    expect(new Set(taken.map((message) => message?.id)).size).toBe(1);
    const [answer] = await mail.sentTo(from, 1);
    expect(answer).toMatchObject({ channel: "SMS", from: world.sample.phoneNumber.number, to: from, attempt: 1 });
    expect(await chatsOf()).toMatchObject([{ provider: "TWILIO", messageCount: 2, flowId: world.sample.flow.id }]);
    expect(mail.sent.filter(({ to }) => to === from)).toHaveLength(1);
  });

  test("STOP writes the ledger, is confirmed, and ends the chat; START takes it back", async () => {
    await mail.write({ from, text: "Hello" });
    await mail.sentTo(from, 1);
    await mail.write({ from, text: " Stop. " });
    const [, confirmation] = await mail.sentTo(from, 2);
    expect(confirmation?.text).toContain("unsubscribed");
    expect(await ledger()).toEqual([{ source: "STOP_KEYWORD" }]);
    expect(await chatOf()).toMatchObject({ status: "CLOSED", endReason: "CUSTOMER_OPTED_OUT" });
    await mail.write({ from, text: "START" });
    expect(await ledger()).toEqual([]);
    await mail.sentTo(from, 3);
  });

  test("of a WhatsApp account with an older number counts as of the number that is dialled today", async () => {
    // Numbering plans: Mexico dropped the 1 in 2019, Brazil added the 9 until 2016.
    for (const [account, number] of [
      ["+5215512345678", "+525512345678"],
      ["+553187654321", "+5531987654321"],
    ] as const) {
      await mail.write({ from: account, text: "Hello", channel: "WHATSAPP" });
      expect(await mail.sentTo(number, 1)).toMatchObject([{ channel: "WHATSAPP" }]);
      await mail.write({ from: account, text: "STOP", channel: "WHATSAPP" });
      await mail.sentTo(number, 2);
      expect(await ledger(number)).toEqual([{ source: "STOP_KEYWORD" }]);
    }
  });

  test("is left aside when nobody can be told of it: another's number, or a sender that is no number", async () => {
    expect(await mail.write({ from, text: "Hello", to: "+14155550001" })).toBeNull();
    for (const sender of ["72975", "PARCEL", ""]) expect(await mail.write({ from: sender, text: "Hello" })).toBeNull();
    const [row] = await world.database.query(
      "select count(*)::int as n from chat_messages where content = 'Hello' and session_id in (select id from chat_sessions where contact_phone = any($1))",
      [[from, "72975", "PARCEL", ""]],
    );
    expect(row).toEqual({ n: 0 });
  });

  test("without words is kept as one, and answered", async () => {
    expect((await mail.write({ from, text: " " }))?.content).toBe("[no text]");
    await mail.sentTo(from, 1);
  });
});

describe("a delivery report", () => {
  test("moves the message by the provider's id alone, and ends its task without a question to the provider", async () => {
    await mail.write({ from, text: "Hello" });
    const { messageId } = await sentOne();
    await untilTask(messageId, ({ status, waits_s }) => status === "PENDING" && waits_s > 60);
    expect(await statesOf()).toEqual(["SENT"]);
    await mail.report({ status: "DELIVERED", providerMessageId: mail.idOf(messageId) });
    expect(await statesOf()).toEqual(["DELIVERED"]);
    await untilTask(messageId, ({ status }) => status === "DONE");
    expect(mail.looked).not.toContain(messageId);
    expect(await billed()).toBe(1);
  });

  test.each(["by our id", "by the provider's id"])("may come %s before the send is answered", async (by) => {
    const answered = Promise.withResolvers<void>();
    mail.onSend = async (message): Promise<SendResult> => {
      const result = mail.take(message);
      await answered.promise;
      return result;
    };
    await mail.write({ from, text: "Hello" });
    const { messageId } = await sentOne();
    const named = { messageId: by === "by our id" ? messageId : null, providerMessageId: mail.idOf(messageId) };
    await mail.report({ ...named, status: "DELIVERED" });
    await mail.report({ ...named, status: "SENT" });
    answered.resolve();
    await untilTask(messageId, ({ status }) => status === "DONE");
    expect(await statesOf()).toEqual(["DELIVERED"]);
    expect(await billed()).toBe(1);
    const [left] = await world.database.query("select count(*)::int as n from early_reports");
    expect(left).toEqual({ n: 0 });
  });

  test.each([
    [["DELIVERED", "SENT", "DELIVERED"], "DELIVERED"],
    [["READ", "DELIVERED", "SENT"], "READ"],
    [["DELIVERED", "FAILED"], "DELIVERED"],
    [["FAILED", "SENT"], "FAILED 30003"],
    [["FAILED", "DELIVERED"], "DELIVERED"],
  ] as const)("%j leads to %s", async (reports, state) => {
    await mail.write({ from, text: "Hello" });
    const { messageId } = await sentOne();
    await statesOf();
    for (const status of reports) {
      const error = status === "FAILED" ? { code: "30003", message: "Unreachable" } : null;
      await mail.report({ status, error, providerMessageId: mail.idOf(messageId) });
    }
    expect(await statesOf()).toEqual([state]);
    expect(await billed()).toBe(1);
  });

  test("of another workspace's message changes nothing", async () => {
    await mail.write({ from, text: "Hello" });
    const { messageId } = await sentOne();
    await statesOf();
    const stranger = await world.createWorkspace();
    const report = { messageId, providerMessageId: "SM-foreign", status: "FAILED", error: null } as const;
    await noteDelivery(mail.second.database, stranger.workspaceId, report);
    expect(await statesOf()).toEqual(["SENT"]);
  });
});

describe("a message that may have left", () => {
  test.each([
    ["was taken, with the answer lost", true],
    ["never arrived", false],
  ])("and %s is not sent again, whatever the provider does not find", async (_, isTaken) => {
    mail.onSend = (message): SendResult => {
      if (isTaken) mail.take(message);
      else mail.looked.push(`tried ${message.messageId}`);
      return { kind: "UNCERTAIN", code: "TIMEOUT", message: "No answer came." };
    };
    await mail.write({ from, text: "Hello" });
    expect(await statesOf()).toEqual(["FAILED UNCONFIRMED"]);
    const tries = [
      ...mail.sent.map(({ messageId }) => messageId),
      ...mail.looked.filter((id) => id.startsWith("tried")),
    ];
    const { id } = await chatOf();
    const { body } = await world.request("GET", `/chat-sessions/${id}/messages`);
    const [, answer] = body.content as { id: string }[];
    expect(tries.filter((tried) => tried.endsWith(String(answer?.id)))).toHaveLength(1);
    expect(await billed()).toBe(0);
    if (!isTaken) return;
    await mail.report({ status: "DELIVERED", messageId: String(answer?.id), providerMessageId: "SM-late" });
    expect(await statesOf()).toEqual(["DELIVERED"]);
    expect(await billed()).toBe(1);
  });

  test("and is found by a look-up is billed once, and followed by its reports", async () => {
    mail.onSend = (message): SendResult => {
      mail.take(message);
      mail.found = {
        kind: "FOUND",
        providerMessageId: mail.idOf(message.messageId),
        status: "SENT",
        error: null,
        isFinal: false,
      };
      return { kind: "UNCERTAIN", code: "HTTP_503", message: "Service unavailable." };
    };
    await mail.write({ from, text: "Hello" });
    expect(await statesOf()).toEqual(["SENT"]);
    expect(mail.sent.filter(({ to }) => to === from)).toHaveLength(1);
    expect(await billed()).toBe(1);
  });
});

test("a message whose account is gone fails and says so, and one that may have left is given up", async () => {
  mail.isThere = false;
  await mail.write({ from, text: "Hello" });
  expect(await statesOf()).toEqual(["FAILED MESSENGER_NOT_CONFIGURED"]);
  mail.isThere = true;
  mail.onSend = (): SendResult => {
    mail.isThere = false;
    return { kind: "UNCERTAIN", code: "TIMEOUT", message: "No answer came." };
  };
  await mail.write({ from, text: "Is anybody there?" });
  expect(await statesOf(from, 2)).toEqual(["FAILED MESSENGER_NOT_CONFIGURED", "FAILED UNCONFIRMED"]);
  mail.isThere = true;
});

test("a send that the carrier refuses because of its own STOP writes the ledger once, and ends the chat", async () => {
  mail.onSend = () => ({ kind: "REFUSED", code: "21610", message: "Unsubscribed", retryable: false, optedOut: true });
  await mail.write({ from, text: "Hello" });
  expect(await statesOf()).toEqual(["FAILED 21610"]);
  expect(await ledger()).toEqual([{ source: "STOP_KEYWORD" }]);
  expect(await chatOf()).toMatchObject({ status: "CLOSED", endReason: "CUSTOMER_OPTED_OUT" });
  await mail.write({ from, text: "Hello again" });
  expect(await ledger()).toEqual([{ source: "STOP_KEYWORD" }]);
  mail.onSend = (message) => mail.take(message);
  await mail.write({ from, text: "START" });
  expect(await ledger()).toEqual([]);
});

test("a report that a message failed because of the carrier's own STOP does the same", async () => {
  await mail.write({ from, text: "Hello" });
  const { messageId } = await sentOne();
  await statesOf();
  const error = { code: "1360", message: "The person opted out." };
  const report = { status: "FAILED", error, providerMessageId: mail.idOf(messageId), optedOut: true } as const;
  for (let round = 0; round < 3; round++) await mail.report(report);
  expect(await statesOf()).toEqual(["FAILED 1360"]);
  expect(await ledger()).toEqual([{ source: "STOP_KEYWORD" }]);
  expect(await chatOf()).toMatchObject({ status: "CLOSED", endReason: "CUSTOMER_OPTED_OUT" });
});

test("an agent's text that is too long for the carrier goes out as several messages in order", async () => {
  // Twilio takes 1,600 characters.
  const initialMessage = "This sentence has got exactly 50 characters in it. ".repeat(70).trim();
  const body = { flowId: world.sample.flow.id, channel: "SMS", contactPhone: from, initialMessage } as const;
  const start = (tx: Executor) => startChat(tx, async () => mail, world.sample.workspaceId, body, "{}");
  await mail.second.database.db.transaction().execute(start);
  const parts = (await mail.sentTo(from, 3)).map(({ text }) => text);
  expect(parts.map((text) => [text.length <= 1_600, text.at(-1)])).toEqual([
    [true, "."],
    [true, "."],
    [true, "."],
  ]);
  expect(parts.join(" ")).toBe(initialMessage);
  expect(await statesOf(from, 3)).toEqual(["SENT", "SENT", "SENT"]);
});

test("an operator's text that is too long for the carrier is refused with the limit, and not stored", async () => {
  await mail.write({ from, text: "Hello" });
  await mail.sentTo(from, 1);
  const { id } = await chatOf();
  const write = (content: string) =>
    world.request("POST", `/chat-sessions/${id}/messages`, { body: { role: "AGENT", content } });
  const refused = await write("x".repeat(1_601));
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("takes 1600")]);
  expect((await write("x".repeat(1_600))).status).toBe(200);
  expect((await mail.sentTo(from, 2)).map(({ text }) => text.length)).toEqual([expect.any(Number), 1_600]);
});

test("WhatsApp takes free text for 24 hours after the person wrote, and a template afterwards", async () => {
  await mail.write({ from, text: "Hello", channel: "WHATSAPP" });
  await mail.sentTo(from, 1);
  const { id, windowExpiresAt } = await chatOf();
  expect(Date.parse(String(windowExpiresAt))).toBeGreaterThan(Date.now() + 86_000_000);
  const write = (body: Json) =>
    world.request("POST", `/chat-sessions/${id}/messages`, { body: { role: "AGENT", content: "News", ...body } });
  expect((await write({})).status).toBe(200);
  await mail.sentTo(from, 2);
  await world.database.query("update chat_sessions set window_expires_at = now() where id = $1", [id]);
  const refused = await write({});
  expect([refused.status, refused.text]).toEqual([422, expect.stringContaining("TEMPLATE_REQUIRED")]);
  const template = { name: "news", language: "en", variables: { "1": "Ada" } };
  expect((await write({ template })).status).toBe(200);
  const [, free, filled] = await mail.sentTo(from, 3);
  expect(free?.template).toBeNull();
  expect(filled?.template).toEqual(template);
  await mail.write({ from, text: "Thanks", channel: "WHATSAPP" });
  expect((await write({})).status).toBe(200);
});
