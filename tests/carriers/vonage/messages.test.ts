import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import type { AskedMessage, OutgoingMessage } from "#src/telephony/carriers/messages.ts";
import { explainMessageFault } from "#src/telephony/carriers/vonage/vonage-message-errors.ts";
import { until, VonageHarness } from "../../kit/carriers/vonage-harness.ts";
import { ProviderServer } from "../../kit/provider-server.ts";

const NEVER = new AbortController().signal;
const FROM = "+12025550199";
const TO = "+14155550123";

function messageOf(overrides: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    workspaceId: "w",
    messageId: randomUUID(),
    channel: "SMS",
    from: FROM,
    to: TO,
    text: "Your appointment is at 10.",
    template: null,
    attempt: 1,
    ...overrides,
  };
}

function asked(message: OutgoingMessage, providerMessageId: string | null): AskedMessage {
  const { workspaceId, messageId, channel, from, to, text } = message;
  return { workspaceId, messageId, providerMessageId, channel, from, to, text, sentAt: new Date() };
}

async function startLinked(): Promise<VonageHarness> {
  const harness = await VonageHarness.start();
  const owned = await harness.account.numbers.findOwned(FROM, NEVER);
  if (owned.kind !== "DONE") throw new Error("not owned");
  const configured = await harness.account.numbers.configure(owned.value, NEVER);
  if (configured.kind !== "DONE") throw new Error("not configured");
  return harness;
}

test("an SMS is sent, reported by our own id, and found by either id", async () => {
  await using harness = await startLinked();
  const message = messageOf();
  const sent = await harness.account.messenger.send(message, NEVER);
  if (sent.kind !== "ACCEPTED") throw new Error(JSON.stringify(sent));
  const { providerMessageId } = sent;
  expect(harness.vonage.messages).toMatchObject([{ id: providerMessageId, from: FROM, to: TO, text: message.text }]);
  await until(() => harness.webhookEvents.length >= 2);
  const base = { messageId: message.messageId, providerMessageId, error: null };
  expect(harness.webhookEvents).toEqual([
    { kind: "DELIVERY", report: { ...base, status: "SENT" } },
    { kind: "DELIVERY", report: { ...base, status: "DELIVERED" } },
  ]);
  for (const id of [providerMessageId, null]) {
    expect(await harness.account.messenger.lookUp(asked(message, id), NEVER)).toEqual({
      kind: "FOUND",
      providerMessageId,
      status: "DELIVERED",
      error: null,
      isFinal: true,
    });
  }
});

test("a look-up tells other messages apart, and what was never sent", async () => {
  await using harness = await startLinked();
  const message = messageOf();
  await harness.account.messenger.send(message, NEVER);
  const { messenger } = harness.account;
  expect(await messenger.lookUp({ ...asked(message, null), text: "Other words." }, NEVER)).toEqual({ kind: "ABSENT" });
  expect(await messenger.lookUp({ ...asked(message, null), to: "+14155550124" }, NEVER)).toEqual({ kind: "ABSENT" });
  const later = new Date(Date.now() + 60_000);
  expect(await messenger.lookUp({ ...asked(message, null), sentAt: later }, NEVER)).toEqual({ kind: "ABSENT" });
  expect(await messenger.lookUp(asked(message, randomUUID()), NEVER)).toEqual({ kind: "ABSENT" });
  const before = harness.vonage.requests.length;
  expect(await messenger.lookUp({ ...asked(message, null), sentAt: null }, NEVER)).toEqual({ kind: "ABSENT" });
  expect(harness.vonage.requests.length).toBe(before);
  expect(messenger.absenceIsProof).toBe(false);
});

test("a person who told Vonage STOP is reported as such", async () => {
  await using harness = await startLinked();
  harness.vonage.plan(TO, { person: "BUSY" });
  await harness.account.messenger.send(messageOf(), NEVER);
  await until(() => harness.webhookEvents.length > 0);
  expect(harness.webhookEvents).toMatchObject([{ kind: "DELIVERY", report: { status: "FAILED", optedOut: true } }]);
  expect(harness.webhookEvents).toMatchObject([{ report: { error: { code: "1240" } } }]);
});

test.each([
  ["TIMEOUT", { kind: "UNCERTAIN" }],
  ["ERROR", { kind: "UNCERTAIN", code: "1030" }],
  ["THROTTLE", { kind: "REFUSED", retryable: true }],
  ["INVALID", { kind: "REFUSED", retryable: false, code: "1170" }],
  ["CREDENTIALS", { kind: "REFUSED", retryable: false }],
] as const)("a send that is answered with %s", async (answer, expected) => {
  await using harness = await startLinked();
  harness.vonage.plan(TO, { answer, webhooks: "LOST" });
  const message = messageOf();
  const patience = new AbortController();
  const sent = harness.account.messenger.send(message, patience.signal);
  if (answer === "TIMEOUT") {
    await until(() => harness.vonage.messages.length > 0);
    patience.abort();
  }
  expect(await sent).toMatchObject(expected);
  expect(harness.vonage.messages.length).toBe(expected.kind === "UNCERTAIN" ? 1 : 0);
  const found = await harness.account.messenger.lookUp(asked(message, null), NEVER);
  expect(found.kind).toBe(expected.kind === "UNCERTAIN" ? "FOUND" : "ABSENT");
});

