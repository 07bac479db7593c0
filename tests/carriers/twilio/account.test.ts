import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { OutgoingMessage } from "#src/telephony/carriers/messages.ts";
import { twilioProvider } from "#src/telephony/carriers/twilio/twilio-provider.ts";
import { TwilioHost, until } from "../../kit/carriers/twilio-host.ts";
import { TwilioServer } from "../../kit/carriers/twilio-server.ts";
import { newSid } from "../../kit/carriers/twilio-wire.ts";

const OURS = "+12025550001";
const THEIRS = "+14155552671";
const { signal } = new AbortController();

let twilio: TwilioServer;
let host: TwilioHost;

beforeEach(async () => {
  twilio = await TwilioServer.start();
  twilio.owned.push(OURS);
  host = await openHost();
});
afterEach(async () => {
  await host[Symbol.asyncDispose]();
  await twilio.close();
});

function openHost(settings: Record<string, string> = {}, secrets: Record<string, string> = {}) {
  const { accountSid = "", authToken = "" } = twilio.keys;
  return TwilioHost.start(twilio.url, {
    settings: { accountSid, ...settings },
    secrets: { authToken, ...secrets },
  });
}

describe("the check of an account", () => {
  test("works, and says that a server without a public address is not reached", async () => {
    const check = await host.account.check(signal);
    expect(check).toMatchObject({ kind: "WORKS" });
    expect(check.message).toContain("PARLEY_URL");
  });

  test("names a trial account", async () => {
    twilio.accountType = "Trial";
    expect((await host.account.check(signal)).message).toContain("trial account");
  });

  test("refuses a wrong token, a suspended account, and a key that is no key, with what to do", async () => {
    await using wrong = await openHost({}, { authToken: "0".repeat(32) });
    expect(await wrong.account.check(signal)).toMatchObject({ kind: "REFUSED", code: "TWILIO_20003" });
    expect((await wrong.account.check(signal)).message).toContain("Auth Token");
    await using key = await openHost({ apiKeySid: newSid("SK") }, { apiKeySecret: "x".repeat(32) });
    expect(await key.account.check(signal)).toMatchObject({ kind: "REFUSED" });
    expect((await key.account.check(signal)).message).toContain("API key needs");
    twilio.accountStatus = "suspended";
    expect(await host.account.check(signal)).toMatchObject({ kind: "REFUSED", code: "ACCOUNT_SUSPENDED" });
  });

  test("blames no key for a Twilio that is busy, broken or away", async () => {
    for (const status of [429, 500, 503]) {
      twilio.broken = { status, body: null };
      expect(await host.account.check(signal)).toMatchObject({ kind: "UNREACHABLE" });
    }
    twilio.broken = { status: 200, body: ["not", "Twilio"] };
    expect(await host.account.check(signal)).toMatchObject({ kind: "UNREACHABLE" });
    await twilio.close();
    expect(await host.account.check(signal)).toMatchObject({ kind: "UNREACHABLE" });
  });

  test("no message holds a secret", async () => {
    twilio.broken = { status: 401, body: { code: 20003, message: "Authenticate", status: 401 } };
    const { message } = await host.account.check(signal);
    expect(message).not.toContain(twilio.authToken);
  });
});

test.each([
  ["accountSid", `AC${"a1".repeat(16)}`, "SK123"],
  ["authToken", "0123456789abcdef0123456789abcdef", "has space in"],
  ["apiUrl", "https://api.dublin.ie1.twilio.com", "https://user@evil.example"],
  ["machineDetection", "off", "maybe"],
])("the field %s takes what Twilio shows and nothing else", (name, good, bad) => {
  const field = twilioProvider.fields.find((candidate) => candidate.name === name);
  expect([field?.pattern.test(good), field?.pattern.test(bad)]).toEqual([true, false]);
});

