import { afterAll, beforeAll, expect, test } from "vitest";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { TwilioEmulator } from "../../kit/carriers/twilio-emulator.ts";
import { TwilioHost, until } from "../../kit/carriers/twilio-host.ts";

const OURS = "+15551234567";
const THEIRS = "+14155552671";
const { signal } = new AbortController();

let emulator: TwilioEmulator;
let client: TwilioEmulator["client"];
let host: TwilioHost;

beforeAll(async () => {
  emulator = await TwilioEmulator.start(OURS);
  client = emulator.client;
  const { accountSid = "", apiKeySid = "", authToken = "", apiKeySecret = "" } = emulator.keys;
  const keys = { settings: { accountSid, apiKeySid }, secrets: { authToken, apiKeySecret } };
  host = await TwilioHost.start(emulator.url, keys);
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await emulator[Symbol.asyncDispose]();
});

const typesOf = (attemptId: string) => host.eventsOf(attemptId).map(({ type }) => type);

test("the keys work", async () => {
  expect(await host.account.check(signal)).toMatchObject({ kind: "WORKS" });
});

test("a call is placed once, its signed reports are believed, and hanging up ends it there", async () => {
  const attemptId = uuidv7();
  const dialledAt = new Date();
  const result = await host.dial(OURS, THEIRS, attemptId);
  expect(result).toMatchObject({ kind: "ACCEPTED" });
  const { providerCallId } = result as { providerCallId: string };
  const calls = await client.calls.list({ to: THEIRS });
  expect(calls.map(({ sid, from, direction }) => [sid, from, direction])).toEqual([
    [providerCallId, OURS, "outbound-api"],
  ]);
  await until("it rings", () => typesOf(attemptId).includes("RINGING"));
  await emulator.simulate("call-status", { CallSid: providerCallId, Status: "in-progress" });
  await until("it is answered", () => typesOf(attemptId).includes("ANSWERED"));
  const asked = { attemptId, workspaceId: "w", from: OURS, to: THEIRS, dialledAt };
  for (const known of [providerCallId, null]) {
    const found = await host.account.carrier.lookUp({ ...asked, providerCallId: known }, signal);
    expect(found).toMatchObject({ kind: "ANSWERED", providerCallId });
  }
  await host.account.carrier.hangUp(providerCallId);
  expect((await client.calls(providerCallId).fetch()).status).toBe("completed");
  await until("its end is reported", () => typesOf(attemptId).includes("ENDED"));
  expect(host.eventsOf(attemptId).at(-1)).toMatchObject({ outcome: "ANSWERED", hungUpBy: "AGENT" });
  expect(host.readings.every(({ kind }) => kind === "READ")).toBe(true);
});

test("what Twilio's client ends was not ended by us", async () => {
  const attemptId = uuidv7();
  const { providerCallId } = (await host.dial(OURS, "+14155552672", attemptId)) as { providerCallId: string };
  await client.calls(providerCallId).update({ status: "completed" });
  await until("its end is reported", () => typesOf(attemptId).includes("ENDED"));
  expect(host.eventsOf(attemptId).at(-1)).toMatchObject({ hungUpBy: "CUSTOMER" });
});

test("a number that the account does not hold is refused as such", async () => {
  const result = await host.dial("+15557654321", THEIRS);
  expect(result).toMatchObject({ kind: "REFUSED", blame: "NUMBER", code: "TWILIO_21210" });
});

test("a number is found and configured, and then people call and write to us", async () => {
  const owned = await host.account.numbers.findOwned(OURS, signal);
  if (owned.kind !== "DONE") throw new Error(owned.message);
  expect(await host.account.numbers.configure(owned.value, signal)).toMatchObject({ kind: "DONE" });
  const shown = await client.incomingPhoneNumbers(owned.value.externalId).fetch();
  const base = `${host.url}/api/webhooks/carriers/twilio/${host.account.id}`;
  expect([shown.voiceUrl, shown.smsUrl]).toEqual([`${base}/calls`, `${base}/messages`]);
  await emulator.simulate("inbound-call", { From: THEIRS, To: OURS });
  await emulator.simulate("inbound-message", { From: THEIRS, To: OURS, Body: "Zoë & Ann" });
  const webhookEvents = host.webhookEvents.filter(({ kind }) => kind === "CALL_IN" || kind === "MESSAGE_IN");
  expect(webhookEvents).toMatchObject([
    { kind: "CALL_IN", call: { from: THEIRS, to: OURS } },
    { kind: "MESSAGE_IN", message: { channel: "SMS", from: THEIRS, to: OURS, text: "Zoë & Ann" } },
  ]);
});

test("a message is sent once, and its reports are believed", async () => {
  const message = { workspaceId: "w", messageId: uuidv7(), channel: "SMS", from: OURS, to: THEIRS } as const;
  const more = { text: "Zoë & Ann", template: null, attempt: 1 } as const;
  const sent = await host.account.messenger.send({ ...message, ...more }, signal);
  const { providerMessageId } = sent as { providerMessageId: string };
  const listed = await client.messages.list({ to: THEIRS });
  expect(listed.map(({ sid, body }) => [sid, body])).toEqual([[providerMessageId, "Zoë & Ann"]]);
  await emulator.simulate("message-status", { MessageSid: providerMessageId, Status: "delivered" });
  const report = { messageId: message.messageId, providerMessageId, status: "DELIVERED", error: null };
  expect(host.webhookEvents).toContainEqual({ kind: "DELIVERY", report });
});
