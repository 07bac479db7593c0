import { randomBytes, randomUUID } from "node:crypto";
import type { MessagePort } from "node:worker_threads";
import { expect, test } from "vitest";
import { muLawCodec } from "#src/audio/codec/mu-law.ts";
import type { AskedAttempt, CarrierEvent, DialRequest } from "#src/telephony/carriers/carrier.ts";
import { MediaSocketGateway } from "#src/telephony/carriers/media-socket-gateway.ts";
import { vonageProvider } from "#src/telephony/carriers/vonage/vonage-provider.ts";
import { openVonage, until, VonageHarness } from "../../kit/carriers/vonage-harness.ts";
import { COLD_ORDER } from "../../kit/trial-order.ts";

const NEVER = new AbortController().signal;
const FROM = "+12025550199";
const TO = "+14155550123";

function dialOf(overrides: Partial<DialRequest> = {}): DialRequest {
  return {
    attemptId: randomUUID(),
    workspaceId: "w",
    from: FROM,
    to: TO,
    ringTimeoutSeconds: 30,
    eventsUrl: "http://unused",
    ...overrides,
  };
}

function asked(dial: DialRequest, providerCallId: string | null, dialledAt = new Date()): AskedAttempt {
  const { attemptId, workspaceId, from, to } = dial;
  return { attemptId, workspaceId, from, to, providerCallId, dialledAt };
}

async function dialled(harness: VonageHarness, dial = dialOf()): Promise<string> {
  const result = await harness.account.carrier.dial(dial, NEVER);
  if (result.kind !== "ACCEPTED") throw new Error(`The dial came to ${JSON.stringify(result)}.`);
  return result.providerCallId;
}

test("a call rings, is answered by a person, carries sound both ways and ends by our order", async () => {
  await using harness = await VonageHarness.start();
  const dial = dialOf();
  const callId = await dialled(harness, dial);
  expect(harness.vonage.placed).toEqual([{ callId, from: FROM, to: TO }]);
  await until(() => harness.reported.length > 0);
  expect(harness.reported).toMatchObject([{ type: "ANSWERED", attemptId: dial.attemptId, providerCallId: callId }]);
  const source = harness.account.carrier.openMedia?.(callId);
  if (source?.kind !== "PORT") throw new Error("There is no audio.");
  const heard: Uint8Array[] = [];
  source.port.on("message", (message) => (message instanceof Uint8Array ? heard.push(message) : undefined));
  await until(() => heard.length > 10);
  expect(loudest(heard)).toBeGreaterThan(7_000);
  const call = harness.vonage.calls.get(callId);
  say(source.port, 25);
  await until(() => (call?.heardBytes ?? 0) >= 25 * 320);
  await harness.account.carrier.hangUp(callId);
  await until(() => harness.events.some(({ type }) => type === "ENDED"));
  expect(harness.events.map(({ type }) => type)).toEqual(["RINGING", "ANSWERED", "ANSWERED", "ENDED"]);
  expect(harness.events[2]).toMatchObject({ answeredBy: "HUMAN", providerCallId: callId });
  expect(harness.events.at(-1)).toMatchObject({ outcome: "ANSWERED", hungUpBy: "AGENT", attemptId: dial.attemptId });
  expect(new Set(harness.events.map(({ eventKey }) => eventKey)).size).toBe(4);
  expect(harness.readings.every(({ kind }) => kind === "READ")).toBe(true);
});

function loudest(frames: Uint8Array[]): number {
  const samples = new Int16Array(160);
  return frames.reduce((most, frame) => {
    muLawCodec.decodeInto(frame, 0, frame.length, samples);
    return Math.max(most, ...samples);
  }, 0);
}

function say(port: MessagePort, frames: number): void {
  for (let i = 0; i < frames; i++) port.postMessage(new Uint8Array(160).fill(0xff));
}