describe("numbers", () => {
  const offered = "+16175550123";

  test("are searched by area code, bought with their webhooks, and given back", async () => {
    twilio.forSale.push("+14155550123", offered);
    const wish = { countryCode: "US", areaCode: "617", limit: 5 };
    const found = await host.account.numbers.search(wish, signal);
    const offer = { number: offered, capabilities: ["VOICE", "SMS"], monthlyPrice: null };
    expect(found).toEqual({ kind: "DONE", value: [offer] });
    expect(await host.account.numbers.findOwned(offered, signal)).toMatchObject({ kind: "ABSENT" });
    const bought = await host.account.numbers.buy(offered, signal);
    if (bought.kind !== "DONE") throw new Error(bought.message);
    expect(bought.value).toMatchObject({ number: offered, capabilities: ["VOICE", "SMS"] });
    expect(await host.account.numbers.findOwned(offered, signal)).toEqual(bought);
    const base = `${host.url}/api/webhooks/carriers/twilio/${host.account.id}`;
    const hooks = { VoiceUrl: `${base}/calls`, StatusCallback: `${base}/call-ends`, SmsUrl: `${base}/messages` };
    expect(twilio.hooksOf(offered)).toMatchObject(hooks);
    expect(await host.account.numbers.buy(offered, signal)).toMatchObject({ kind: "ABSENT" });
    expect(await host.account.numbers.release(bought.value, signal)).toEqual({ kind: "DONE", value: null });
    expect(await host.account.numbers.release(bought.value, signal)).toMatchObject({ kind: "ABSENT" });
    expect(twilio.owned).not.toContain(offered);
  });

  test("outside the United States and Canada are searched by what they begin with", async () => {
    twilio.forSale.push("+442079460999", "+443079462044");
    const found = await host.account.numbers.search({ countryCode: "GB", areaCode: "20", limit: 5 }, signal);
    expect(found).toMatchObject({ kind: "DONE", value: [{ number: "+442079460999" }] });
    expect(twilio.requests.at(-1)?.fields).toContainEqual(["Contains", "4420"]);
  });

  test("a country without any has none for sale", async () => {
    const found = await host.account.numbers.search({ countryCode: "XZ", areaCode: null, limit: 5 }, signal);
    expect(found).toEqual({ kind: "DONE", value: [] });
  });

  test("that were bound to something else are unbound", async () => {
    const owned = await host.account.numbers.findOwned(OURS, signal);
    if (owned.kind !== "DONE") throw new Error(owned.message);
    twilio.hooksOf(OURS);
    const bind = new URLSearchParams({ TrunkSid: newSid("TK") }).toString();
    const authorization = `Basic ${Buffer.from(`${twilio.accountSid}:${twilio.authToken}`).toString("base64")}`;
    const path = `/2010-04-01/Accounts/${twilio.accountSid}/IncomingPhoneNumbers/${owned.value.externalId}.json`;
    await fetch(twilio.url + path, { method: "POST", headers: { authorization }, body: bind });
    expect(await host.account.numbers.configure(owned.value, signal)).toMatchObject({ kind: "DONE" });
    expect(twilio.hooksOf(OURS).TrunkSid).toBe("");
  });

  test.each([
    [400, 21631, "REFUSED", "NUMBER"],
    [400, 21404, "REFUSED", "ACCOUNT"],
    [401, 20003, "REFUSED", "ACCOUNT"],
    [429, 20429, "UNCERTAIN", undefined],
    [503, 20500, "UNCERTAIN", undefined],
  ] as const)("a purchase answered with %d and code %d is %s", async (status, code, kind, blame) => {
    twilio.broken = { status, body: { code, message: "Words of Twilio", status } };
    const result = await host.account.numbers.buy(offered, signal);
    expect(result).toMatchObject({ kind, ...(blame ? { blame } : {}) });
    expect((result as { message: string }).message).toContain("Words of Twilio");
  });
});

