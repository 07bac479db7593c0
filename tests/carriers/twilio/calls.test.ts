import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { uuidv7 } from "#src/platform/kernel/id.ts";
import { listenTo, TwilioHost, until } from "../../kit/carriers/twilio-host.ts";
import { TwilioServer } from "../../kit/carriers/twilio-server.ts";
import { COLD_ORDER } from "../../kit/trial-order.ts";

const OURS = "+12025550001";
const THEIRS = "+14155552671";
const { signal } = new AbortController();

let twilio: TwilioServer;
let host: TwilioHost;

beforeEach(async () => {
  twilio = await TwilioServer.start();
  twilio.owned.push(OURS);
  host = await TwilioHost.start(twilio.url, keysOf(twilio));
});
afterEach(async () => {
  await host[Symbol.asyncDispose]();
  await twilio.close();
});

function keysOf({ keys }: TwilioServer) {
  return { settings: { accountSid: keys.accountSid ?? "" }, secrets: { authToken: keys.authToken ?? "" } };
}

const typesOf = (attemptId: string) => host.eventsOf(attemptId).map(({ type }) => type);
const endOf = (attemptId: string) =>
  until("the call has ended", () =>
    host.eventsOf(attemptId).find(({ eventKey, type }) => type === "ENDED" && !eventKey.includes("stream")),
  );