test("reports that come twice or in reverse name the same message and states", async () => {
  await using harness = await startLinked();
  for (const webhooks of ["TWICE", "REVERSED"] as const) {
    harness.webhookEvents.length = 0;
    harness.vonage.plan(TO, { webhooks });
    await harness.account.messenger.send(messageOf(), NEVER);
    const wanted = webhooks === "TWICE" ? 4 : 2;
    await until(() => harness.webhookEvents.length >= wanted);
    const states = harness.webhookEvents.map((entry) => (entry.kind === "DELIVERY" ? entry.report.status : ""));
    expect([...new Set(states)].toSorted()).toEqual(["DELIVERED", "SENT"]);
  }
});

test("WhatsApp text, a template with numbered variables, and one with named ones", async () => {
  await using harness = await startLinked();
  const ends = { to: "14155550123", from: "12025550199" };
  const template = { name: "visit", language: "en_US", variables: { "2": "10 am", "1": "Ada" } };
  const named = { name: "visit", language: "en_US", variables: { who: "Ada" } };
  for (const overrides of [{}, { template }, { template: named }]) {
    await harness.account.messenger.send(messageOf({ channel: "WHATSAPP", ...overrides }), NEVER);
  }
  const bodies = harness.vonage.messages.map(({ body }) => body);
  expect(bodies[0]).toMatchObject({ channel: "whatsapp", message_type: "text", ...ends });
  expect(bodies[1]).toMatchObject({
    message_type: "template",
    whatsapp: { policy: "deterministic", locale: "en_US" },
    template: { name: "visit", parameters: ["Ada", "10 am"] },
  });
  expect(bodies[2]).toMatchObject({
    message_type: "custom",
    custom: { template: { components: [{ parameters: [{ type: "text", parameter_name: "who", text: "Ada" }] }] } },
  });
  expect(bodies[2]).not.toHaveProperty("text");
});

test("a message that a person writes is read", async () => {
  await using harness = await startLinked();
  await harness.vonage.writeIn(TO, FROM, "Yes, please.");
  expect(harness.webhookEvents).toMatchObject([
    { kind: "MESSAGE_IN", message: { channel: "SMS", provider: "VONAGE", from: TO, to: FROM, text: "Yes, please." } },
  ]);
});

test("a message from a name is acknowledged, and says who sent it", async () => {
  await using harness = await startLinked();
  await harness.vonage.writeIn("PARCEL", FROM, "Your parcel comes today.");
  expect(harness.readings).toMatchObject([
    { kind: "READ", events: [{ kind: "MESSAGE_IN", message: { from: "PARCEL", to: FROM } }], answer: { status: 204 } },
  ]);
});

test("a refusal names what to do, and keeps Vonage's words and code", async () => {
  await using harness = await VonageHarness.start();
  const answers: [number, object, string][] = [
    [402, { title: "Payment Required", detail: "Your balance is too low." }, "Top up"],
    [403, { title: "Forbidden", detail: "Not allowed." }, "Messages capability"],
    [422, { type: "https://developer.vonage.com/api-errors/messages#1022", title: "Invalid template" }, "template"],
    [422, { type: "https://developer.vonage.com/api-errors/messages#1160", title: "Non White-listed" }, "trial"],
    [422, { type: "https://developer.vonage.com/api-errors/messages#1340", title: "Outside of window" }, "24 hours"],
    [422, { type: "https://developer.vonage.com/api-errors/messages#1120", title: "Illegal Sender" }, "link it"],
  ];
  for (const [status, json, words] of answers) {
    await using server = await ProviderServer.start([{ status, json }]);
    await using other = await VonageHarness.start({ ...harness.vonage.keys, apiUrl: server.origin });
    const result = await other.account.messenger.send(messageOf(), NEVER);
    expect(result).toMatchObject({ kind: "REFUSED", retryable: false });
    expect(result).toMatchObject({ message: expect.stringContaining(words) as string });
    expect(result).toMatchObject({ message: expect.stringContaining("Vonage said") as string });
  }
  expect(explainMessageFault("1240", null)).toMatchObject({ hasOptedOut: true, isRetryable: false });
  expect(explainMessageFault("9999", "New words")).toMatchObject({
    message: expect.stringContaining("New words") as string,
  });
});
