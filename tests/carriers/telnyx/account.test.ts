import { describe, expect, test } from "vitest";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import type { AskedMessage, OutgoingMessage } from "#src/telephony/carriers/messages.ts";
import { telnyxProvider } from "#src/telephony/carriers/telnyx/telnyx-provider.ts";
import { never, TelnyxHarness } from "../../kit/carriers/telnyx-harness.ts";

const OURS = "+15125550001";
const THEIRS = "+13125550100";

function write(more: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    workspaceId: "w",
    messageId: uuidv7(),
    channel: "SMS",
    from: OURS,
    to: THEIRS,
    text: "Your table is booked.",
    template: null,
    attempt: 1,
    ...more,
  };
}

const askedOf = (message: OutgoingMessage, providerMessageId: string | null = null): AskedMessage => ({
  workspaceId: "w",
  messageId: message.messageId,
  providerMessageId,
  channel: message.channel,
  from: message.from,
  to: message.to,
  text: message.text,
  sentAt: new Date(Date.now() - 1_000),
});

describe("a message", () => {
  test.each(["SMS", "WHATSAPP"] as const)("by %s is taken once, and reported with our id", async (channel) => {
    await using harness = await TelnyxHarness.start();
    const message = write({ channel });
    const sent = await harness.account.messenger.send(message, never);
    const [taken] = harness.telnyx.messages;
    expect(sent).toEqual({ kind: "ACCEPTED", providerMessageId: taken?.id });
    expect(taken).toMatchObject({ from: OURS, to: THEIRS, text: message.text });
    await harness.until(() => harness.webhookEvents.length === 2);
    const known = { messageId: message.messageId, providerMessageId: taken?.id, error: null };
    expect(harness.webhookEvents).toEqual([
      { kind: "DELIVERY", report: { ...known, status: "SENT" } },
      { kind: "DELIVERY", report: { ...known, status: "DELIVERED" } },
    ]);
  });

  test("that cannot be delivered says why and what to do", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.delivery = "delivery_failed";
    await harness.account.messenger.send(write(), never);
    const failed = await harness.until(() => harness.webhookEvents[1]);
    const error = failed.kind === "DELIVERY" ? failed.report.error : null;
    expect(error?.code).toBe("40001");
    expect(error?.message).toContain("landline");
  });

  test("by a template carries its parameters in the order of their numbers", async () => {
    await using harness = await TelnyxHarness.start();
    const variables = { "10": "k", "2": "b", "1": "a" };
    const template = { name: "reminder", language: "en_US", variables };
    await harness.account.messenger.send(write({ channel: "WHATSAPP", template }), never);
    const parameters = ["a", "b", "k"].map((text) => ({ type: "text", text }));
    expect(harness.telnyx.messages[0]?.body).toMatchObject({
      type: "WHATSAPP",
      whatsapp_message: {
        type: "template",
        template: { name: "reminder", components: [{ type: "body", parameters }] },
      },
    });
  });

  test("to somebody who sent STOP tells that they opted out", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.stopped.add(THEIRS);
    const sent = await harness.account.messenger.send(write(), never);
    expect(sent).toMatchObject({ kind: "REFUSED", code: "40300", retryable: false, optedOut: true });
  });

  test("from a number of somebody else is refused for good", async () => {
    await using harness = await TelnyxHarness.start();
    const sent = await harness.account.messenger.send(write({ from: "+15125559999" }), never);
    expect(sent).toMatchObject({ kind: "REFUSED", code: "40305", retryable: false });
  });

  test.each([
    [429, { kind: "REFUSED", retryable: true }],
    [401, { kind: "REFUSED", retryable: false }],
    [503, { kind: "UNCERTAIN" }],
  ])("that is answered with %s is sorted by what that proves", async (status, expected) => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.override = () => ({ status, body: {} });
    expect(await harness.account.messenger.send(write(), never)).toMatchObject(expected);
  });

  test("to a carrier that is not there was not sent and may be tried again", async () => {
    await using harness = await TelnyxHarness.start({ apiUrl: "http://127.0.0.1:1/v2" });
    expect(await harness.account.messenger.send(write(), never)).toMatchObject({ kind: "REFUSED", retryable: true });
  });

  test("is found by its provider's id, and by both numbers and our id when that was lost", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.delivery = "LOST";
    const { messenger } = harness.account;
    const [one, other, never1] = [write(), write(), write()];
    await messenger.send(one, never);
    await messenger.send(other, never);
    const [first, second] = harness.telnyx.messages;
    const found = { kind: "FOUND", status: "SENT", error: null, isFinal: false };
    expect(await messenger.lookUp(askedOf(one, first?.id), never)).toEqual({ ...found, providerMessageId: first?.id });
    expect(await messenger.lookUp(askedOf(other), never)).toEqual({ ...found, providerMessageId: second?.id });
    expect(await messenger.lookUp(askedOf(never1), never)).toEqual({ kind: "ABSENT" });
    expect(messenger.absenceIsProof).toBe(false);
    harness.telnyx.override = () => ({ status: 500, body: {} });
    expect(await messenger.lookUp(askedOf(one, first?.id), never)).toMatchObject({ kind: "UNCERTAIN" });
  });

  test.each(["SMS", "WHATSAPP"] as const)("that a person writes by %s is brought", async (channel) => {
    await using harness = await TelnyxHarness.start();
    const owned = await harness.account.numbers.findOwned(OURS, never);
    if (owned.kind === "DONE") await harness.account.numbers.configure(owned.value, never);
    await harness.telnyx.writeIn(THEIRS, OURS, "Yes please", channel);
    expect(harness.webhookEvents).toMatchObject([
      { kind: "MESSAGE_IN", message: { channel, provider: "TELNYX", from: THEIRS, to: OURS, text: "Yes please" } },
    ]);
  });
});