describe("messages", () => {
  const message: OutgoingMessage = {
    workspaceId: "w",
    messageId: "0199aaaa-0000-7000-8000-00000000abcd",
    channel: "SMS",
    from: OURS,
    to: THEIRS,
    text: "Hello & welcome, Zoë",
    template: null,
    attempt: 1,
  };
  const asked = { ...message, providerMessageId: null as string | null, sentAt: new Date() as Date | null };

  test("are taken once, reported as far as they come, and found again", async () => {
    const sentAt = new Date();
    const sent = await host.account.messenger.send(message, signal);
    const { providerMessageId } = sent as { providerMessageId: string };
    expect(twilio.messages).toEqual([{ id: providerMessageId, from: OURS, to: THEIRS, text: message.text }]);
    await until("both reports came", () => host.readings.length === 2);
    expect(
      host.webhookEvents.map((webhookEvents) => (webhookEvents.kind === "DELIVERY" ? webhookEvents.report : null)),
    ).toEqual(
      ["SENT", "DELIVERED"].map((status) => ({
        messageId: message.messageId,
        providerMessageId,
        status,
        error: null,
      })),
    );
    const found = { kind: "FOUND", providerMessageId, status: "DELIVERED", error: null, isFinal: true };
    expect(await host.account.messenger.lookUp({ ...asked, providerMessageId }, signal)).toEqual(found);
    expect(await host.account.messenger.lookUp({ ...asked, sentAt }, signal)).toEqual(found);
    expect(await host.account.messenger.lookUp({ ...asked, sentAt, text: "Other" }, signal)).toEqual({
      kind: "ABSENT",
    });
    const later = new Date(Date.now() + 10_000);
    expect(await host.account.messenger.lookUp({ ...asked, sentAt: later }, signal)).toEqual({ kind: "ABSENT" });
  });

  test("over WhatsApp go as text or as a template, named by its Content SID", async () => {
    const whatsApp = { ...message, channel: "WHATSAPP" } as const;
    await host.account.messenger.send(whatsApp, signal);
    expect(twilio.messages.at(-1)).toMatchObject({ from: `whatsapp:${OURS}`, to: `whatsapp:${THEIRS}` });
    const template = { name: `HX${"0a".repeat(16)}`, language: "en", variables: { "1": "Ann" } };
    await host.account.messenger.send({ ...whatsApp, template }, signal);
    const fields = Object.fromEntries(twilio.requests.at(-1)?.fields ?? []);
    expect(fields).toMatchObject({ ContentSid: template.name, ContentVariables: '{"1":"Ann"}' });
    expect(fields).not.toHaveProperty("Body");
    const named = { ...whatsApp, template: { ...template, name: "appointment_reminder" } };
    const refused = { kind: "REFUSED", code: "TEMPLATE_NOT_FOUND", retryable: false };
    expect(await host.account.messenger.send(named, signal)).toMatchObject(refused);
    expect(twilio.messages).toHaveLength(2);
  });

  test("to somebody who told Twilio STOP are refused as opted out", async () => {
    const owned = await host.account.numbers.findOwned(OURS, signal);
    if (owned.kind !== "DONE") throw new Error(owned.message);
    await host.account.numbers.configure(owned.value, signal);
    await twilio.writeIn(THEIRS, OURS, "Stop");
    const [webhookEvent] = host.webhookEvents;
    expect(webhookEvent).toMatchObject({
      kind: "MESSAGE_IN",
      message: { channel: "SMS", from: THEIRS, to: OURS, text: "STOP" },
    });
    const refused = { kind: "REFUSED", code: "TWILIO_21610", optedOut: true, retryable: false };
    expect(await host.account.messenger.send(message, signal)).toMatchObject(refused);
    expect(twilio.messages).toEqual([]);
  });

  test.each([
    [429, 20429, { kind: "REFUSED", retryable: true }],
    [400, 21611, { kind: "REFUSED", retryable: true }],
    [400, 21614, { kind: "REFUSED", retryable: false }],
    [400, 63016, { kind: "REFUSED", retryable: false }],
    [401, 20003, { kind: "REFUSED" }],
    [500, 20500, { kind: "UNCERTAIN" }],
  ])("a send answered with %d and code %d", async (status, code, result) => {
    twilio.broken = { status, body: { code, message: "Words of Twilio", status } };
    expect(await host.account.messenger.send(message, signal)).toMatchObject({ ...result, code: `TWILIO_${code}` });
  });

  test("at a carrier that is not there are refused, and may be sent later", async () => {
    await twilio.close();
    expect(await host.account.messenger.send(message, signal)).toMatchObject({ kind: "REFUSED", retryable: true });
    expect(await host.account.messenger.lookUp(asked, signal)).toMatchObject({ kind: "UNCERTAIN" });
  });
});
