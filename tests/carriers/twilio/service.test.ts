import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LiveHarness } from "../../kit/carriers/live-harness.ts";
import { TwilioEmulator } from "../../kit/carriers/twilio-emulator.ts";
import { TwilioServer } from "../../kit/carriers/twilio-server.ts";

type Body = Record<string, unknown>;

/** Number that the account owns before anything is bought. */
const OURS = "+14155552600";

/** Returns a person's rows of the history. */
async function callsOf(harness: LiveHarness, person: string): Promise<Body[]> {
  return (await harness.ask("GET", `/call-history?customerNumber=${encodeURIComponent(person)}`)).content as Body[];
}

describe("the service, a Twilio that others wrote, and Twilio's own client", () => {
  let harness: LiveHarness;
  let emulator: TwilioEmulator;
  beforeAll(async () => {
    emulator = await TwilioEmulator.start(OURS);
    const nothing = { placed: [], messages: [], forSale: [], plan: () => undefined };
    const { url, keys } = emulator;
    const close = () => emulator[Symbol.asyncDispose]();
    const [callIn, writeIn] = [() => Promise.resolve(""), () => Promise.resolve()];
    harness = await LiveHarness.open("TWILIO", { ...nothing, url, keys, owned: [OURS], close, callIn, writeIn });
  });
  afterAll(() => harness[Symbol.asyncDispose]());

  test("a call is placed once, rings, and ends as Twilio reports it", async () => {
    const to = harness.newPerson();
    const flow = { name: "Live", masterPrompt: "Confirm.", firstMessage: "Hello.", ringTimeoutSeconds: 10 };
    const job = await harness.ask("POST", "/call-jobs", {
      flow,
      rows: [{ customerNumber: to }],
      retryConfig: { maxAttempts: 1 },
    });
    const [call] = await harness.until(
      () => emulator.client.calls.list({ to }),
      (calls) => calls.length > 0,
    );
    const path = `/call-jobs/${String(job.id)}`;
    const rowOf = async () => ((await harness.ask("GET", `${path}/rows`)).content as Body[])[0] as Body;
    await harness.until(rowOf, ({ status }) => status === "RINGING");
    await emulator.simulate("call-status", { CallSid: String(call?.sid), Status: "busy" });
    const row = await harness.until(rowOf, ({ status }) => status === "FAILED");
    expect(row).toMatchObject({ outcome: "BUSY" });
    expect(await emulator.client.calls.list({ to })).toHaveLength(1);
  });

  test("a person writes, and the flow's answer is sent once", async () => {
    const person = harness.newPerson();
    await emulator.simulate("inbound-message", { From: person, To: harness.phoneNumber.number, Body: "Hello?" });
    const sent = await harness.until(
      () => emulator.client.messages.list({ to: person }),
      (messages) => messages.length > 0,
    );
    expect(sent.map(({ from, direction }) => [from, direction])).toEqual([
      [harness.phoneNumber.number, "outbound-api"],
    ]);
    const [message] = sent;
    await emulator.simulate("message-status", { MessageSid: String(message?.sid), Status: "delivered" });
    const [chat] = (await harness.ask("GET", `/chat-sessions?contactPhone=${encodeURIComponent(person)}`))
      .content as Body[];
    const stateOf = async () => {
      const { content } = await harness.ask("GET", `/chat-sessions/${String(chat?.id)}/messages`);
      return (content as Body[]).map(({ deliveryStatus }) => deliveryStatus);
    };
    expect(await harness.until(stateOf, (states) => states.includes("DELIVERED"))).toEqual([null, "DELIVERED"]);
    expect(await emulator.client.messages.list({ to: person })).toHaveLength(1);
  });
});

describe("the service and a Twilio with people", () => {
  let harness: LiveHarness;
  let twilio: TwilioServer;
  beforeAll(async () => {
    twilio = await TwilioServer.start();
    harness = await LiveHarness.open("TWILIO", twilio);
  });
  afterAll(() => harness[Symbol.asyncDispose]());

  test("a person who calls hears the flow, and the call is a row that came in", async () => {
    const person = harness.newPerson();
    await twilio.callIn(person, harness.phoneNumber.number);
    const [row] = await harness.until(
      () => callsOf(harness, person),
      ([call]) => call !== undefined && call.endedAt !== null,
    );
    expect(row).toMatchObject({ direction: "INBOUND", status: "COMPLETED" });
    expect(twilio.calls.at(-1)?.stream?.heardBytes).toBeGreaterThan(8_000);
    expect(twilio.placed).toEqual([]);
    expect(await harness.readNumber()).toMatchObject({ currentActiveCalls: 0 });
  });

  test("a number is bought once, and given back to Twilio when it is deleted", async () => {
    const number = "+16175550123";
    twilio.forSale.push(number);
    const { id } = await harness.addNumber(number);
    const orders = () =>
      twilio.requests.filter(({ method, path }) => method === "POST" && path === "/IncomingPhoneNumbers.json");
    expect(orders()).toHaveLength(1);
    await harness.ask("DELETE", `/phone-numbers/${id}`);
    await harness.until(
      () => Promise.resolve(twilio.owned),
      (owned) => !owned.includes(number),
    );
  });
});