test.each([
  ["HANGS_UP", { outcome: "ANSWERED", hungUpBy: "CUSTOMER" }],
  ["BUSY", { outcome: "BUSY", hungUpBy: "CUSTOMER" }],
  ["NO_ANSWER", { outcome: "NO_ANSWER" }],
] as const)("a person who %s is reported as such, and a look-up tells the same", async (person, ended) => {
  await using harness = await VonageHarness.start();
  harness.vonage.plan(TO, { person });
  const dial = dialOf();
  const callId = await dialled(harness, dial);
  await until(() => harness.events.some(({ type }) => type === "ENDED"));
  expect(harness.events.at(-1)).toMatchObject({ type: "ENDED", providerCallId: callId, ...ended });
  const { outcome } = ended;
  for (const id of [callId, null]) {
    expect(await harness.account.carrier.lookUp(asked(dial, id), NEVER)).toMatchObject({
      kind: "ENDED",
      event: { providerCallId: callId, attemptId: dial.attemptId, outcome },
    });
  }
});

test.each([
  ["THROTTLE", { then: "REQUEUE", code: "throttled", retryAfterMs: 2_000 }],
  ["INVALID", { then: "TERMINAL", outcome: "INVALID_NUMBER", message: expect.stringContaining("Check it") as string }],
  ["CREDENTIALS", { then: "REQUEUE", blame: "ACCOUNT", message: expect.stringContaining("API key") as string }],
] as const)("a dial answered with %s rings nobody, and says what to do", async (answer, expected) => {
  await using harness = await VonageHarness.start();
  harness.vonage.plan(TO, { answer });
  expect(await harness.account.carrier.dial(dialOf(), NEVER)).toMatchObject({ kind: "REFUSED", ...expected });
  expect(harness.vonage.placed).toEqual([]);
});

test("a number that the account does not own is the number's fault", async () => {
  await using harness = await VonageHarness.start();
  const result = await harness.account.carrier.dial(dialOf({ from: "+12025550111" }), NEVER);
  expect(result).toMatchObject({ kind: "REFUSED", then: "REQUEUE", blame: "NUMBER" });
  expect(result).toMatchObject({ message: expect.stringContaining("Rent it") as string });
});

test.each(["TIMEOUT", "ERROR"] as const)(
  "a dial that is taken and answered with %s is uncertain, and found by its numbers and time",
  async (answer) => {
    await using harness = await VonageHarness.start();
    harness.vonage.plan(TO, { answer, webhooks: "LOST" });
    const dial = dialOf();
    const dialledAt = new Date();
    const patience = new AbortController();
    const dialled = harness.account.carrier.dial(dial, patience.signal);
    await until(() => harness.vonage.placed.length > 0);
    patience.abort();
    expect(await dialled).toMatchObject({ kind: "UNCERTAIN" });
    await until(() => [...harness.vonage.calls.values()].some(({ status }) => status === "answered"));
    const found = await harness.account.carrier.lookUp(asked(dial, null, dialledAt), NEVER);
    const [call] = harness.vonage.placed;
    expect(found).toMatchObject({ kind: "ANSWERED", providerCallId: call?.callId });
    // The socket came before anybody knew the call's id.
    await until(() => harness.reported.length > 0);
    expect(harness.reported).toMatchObject([{ type: "ANSWERED", providerCallId: call?.callId }]);
    expect(harness.account.carrier.openMedia?.(call?.callId ?? "")).toMatchObject({ kind: "PORT" });
  },
);

test("a call that rang while the process was started again is heard after a look-up", async () => {
  await using harness = await VonageHarness.start();
  const stranger = openVonage("b", { ...harness.vonage.keys, apiUrl: harness.vonage.url }, harness);
  const dial = dialOf();
  const callId = await dialled(harness, dial);
  const key = randomBytes(32);
  const again = new MediaSocketGateway({ publicUrl: harness.publicUrl, keys: () => [key] });
  const reported: CarrierEvent[] = [];
  const parts = { publicUrl: harness.publicUrl, media: again, deliver: (event: CarrierEvent) => reported.push(event) };
  const account = openVonage("a", { ...harness.vonage.keys, apiUrl: harness.vonage.url }, parts);
  expect(account.carrier.openMedia?.(callId)).toBeNull();
  expect(await account.carrier.lookUp(asked(dial, null), NEVER)).toMatchObject({ providerCallId: callId });
  expect(account.carrier.openMedia?.(callId)).toMatchObject({ kind: "PORT" });
  again.closeAll();
  // An account that is opened anew beside it knows the calls of the same node.
  expect(stranger.carrier.openMedia?.(callId)).toMatchObject({ kind: "PORT" });
});