describe("a dial that Twilio answers", () => {
  test("is placed once, brings its audio both ways, and ends when we hang up", async () => {
    const attemptId = uuidv7();
    const result = await host.dial(OURS, THEIRS, attemptId);
    const { providerCallId } = result as { providerCallId: string };
    expect(twilio.placed).toEqual([{ callId: providerCallId, from: OURS, to: THEIRS }]);
    await until("the socket is there", () => host.delivered.length === 1);
    const source = host.account.carrier.openMedia?.(providerCallId);
    if (source?.kind !== "PORT") throw new Error("no audio");
    const heard = listenTo(source.port);
    for (let frame = 0; frame < 10; frame++) source.port.postMessage(new Uint8Array(160).fill(0x55));
    await until("they hear us", () => twilio.calls[0]?.stream?.heardBytes === 1600);
    await until("we hear them", () => heard.frames.length >= 5);
    expect(heard.frames.every(({ length }) => length === 160)).toBe(true);
    await host.account.carrier.hangUp(providerCallId);
    expect(await endOf(attemptId)).toMatchObject({
      outcome: "ANSWERED",
      hungUpBy: "AGENT",
      sipCode: 200,
      providerCallId,
    });
    expect(typesOf(attemptId)).toEqual(expect.arrayContaining(["RINGING", "ANSWERED", "ENDED"]));
    const who = host.eventsOf(attemptId).find(({ eventKey }) => eventKey.endsWith(":answered-by"));
    expect(who).toMatchObject({ type: "ANSWERED", answeredBy: "HUMAN" });
  });

  test("asks for each event by name, and for who answered, with nothing that repeats the call", async () => {
    await host.dial(OURS, THEIRS);
    const { fields } = twilio.requests[0] as { fields: [string, string][] };
    const events = fields.filter(([name]) => name === "StatusCallbackEvent").map(([, value]) => value);
    expect(events).toEqual(["initiated", "ringing", "answered", "completed"]);
    expect(fields.filter(([name]) => name === "AsyncAmd")).toEqual([["AsyncAmd", "true"]]);
    expect(fields.map(([name]) => name)).not.toContain("Url");
  });

  test("a person who hangs up is the one who hung up, and the line hears it", async () => {
    const attemptId = uuidv7();
    const { providerCallId } = (await host.dial(OURS, THEIRS, attemptId)) as { providerCallId: string };
    await until("the socket is there", () => host.delivered.length === 1);
    const source = host.account.carrier.openMedia?.(providerCallId);
    if (source?.kind !== "PORT") throw new Error("no audio");
    const heard = listenTo(source.port);
    twilio.calls[0]?.stream?.stop();
    expect(await endOf(attemptId)).toMatchObject({ outcome: "ANSWERED", hungUpBy: "CUSTOMER" });
    await until("the line is closed", () => heard.closed);
  });

  test.each([
    ["BUSY", "BUSY", 486],
    ["NO_ANSWER", "NO_ANSWER", 487],
  ] as const)("a person who is %s is %s", async (person, outcome, sipCode) => {
    twilio.plan(THEIRS, { person });
    const attemptId = uuidv7();
    await host.dial(OURS, THEIRS, attemptId);
    expect(await endOf(attemptId)).toMatchObject({ outcome, sipCode });
    expect(typesOf(attemptId)).toEqual(["RINGING", "ENDED"]);
  });

  test("a call that was over before its audio was opened has a line that was hung up, and one whose audio is lost none", async () => {
    twilio.plan(THEIRS, { person: "HANGS_UP" });
    const attemptId = uuidv7();
    const { providerCallId } = (await host.dial(OURS, THEIRS, attemptId)) as { providerCallId: string };
    await endOf(attemptId);
    const { carrier } = host.account;
    expect(await carrier.openLine(providerCallId).listen(1_000, signal)).toEqual({ kind: "HUNG_UP", endMs: 0 });
    const lost = carrier.openLine("CA-unknown");
    expect(await lost.listen(1_000, signal)).toEqual({ kind: "DROPPED", endMs: 0 });
    expect(await lost.say("Hello.", signal)).toMatchObject({ heard: "", interrupted: true, hungUp: false });
  });

  test("hanging up ends the call by its socket when Twilio's interface is away", { timeout: 30_000 }, async () => {
    const { providerCallId } = (await host.dial(OURS, THEIRS)) as { providerCallId: string };
    await until("the socket is there", () => host.delivered.length === 1);
    twilio.broken = { status: 503, body: null };
    await host.account.carrier.hangUp(providerCallId);
    await until("it has ended", () => twilio.calls[0]?.endedAt);
    expect(twilio.requests.filter(({ path }) => path === `/Calls/${providerCallId}.json`)).toHaveLength(3);
    expect(host.warnings).toHaveLength(1);
    expect(twilio.calls[0]?.stream?.wasStopped).toBe(false);
  });

  test("hanging up while it rings ends it unanswered", async () => {
    twilio.plan(THEIRS, { ringMs: 30_000 });
    const attemptId = uuidv7();
    const { providerCallId } = (await host.dial(OURS, THEIRS, attemptId)) as { providerCallId: string };
    await host.account.carrier.hangUp(providerCallId);
    expect(await endOf(attemptId)).toMatchObject({ outcome: "NO_ANSWER", hungUpBy: "AGENT" });
    await host.account.carrier.hangUp(providerCallId);
  });
});

/** Dials, and waits for the answer no longer than until the call is placed. */
async function dialUntilPlaced(attemptId = uuidv7()) {
  const patience = new AbortController();
  const result = host.dial(OURS, THEIRS, attemptId, patience.signal);
  await until("it is placed", () => twilio.placed.length > 0);
  patience.abort();
  return result;
}