describe("numbers", () => {
  const wish = { countryCode: "US", areaCode: "512", limit: 1 };

  test("are offered with what they can and cost", async () => {
    await using harness = await TelnyxHarness.start();
    const found = await harness.account.numbers.search(wish, never);
    const monthlyPrice = { amount: "1.00", currency: "USD" };
    const offer = { number: "+15125550077", capabilities: ["VOICE", "SMS"], monthlyPrice };
    expect(found).toEqual({ kind: "DONE", value: [offer] });
  });

  test("that a trial account is shown in part are not offered", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.forSale = ["+1512555xxxx"];
    expect(await harness.account.numbers.search(wish, never)).toEqual({ kind: "DONE", value: [] });
  });

  test("are bought, set up for calls and messages, and given back", async () => {
    await using harness = await TelnyxHarness.start();
    const { numbers } = harness.account;
    const number = "+15125550077";
    expect(await numbers.findOwned(number, never)).toMatchObject({ kind: "ABSENT" });
    const bought = await numbers.buy(number, never);
    if (bought.kind !== "DONE") throw new Error(bought.message);
    expect(bought.value).toMatchObject({ number, capabilities: ["VOICE", "SMS"] });
    expect(await numbers.configure(bought.value, never)).toMatchObject({ kind: "DONE" });
    expect(await numbers.configure(bought.value, never)).toMatchObject({ kind: "DONE" });
    const hook = `${harness.publicUrl}/api/webhooks/carriers/telnyx/${harness.account.id}`;
    expect(harness.telnyx.application).toMatchObject({ webhook_event_url: `${hook}/calls`, webhook_api_version: "2" });
    expect(harness.telnyx.profile).toMatchObject({ webhook_url: `${hook}/messages`, webhook_api_version: "2" });
    const { connectionId, messagingProfileId } = harness.telnyx.keys;
    const settings = { connection_id: connectionId, messaging_profile_id: messagingProfileId };
    expect(harness.telnyx.numberSettings.get(number)).toEqual(settings);
    expect(await numbers.release(bought.value, never)).toEqual({ kind: "DONE", value: null });
    expect(await numbers.release(bought.value, never)).toMatchObject({ kind: "ABSENT" });
  });

  test("whose order is still worked on are not bought yet, and found when they are", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.ordersPending = 1;
    const bought = await harness.account.numbers.buy("+15125550077", never);
    expect(bought).toMatchObject({ kind: "UNCERTAIN", code: "ORDER_PENDING" });
    expect(await harness.account.numbers.findOwned("+15125550077", never)).toMatchObject({ kind: "DONE" });
  });

  test.each([
    [{ status: "failure" }, { kind: "REFUSED", code: "ORDER_FAILED" }],
    [
      { status: "pending", requirements_met: false },
      { kind: "REFUSED", code: "REQUIREMENTS_NOT_MET" },
    ],
    [{ status: "pending" }, { kind: "UNCERTAIN", code: "ORDER_PENDING" }],
  ])("of an order that came to %j are told apart", async (order, expected) => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.override = () => ({ status: 200, body: { data: { id: "o", ...order } } });
    expect(await harness.account.numbers.buy("+15125550077", never)).toMatchObject(expected);
  });

  test("that are gone, and accounts without credit, are refused; no answer proves nothing", async () => {
    await using harness = await TelnyxHarness.start();
    const { numbers } = harness.account;
    expect(await numbers.buy("+15125550099", never)).toMatchObject({ kind: "REFUSED", blame: "NUMBER" });
    const errors = [{ code: "20100", title: "Insufficient Funds" }];
    harness.telnyx.override = () => ({ status: 403, body: { errors } });
    expect(await numbers.buy("+15125550077", never)).toMatchObject({
      kind: "REFUSED",
      blame: "ACCOUNT",
      code: "20100",
    });
    harness.telnyx.override = () => ({ status: 502, body: {} });
    expect(await numbers.buy("+15125550077", never)).toMatchObject({ kind: "UNCERTAIN" });
    expect(await numbers.findOwned("+15125550077", never)).toMatchObject({ kind: "UNCERTAIN" });
  });

  test("that are still on their way are neither held nor absent", async () => {
    await using harness = await TelnyxHarness.start();
    const one = { id: "1", phone_number: "+15125550077", status: "purchase-pending" };
    harness.telnyx.override = () => ({ status: 200, body: { data: [one] } });
    const found = await harness.account.numbers.findOwned("+15125550077", never);
    expect(found).toMatchObject({ kind: "UNCERTAIN", code: "PURCHASE_PENDING" });
  });
});