test("a call that is over before its audio is opened has a line that was hung up", async () => {
  await using harness = await VonageHarness.start();
  harness.vonage.plan(TO, { person: "HANGS_UP" });
  const callId = await dialled(harness);
  await until(() => harness.events.some(({ type }) => type === "ENDED"));
  const { carrier } = harness.account;
  expect(carrier.openMedia?.(callId)).toBeNull();
  expect(await carrier.openLine(callId).listen(1_000, NEVER)).toMatchObject({ kind: "HUNG_UP" });
});

test("a call that we hung up has a line that was hung up, before Vonage reports the end", async () => {
  await using harness = await VonageHarness.start();
  harness.vonage.plan(TO, { webhooks: "LOST" });
  const callId = await dialled(harness);
  await until(() => harness.reported.length > 0);
  await harness.account.carrier.hangUp(callId);
  expect(await harness.account.carrier.openLine(callId).listen(1_000, NEVER)).toMatchObject({ kind: "HUNG_UP" });
});

test("an answered call of a process that is gone has lost its audio, and nobody has hung up", async () => {
  await using harness = await VonageHarness.start();
  const dial = dialOf();
  const callId = await dialled(harness, dial);
  await until(() => harness.vonage.calls.get(callId)?.status === "answered");
  const key = randomBytes(32);
  const again = new MediaSocketGateway({ publicUrl: harness.publicUrl, keys: () => [key] });
  const parts = { publicUrl: harness.publicUrl, media: again };
  const { carrier } = openVonage("a", { ...harness.vonage.keys, apiUrl: harness.vonage.url }, parts);
  expect(await carrier.openLine(callId).listen(1_000, NEVER)).toMatchObject({ kind: "DROPPED" });
  again.closeAll();
});

test("a look-up tells calls of other people, of other numbers and of earlier days apart", async () => {
  await using harness = await VonageHarness.start();
  await dialled(harness);
  const { carrier } = harness.account;
  const later = new Date(Date.now() + 60_000);
  expect(await carrier.lookUp(asked(dialOf(), null, later), NEVER)).toEqual({ kind: "ABSENT" });
  expect(await carrier.lookUp(asked(dialOf({ to: "+14155550124" }), null), NEVER)).toEqual({ kind: "ABSENT" });
  expect(await carrier.lookUp(asked(dialOf(), randomUUID()), NEVER)).toEqual({ kind: "ABSENT" });
  expect(carrier.capabilities).toMatchObject({ dedupe: null, absenceIsProof: false });
});

test("a look-up goes through all pages of the list", async () => {
  await using harness = await VonageHarness.start();
  harness.vonage.plan(TO, { person: "NO_ANSWER", webhooks: "LOST" });
  const dial = dialOf();
  const dialledAt = new Date();
  const callId = await dialled(harness, dial);
  const record = harness.vonage.calls.get(callId);
  if (!record) throw new Error("nothing was placed");
  for (let i = 0; i < 150; i++) {
    const options = { ...record.options, to: `1415555${String(1000 + i)}` };
    const other = Object.assign(Object.create(Object.getPrototypeOf(record) as object) as typeof record, record);
    harness.vonage.calls.set(`other-${i}`, Object.assign(other, { options, close: () => undefined }));
  }
  expect(await harness.account.carrier.lookUp(asked(dial, null, dialledAt), NEVER)).toMatchObject({
    kind: "RINGING",
    providerCallId: callId,
  });
});

test.each(["TWICE", "REVERSED"] as const)("webhooks that come %s tell the same end", async (webhooks) => {
  await using harness = await VonageHarness.start();
  harness.vonage.plan(TO, { person: "HANGS_UP", webhooks });
  const callId = await dialled(harness);
  const wanted = webhooks === "TWICE" ? 8 : 4;
  await until(() => harness.events.length >= wanted);
  expect(new Set(harness.events.map(({ eventKey }) => eventKey)).size).toBe(4);
  expect(harness.events.every(({ providerCallId }) => providerCallId === callId)).toBe(true);
  expect(harness.events.filter(({ type }) => type === "ENDED")[0]).toMatchObject({ outcome: "ANSWERED" });
});