describe("a dial that fails", () => {
  test.each([
    ["THROTTLE", { kind: "REFUSED", then: "REQUEUE", retryAfterMs: 2_000, code: "TWILIO_20429" }, 0],
    ["INVALID", { kind: "REFUSED", then: "TERMINAL", outcome: "INVALID_NUMBER", code: "TWILIO_21211" }, 0],
    ["CREDENTIALS", { kind: "REFUSED", then: "REQUEUE", blame: "ACCOUNT", code: "TWILIO_20003" }, 0],
    ["TIMEOUT", { kind: "UNCERTAIN" }, 1],
    ["ERROR", { kind: "UNCERTAIN", code: "TWILIO_20500" }, 1],
  ] as const)("%s", async (answer, result, placed) => {
    twilio.plan(THEIRS, { answer });
    const dialled = answer === "TIMEOUT" ? await dialUntilPlaced() : await host.dial(OURS, THEIRS);
    expect(dialled).toMatchObject(result);
    expect(twilio.placed).toHaveLength(placed);
  });

  test("from a number that the account does not hold is the number's fault, and says what to do", async () => {
    const result = await host.dial("+12025550002", THEIRS);
    expect(result).toMatchObject({ kind: "REFUSED", then: "REQUEUE", blame: "NUMBER", code: "TWILIO_21210" });
    expect((result as { message: string }).message).toMatch(
      /not yet verified .*\(Twilio error 21210\) .*must be bought/,
    );
  });

  test("at a carrier that is not there rings nobody", async () => {
    await twilio.close();
    expect(await host.dial(OURS, THEIRS)).toMatchObject({ kind: "REFUSED", then: "REQUEUE" });
  });

  test("a success without a call's id proves nothing", async () => {
    twilio.broken = { status: 201, body: "<html>" };
    expect(await host.dial(OURS, THEIRS)).toMatchObject({ kind: "UNCERTAIN" });
  });
});

describe("webhooks in every order", () => {
  test.each([["TWICE"], ["REVERSED"], ["LATE"]] as const)("%s", async (webhooks) => {
    twilio.plan(THEIRS, { person: "HANGS_UP", webhooks });
    const attemptId = uuidv7();
    await host.dial(OURS, THEIRS, attemptId);
    await endOf(attemptId);
    await until("all came", () => typesOf(attemptId).includes("RINGING"));
    const ended = host.eventsOf(attemptId).filter(({ type, eventKey }) => type === "ENDED" && /:\d+$/.test(eventKey));
    expect(ended).toHaveLength(1);
    expect(ended[0]).toMatchObject({ outcome: "ANSWERED" });
  });

  test("LOST ones leave the socket, which tells of the answer, and the look-up", async () => {
    twilio.plan(THEIRS, { person: "HANGS_UP", webhooks: "LOST" });
    const attemptId = uuidv7();
    const { providerCallId } = (await host.dial(OURS, THEIRS, attemptId)) as { providerCallId: string };
    await until("the socket is there", () => host.delivered.length === 1);
    await until("it has ended", () => twilio.calls[0]?.endedAt);
    const asked = { attemptId, workspaceId: "w", providerCallId, from: OURS, to: THEIRS, dialledAt: new Date() };
    expect(await host.account.carrier.lookUp(asked, signal)).toMatchObject({
      kind: "ENDED",
      event: { attemptId, providerCallId, outcome: "ANSWERED", hungUpBy: "CUSTOMER" },
    });
    expect(host.readings).toEqual([]);
  });

  test("FORGED ones are not believed", async () => {
    twilio.plan(THEIRS, { person: "BUSY", webhooks: "FORGED" });
    const attemptId = uuidv7();
    await host.dial(OURS, THEIRS, attemptId);
    await until("all came", () => host.readings.length === 3);
    expect(host.readings.map(({ kind }) => kind)).toEqual(["FORGED", "FORGED", "FORGED"]);
    expect(host.eventsOf(attemptId)).toEqual([]);
  });
});