describe("the check of an account", () => {
  test("says that it works, and what credit is left", async () => {
    await using harness = await TelnyxHarness.start();
    const checked = await harness.account.check(never);
    expect(checked.kind).toBe("WORKS");
    expect(checked.message).toContain("12.50 USD");
    expect(harness.telnyx.received.every(({ method }) => method === "GET")).toBe(true);
  });

  const wrong = [
    [{ apiKey: "KEY_of_somebody_else" }, "API key"],
    [{ connectionId: "1" }, "connectionId"],
    [{ messagingProfileId: "00000000-0000-0000-0000-000000000000" }, "messagingProfileId"],
  ] as const;
  test.each(wrong)("with %j names what is wrong", async (keys, word) => {
    await using harness = await TelnyxHarness.start(keys);
    const checked = await harness.account.check(never);
    expect(checked.kind).toBe("REFUSED");
    expect(checked.message).toContain(word);
  });

  test("names an application that cannot call, and an account without credit", async () => {
    await using harness = await TelnyxHarness.start();
    harness.telnyx.credit = "-0.10";
    expect(await harness.account.check(never)).toMatchObject({ kind: "REFUSED", code: "INSUFFICIENT_FUNDS" });
    harness.telnyx.application["outbound"] = {};
    expect(await harness.account.check(never)).toMatchObject({ kind: "REFUSED", code: "NO_OUTBOUND_PROFILE" });
    harness.telnyx.application["active"] = false;
    expect(await harness.account.check(never)).toMatchObject({ kind: "REFUSED", code: "APPLICATION_INACTIVE" });
  });

  test("names the missing permission of a key", async () => {
    await using harness = await TelnyxHarness.start();
    const errors = [{ code: "10010", title: "Authorization failed" }];
    harness.telnyx.override = () => ({ status: 403, body: { errors } });
    const checked = await harness.account.check(never);
    expect(checked.kind).toBe("REFUSED");
    expect(checked.message).toContain("permission");
  });

  test("of a carrier that is not there, or is ill, says nothing about the keys", async () => {
    await using away = await TelnyxHarness.start({ apiUrl: "http://127.0.0.1:1/v2" });
    expect(await away.account.check(never)).toMatchObject({ kind: "UNREACHABLE" });
    await using ill = await TelnyxHarness.start();
    ill.telnyx.override = () => ({ status: 500, body: {} });
    expect(await ill.account.check(never)).toMatchObject({ kind: "UNREACHABLE" });
  });

  test("is never needed to see that a field is no such thing", async () => {
    await using harness = await TelnyxHarness.start();
    for (const { name, pattern, isRequired } of telnyxProvider.fields) {
      expect(harness.telnyx.keys[name] ?? (isRequired ? "missing" : ""), name).toMatch(pattern);
      expect("no such\nthing", name).not.toMatch(pattern);
    }
  });
});