test("forged webhooks are turned away, and tell nothing", async () => {
  await using harness = await VonageHarness.start();
  harness.vonage.plan(TO, { person: "BUSY", webhooks: "FORGED" });
  await dialled(harness);
  await until(() => harness.readings.length >= 3);
  expect(harness.readings.every(({ kind }) => kind === "FORGED")).toBe(true);
  expect(harness.events).toEqual([]);
});

test("a genuine event that is sent again to the address of another attempt does not end that one", async () => {
  await using harness = await VonageHarness.start();
  harness.vonage.plan("+14155550177", { person: "BUSY" });
  await dialled(harness, dialOf({ to: "+14155550177" }));
  const other = dialOf();
  await dialled(harness, other);
  await until(() => harness.events.some(({ type }) => type === "ENDED"));
  const busy = harness.webhooks.find(({ body }) => body.toString().includes('"busy"'));
  if (!busy) throw new Error("no event");
  const reading = harness.account.readWebhook({ ...busy, path: `calls/${other.attemptId}` });
  expect(reading).toMatchObject({ kind: "READ", events: [] });
});

test("a call that comes in is taken, heard and ended", async () => {
  await using harness = await VonageHarness.start();
  const owned = await harness.account.numbers.findOwned(FROM, NEVER);
  if (owned.kind !== "DONE") throw new Error("not owned");
  await harness.account.numbers.configure(owned.value, NEVER);
  harness.inboundAttemptId = randomUUID();
  const callId = await harness.vonage.callIn(TO, FROM);
  expect(harness.webhookEvents[0]).toEqual({ kind: "CALL_IN", call: { providerCallId: callId, from: TO, to: FROM } });
  await until(() => harness.reported.length > 0);
  const source = harness.account.carrier.openMedia?.(callId);
  if (source?.kind !== "PORT") throw new Error("There is no audio.");
  await harness.account.carrier.hangUp(callId);
  await until(() => harness.events.some(({ type }) => type === "ENDED"));
  expect(harness.events.at(-1)).toMatchObject({ attemptId: harness.inboundAttemptId, providerCallId: callId });
});

test("the target of a transfer sees our number when the caller has withheld theirs", async () => {
  await using harness = await VonageHarness.start();
  const owned = await harness.account.numbers.findOwned(FROM, NEVER);
  if (owned.kind !== "DONE") throw new Error("not owned");
  await harness.account.numbers.configure(owned.value, NEVER);
  harness.inboundAttemptId = randomUUID();
  const callId = await harness.vonage.callIn("anonymous", FROM);
  await until(() => harness.reported.length > 0);
  const order = { ...COLD_ORDER, destination: "+14155550188", callerId: "CUSTOMER" } as const;
  const leg = await harness.account.carrier.dialLeg?.(callId, order, NEVER);
  expect(leg?.kind).toBe("ANSWERED");
  expect(harness.vonage.placed.at(-1)).toMatchObject({ from: FROM, to: "+14155550188" });
});

test("a call that nobody takes is turned away", async () => {
  await using harness = await VonageHarness.start();
  const owned = await harness.account.numbers.findOwned(FROM, NEVER);
  if (owned.kind !== "DONE") throw new Error("not owned");
  await harness.account.numbers.configure(owned.value, NEVER);
  const callId = await harness.vonage.callIn("+14155550123", FROM);
  expect(harness.vonage.calls.get(callId)?.status).not.toBe("answered");
  expect(harness.reported).toEqual([]);
});