describe("a look-up without the call's id", () => {
  const ask = (attemptId: string, dialledAt: Date) => {
    const asked = { attemptId, workspaceId: "w", providerCallId: null, from: OURS, to: THEIRS, dialledAt };
    return host.account.carrier.lookUp(asked, signal);
  };

  test.each([["TIMEOUT"], ["ERROR"]] as const)("finds the call of a dial that ended in %s", async (answer) => {
    twilio.plan(THEIRS, { answer, person: "BUSY", webhooks: "LOST" });
    const attemptId = uuidv7();
    const dialledAt = new Date();
    await dialUntilPlaced(attemptId);
    await until("it has ended", () => twilio.calls[0]?.endedAt);
    expect(await ask(attemptId, dialledAt)).toMatchObject({ kind: "ENDED", event: { attemptId, outcome: "BUSY" } });
  });

  test("takes no call that is known to be another attempt's, nor an older one", async () => {
    twilio.plan(THEIRS, { person: "BUSY" });
    const dialledAt = new Date();
    await host.dial(OURS, THEIRS);
    expect(await ask(uuidv7(), dialledAt)).toEqual({ kind: "ABSENT" });
    const fresh = await TwilioHost.start(twilio.url, keysOf(twilio));
    const asked = { attemptId: uuidv7(), workspaceId: "w", providerCallId: null, from: OURS, to: THEIRS };
    const later = new Date(Date.now() + 10_000);
    expect(await fresh.account.carrier.lookUp({ ...asked, dialledAt: later }, signal)).toEqual({ kind: "ABSENT" });
    expect(await fresh.account.carrier.lookUp({ ...asked, dialledAt }, signal)).not.toEqual({ kind: "ABSENT" });
    await fresh[Symbol.asyncDispose]();
  });

  test("finds a call that has no date yet, and none that ended without one", async () => {
    const dates = { date_created: null, start_time: null };
    const call = { sid: `CA${"1b".repeat(16)}`, direction: "outbound-api", status: "queued", ...dates };
    twilio.broken = { status: 200, body: { calls: [{ ...call, direction: "inbound" }, call] } };
    expect(await ask(uuidv7(), new Date())).toEqual({ kind: "RINGING", providerCallId: call.sid });
    twilio.broken = { status: 200, body: { calls: [{ ...call, sid: `CA${"2c".repeat(16)}`, status: "failed" }] } };
    expect(await ask(uuidv7(), new Date())).toEqual({ kind: "ABSENT" });
  });

  test("is uncertain when Twilio does not answer", async () => {
    twilio.broken = { status: 503, body: null };
    expect(await ask(uuidv7(), new Date())).toMatchObject({ kind: "UNCERTAIN" });
    await twilio.close();
    expect(await ask(uuidv7(), new Date())).toMatchObject({ kind: "UNCERTAIN" });
  });

  test("absence is never declared a proof", () => {
    expect(host.account.carrier.capabilities).toMatchObject({ dedupe: null, absenceIsProof: false });
  });
});

describe("a call that comes in", () => {
  test("is answered with its audio, and tells its end", async () => {
    const number = { number: OURS, externalId: "", capabilities: [] };
    const owned = await host.account.numbers.findOwned(OURS, signal);
    if (owned.kind !== "DONE") throw new Error("not owned");
    await host.account.numbers.configure({ ...number, externalId: owned.value.externalId }, signal);
    const attemptId = uuidv7();
    host.takeCall = (call) => host.account.answerCall(call, attemptId, signal);
    const callId = await twilio.callIn(THEIRS, OURS);
    expect(host.webhookEvents.find(({ kind }) => kind === "CALL_IN")).toEqual({
      kind: "CALL_IN",
      call: { providerCallId: callId, from: THEIRS, to: OURS },
    });
    const source = host.account.carrier.openMedia?.(callId);
    if (source?.kind !== "PORT") throw new Error("no audio");
    const heard = listenTo(source.port);
    await until("we hear them", () => heard.frames.length >= 5);
    await host.account.carrier.hangUp(callId);
    const ended = await until("it ended", () => host.eventsOf(attemptId).find(({ type }) => type === "ENDED"));
    expect(ended).toMatchObject({ providerCallId: callId, outcome: "ANSWERED", hungUpBy: "AGENT" });
    expect(twilio.placed).toEqual([]);
  });

  test("is turned away without being answered", async () => {
    const owned = await host.account.numbers.findOwned(OURS, signal);
    if (owned.kind !== "DONE") throw new Error("not owned");
    await host.account.numbers.configure(owned.value, signal);
    const callId = await twilio.callIn(THEIRS, OURS);
    const call = { providerCallId: callId, from: THEIRS, to: OURS };
    expect(twilio.posted.at(-1)?.answer).toContain('<Reject reason="busy"/>');
    expect((await host.account.declineCall(call, "UNAVAILABLE", signal)).body).toContain('<Reject reason="rejected"/>');
  });
});

