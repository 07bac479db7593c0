import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EVERY_CARRIER } from "../kit/carriers/every-carrier.ts";
import { LiveHarness } from "../kit/carriers/live-harness.ts";

/* People call and write to a number of each carrier, whose signed webhooks come over HTTP to a whole server. */

type Json = Record<string, unknown>;

describe.each(EVERY_CARRIER)("%s", (provider, start) => {
  let harness: LiveHarness;
  beforeAll(async () => {
    harness = await LiveHarness.open(provider, await start());
  });
  afterAll(() => harness[Symbol.asyncDispose]());

  const rowsOf = async (from: string) =>
    (await harness.ask("GET", `/call-history?direction=INBOUND&customerNumber=${encodeURIComponent(from)}`))
      .content as Json[];
  const chatsOf = async (from: string) =>
    (await harness.ask("GET", `/chat-sessions?contactPhone=${encodeURIComponent(from)}`)).content as Json[];
  const sentTo = (to: string) => harness.fake.messages.filter((message) => message.to.endsWith(to.slice(1)));

  test("a person who calls in hears the number's flow, and the call comes to its end", async () => {
    const flow = { name: "Inbound", masterPrompt: "Help.", firstMessage: "Thank you for calling." };
    const { id: inboundFlowId } = (await harness.try("POST", "/flows", flow)).body;
    await harness.ask("PUT", `/phone-numbers/${harness.phoneNumber.id}`, { inboundFlowId });
    const from = harness.newPerson();
    const providerCallId = await harness.fake.callIn(from, harness.phoneNumber.number);
    const [row] = await harness.until(
      () => rowsOf(from),
      (rows) => rows.length > 0 && rows[0]?.endedAt !== null,
    );
    expect(row).toMatchObject({
      direction: "INBOUND",
      flowId: inboundFlowId,
      attempts: [{ provider, providerCallId, state: "ENDED" }],
    });
    const transcript = (row?.transcript ?? []) as Json[];
    expect(transcript[0], JSON.stringify(row)).toMatchObject({ role: "ASSISTANT", content: "Thank you for calling." });
    expect(await harness.readNumber()).toMatchObject({ currentActiveCalls: 0, activeInboundCalls: 0 });
    expect(harness.fake.placed.filter(({ to }) => to === from)).toEqual([]);
  });

  test("a person who calls a number that takes no more calls is turned away, and leaves no row", async () => {
    await harness.world.database.query("update phone_numbers set max_concurrent_calls = 0 where id = $1", [
      harness.phoneNumber.id,
    ]);
    const from = harness.newPerson();
    await harness.fake.callIn(from, harness.phoneNumber.number);
    const declined = () =>
      harness.world.database.query<{ reason: string }>(
        "select data ->> 'reason' as reason from events where type = 'call.declined'",
      );
    expect(await harness.until(declined, (rows) => rows.length > 0)).toEqual([{ reason: "NUMBER_BUSY" }]);
    expect(await rowsOf(from)).toEqual([]);
    await harness.world.database.query("update phone_numbers set max_concurrent_calls = 50 where id = $1", [
      harness.phoneNumber.id,
    ]);
  });

  test("a person who writes is answered through the carrier, which reports the delivery", async () => {
    const from = harness.newPerson();
    await harness.fake.writeIn(from, harness.phoneNumber.number, "Hello");
    const [message] = await harness.until(
      async () => sentTo(from),
      (sent) => sent.length > 0,
    );
    const [chat] = await chatsOf(from);
    expect(chat).toMatchObject({ channel: "SMS", provider, assistantPhoneNumber: harness.phoneNumber.number });
    const read = () => harness.ask("GET", `/chat-sessions/${String(chat?.id)}/messages`);
    const { content } = await harness.until(read, (page) =>
      (page.content as Json[]).some(({ deliveryStatus }) => deliveryStatus === "DELIVERED"),
    );
    expect((content as Json[]).find(({ role }) => role === "ASSISTANT")).toMatchObject({ content: message?.text });
    expect(sentTo(from)).toHaveLength(1);
  });

  test("STOP reaches the ledger, and nobody calls the person any more", async () => {
    const from = harness.newPerson();
    await harness.fake.writeIn(from, harness.phoneNumber.number, "STOP");
    const [chat] = await harness.until(
      () => chatsOf(from),
      (chats) => chats[0]?.status === "CLOSED",
    );
    expect(chat).toMatchObject({ endReason: "CUSTOMER_OPTED_OUT" });
    const [row] = await harness.callAll([from]);
    expect(row).toMatchObject({ status: "SKIPPED", error: { code: "DO_NOT_CALL" } });
    expect(harness.fake.placed.filter(({ to }) => to === from)).toEqual([]);
  });
});