test("the target of a transfer is rung beside the call, from our number, and its audio opened", async () => {
  await using harness = await VonageHarness.start();
  const callId = await dialled(harness);
  const order = { ...COLD_ORDER, destination: "+14155550188", ringTimeoutSeconds: 20 };
  const leg = await harness.account.carrier.dialLeg?.(callId, order, NEVER);
  if (leg?.kind !== "ANSWERED") throw new Error(`The leg came to ${JSON.stringify(leg)}.`);
  expect(harness.vonage.placed[1]).toMatchObject({ from: FROM, to: "+14155550188" });
  await leg.hangUp();
  const placed = harness.vonage.calls.get(harness.vonage.placed[1]?.callId ?? "");
  await until(() => placed?.status === "completed");
  harness.vonage.plan("+14155550189", { person: "BUSY" });
  const busy = await harness.account.carrier.dialLeg?.(callId, { ...order, destination: "+14155550189" }, NEVER);
  expect(busy).toMatchObject({ kind: "FAILED", reason: "BUSY" });
  // Called off as early as it can be: the call is placed, and its id has not come yet.
  const stop = new AbortController();
  harness.vonage.onPlaced = () => stop.abort();
  const late = await harness.account.carrier.dialLeg?.(callId, { ...order, destination: "+14155550187" }, stop.signal);
  expect(late).toMatchObject({ kind: "FAILED", reason: "NO_ANSWER" });
  const { callId: lateId } = harness.vonage.placed.at(-1) ?? {};
  const orders = harness.vonage.requests.filter(
    ({ method, path }) => method === "PUT" && path === `/v1/calls/${lateId}`,
  );
  expect(orders.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ action: "hangup" }]);
});

test("an address where nobody is refuses the dial before anything left", async () => {
  await using harness = await VonageHarness.start();
  const fields = { ...harness.vonage.keys, apiUrl: "http://127.0.0.1:9" };
  const account = openVonage("a", fields, harness);
  const result = await account.carrier.dial(dialOf(), NEVER);
  expect(result).toMatchObject({ kind: "REFUSED", then: "REQUEUE", outcome: "CARRIER_FAILURE" });
  expect(await account.check(NEVER)).toMatchObject({ kind: "UNREACHABLE" });
  expect(await account.carrier.lookUp(asked(dialOf(), null), NEVER)).toMatchObject({ kind: "UNCERTAIN" });
  await expect(account.carrier.hangUp("gone")).resolves.toBeUndefined();
});

test.each([
  ["apiSecret", "another-secret", "API key and secret"],
  ["applicationId", "00000000-0000-4000-8000-000000000000", "no application"],
  ["privateKey", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----", "PEM"],
])("a wrong %s is named by the check", async (field, value, words) => {
  await using harness = await VonageHarness.start({ [field]: value });
  const check = await harness.account.check(NEVER);
  expect(check.kind).toBe("REFUSED");
  expect(check.message).toContain(words);
  expect(check.message).not.toContain(value);
});

test("the private key of another application is named by the check", async () => {
  await using other = await VonageHarness.start();
  await using harness = await VonageHarness.start({ privateKey: other.vonage.keys.privateKey ?? "" });
  expect(await harness.account.check(NEVER)).toMatchObject({
    kind: "REFUSED",
    message: expect.stringContaining("private key") as string,
  });
  expect(await harness.account.carrier.dial(dialOf(), NEVER)).toMatchObject({ blame: "ACCOUNT" });
});

test("an account that works says so, and an empty balance too", async () => {
  await using harness = await VonageHarness.start();
  expect(await harness.account.check(NEVER)).toMatchObject({
    kind: "WORKS",
    message: expect.stringContaining("EUR 12.50") as string,
  });
  harness.vonage.balance = 0;
  expect((await harness.account.check(NEVER)).message).toContain("top it up");
});

test("keys are taken as Vonage gives them, a private key pasted into one line included", async () => {
  await using harness = await VonageHarness.start();
  const fields: Record<string, string> = { ...harness.vonage.keys, apiUrl: harness.vonage.url };
  for (const { name, pattern } of vonageProvider.fields) {
    expect(pattern.test(fields[name] ?? ""), name).toBe(true);
    expect(pattern.test("\0"), name).toBe(false);
  }
  const privateKey = (fields.privateKey ?? "").trim().replaceAll("\n", String.raw`\n`);
  expect(vonageProvider.fields.find(({ name }) => name === "privateKey")?.pattern.test(privateKey)).toBe(true);
  const account = openVonage("a", { ...fields, privateKey }, harness);
  expect(await account.check(NEVER)).toMatchObject({ kind: "WORKS" });
});