describe("the target of a transfer", () => {
  const order = { ...COLD_ORDER, mode: "WARM", destination: "+14155550199", ringTimeoutSeconds: 5 } as const;

  const dialogue = async () => {
    const { providerCallId } = (await host.dial(OURS, THEIRS)) as { providerCallId: string };
    await until("the socket is there", () => host.delivered.length === 1);
    return providerCallId;
  };

  test("answers, and its audio is a second call's", async () => {
    const leg = await host.account.carrier.dialLeg?.(await dialogue(), order, signal);
    if (leg?.kind !== "ANSWERED" || leg.source.kind !== "PORT") throw new Error("not answered");
    const heard = listenTo(leg.source.port);
    await until("we hear them", () => heard.frames.length >= 5);
    expect(twilio.placed.map(({ from, to }) => [from, to])).toEqual([
      [OURS, THEIRS],
      [OURS, order.destination],
    ]);
    await leg.hangUp();
    await until("it has ended", () => twilio.calls[1]?.endedAt);
    expect(twilio.calls[0]?.endedAt).toBeNull();
  });

  test.each([
    ["BUSY", "BUSY"],
    ["NO_ANSWER", "NO_ANSWER"],
  ] as const)("who is %s fails it", async (person, reason) => {
    twilio.plan(order.destination, { person });
    const leg = await host.account.carrier.dialLeg?.(await dialogue(), order, signal);
    expect(leg).toMatchObject({ kind: "FAILED", reason });
  });

  test("sees our number when the account may not show the person's", async () => {
    const asked = { ...order, callerId: "CUSTOMER" } as const;
    const leg = await host.account.carrier.dialLeg?.(await dialogue(), asked, signal);
    expect(leg?.kind).toBe("ANSWERED");
    const froms = twilio.requests
      .map(({ fields }) => Object.fromEntries(fields))
      .filter(({ To }) => To === order.destination);
    expect(froms.map(({ From }) => From)).toEqual([THEIRS, OURS]);
  });

  test("sees our number at once when the caller has withheld theirs", async () => {
    const call = { providerCallId: "CAwithheld", from: "", to: OURS };
    await host.account.answerCall(call, randomUUID(), signal);
    const asked = { ...order, callerId: "CUSTOMER" } as const;
    const leg = await host.account.carrier.dialLeg?.(call.providerCallId, asked, signal);
    expect(leg?.kind).toBe("ANSWERED");
    const dials = twilio.requests.map(({ fields }) => Object.fromEntries(fields));
    expect(dials.filter(({ To }) => To === order.destination).map(({ From }) => From)).toEqual([OURS]);
  });

  test("is hung up when the transfer is called off meanwhile", async () => {
    const providerCallId = await dialogue();
    twilio.plan(order.destination, { ringMs: 30_000 });
    const stop = new AbortController();
    // As early as it can be: the call is placed, and its id has not come yet.
    twilio.onPlaced = () => stop.abort();
    const leg = await host.account.carrier.dialLeg?.(providerCallId, order, stop.signal);
    expect(leg).toMatchObject({ kind: "FAILED", reason: "NO_ANSWER" });
    await until("it has ended", () => twilio.calls[1]?.endedAt);
    const path = `/Calls/${twilio.calls[1]?.sid}.json`;
    expect(twilio.requests).toContainEqual({ method: "POST", path, fields: [["Status", "completed"]] });
  });

  test("gets the headers of a SIP transfer in its address", async () => {
    const sip = {
      ...order,
      destinationType: "SIP",
      destination: "sip:desk@example.com",
      sipHeaders: { "X-Ticket": "a b" },
    } as const;
    await host.account.carrier.dialLeg?.(await dialogue(), sip, signal);
    expect(twilio.placed.at(-1)?.to).toBe("sip:desk@example.com?X-Ticket=a%20b");
  });
});
