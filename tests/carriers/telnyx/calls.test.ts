import { describe, expect, test } from "vitest";
import type { TransferOrder } from "#src/audio/line/line.ts";
import { settle } from "#src/interactions/dispatch/reconcile.ts";
import type { AskedAttempt, DialRequest } from "#src/telephony/carriers/carrier.ts";
import { dialTo, never, TelnyxDesk } from "../../kit/carriers/telnyx-harness.ts";

const TO = "+13125550100";

const askedOf = (request: DialRequest, providerCallId: string | null = null): AskedAttempt => ({
  attemptId: request.attemptId,
  workspaceId: "w",
  providerCallId,
  from: request.from,
  to: request.to,
  dialledAt: new Date(Date.now() - 1_000),
});

/** Aborts as soon as the carrier has placed a call, so that its answer is lost. */
function abortOncePlaced(desk: TelnyxDesk): AbortSignal {
  const stop = new AbortController();
  void desk.until(() => desk.telnyx.calls.find(({ events }) => events.length > 0)).then(() => stop.abort());
  return stop.signal;
}

describe("a dial", () => {
  test("is taken, reported as it goes on, and ends when we hang up", async () => {
    await using desk = await TelnyxDesk.start();
    const request = dialTo(TO);
    const dialled = await desk.account.carrier.dial(request, never);
    const providerCallId = dialled.kind === "ACCEPTED" ? dialled.providerCallId : "";
    expect(desk.telnyx.placed).toEqual([{ callId: providerCallId, from: request.from, to: TO }]);
    await desk.until(() => desk.events.find((event) => event.type === "ANSWERED"));
    await desk.account.carrier.hangUp(providerCallId);
    const ended = await desk.ended();
    const { attemptId } = request;
    expect(ended).toMatchObject({ attemptId, providerCallId, outcome: "ANSWERED", hungUpBy: "AGENT", sipCode: 200 });
    expect(desk.events.map(({ type }) => type)).toEqual(["RINGING", "ANSWERED", "ENDED"]);
    expect(desk.delivered[0]).toMatchObject({ type: "ANSWERED", attemptId, providerCallId });
  });

  test("brings the person's sound and takes ours", async () => {
    await using desk = await TelnyxDesk.start();
    const { carrier } = desk.account;
    const dialled = await carrier.dial(dialTo(TO), never);
    const id = dialled.kind === "ACCEPTED" ? dialled.providerCallId : "";
    await desk.until(() => desk.delivered.length > 0);
    const source = carrier.openMedia?.(id);
    if (source?.kind !== "PORT") throw new Error("There is no audio.");
    const heard: Uint8Array[] = [];
    source.port.on("message", (frame: Uint8Array) => heard.push(frame));
    await desk.until(() => heard.length > 5);
    expect(heard[0]).toEqual(new Uint8Array(160).fill(0xff));
    for (let i = 0; i < 5; i++) source.port.postMessage(new Uint8Array(160).fill(0x55));
    await desk.until(() => desk.telnyx.calls[0]?.heardFrames === 5);
    expect(carrier.openMedia?.(id)).toBeNull();
    await carrier.hangUp(id);
  });

  const ends = [
    ["HANGS_UP", { outcome: "ANSWERED", hungUpBy: "CUSTOMER" }],
    ["BUSY", { outcome: "BUSY", hungUpBy: "CUSTOMER", sipCode: 486 }],
    ["NO_ANSWER", { outcome: "NO_ANSWER", hungUpBy: "CARRIER", sipCode: 487 }],
  ] as const;
  test.each(ends)("to somebody who %s ends accordingly", async (person, expected) => {
    await using desk = await TelnyxDesk.start();
    desk.telnyx.plan(TO, { person });
    await desk.account.carrier.dial(dialTo(TO), never);
    expect(await desk.ended()).toMatchObject(expected);
  });

  const refusals = [
    ["THROTTLE", { then: "REQUEUE", code: "10011", retryAfterMs: 3_000 }],
    ["INVALID", { then: "TERMINAL", outcome: "INVALID_NUMBER", code: "10016" }],
    ["CREDENTIALS", { then: "REQUEUE", code: "10009", blame: "ACCOUNT" }],
  ] as const;
  test.each(refusals)("that is answered with %s rings nobody and says what to do", async (answer, expected) => {
    await using desk = await TelnyxDesk.start();
    desk.telnyx.plan(TO, { answer });
    const dialled = await desk.account.carrier.dial(dialTo(TO), never);
    expect(dialled).toMatchObject({ kind: "REFUSED", ...expected });
    expect(desk.telnyx.placed).toEqual([]);
  });

  test("from a number of somebody else blames the number", async () => {
    await using desk = await TelnyxDesk.start();
    const dialled = await desk.account.carrier.dial(dialTo(TO, { from: "+15125559999" }), never);
    expect(dialled).toMatchObject({ kind: "REFUSED", then: "REQUEUE", blame: "NUMBER", code: "10010" });
  });

  test("to a carrier that is not there was not made", async () => {
    await using desk = await TelnyxDesk.start({ apiUrl: "http://127.0.0.1:1/v2" });
    const dialled = await desk.account.carrier.dial(dialTo(TO), never);
    expect(dialled).toMatchObject({ kind: "REFUSED", then: "REQUEUE", outcome: "CARRIER_FAILURE" });
  });

  test("whose answer is lost is found by the attempt's id, and once it is over by why it ended", async () => {
    await using desk = await TelnyxDesk.start();
    desk.telnyx.plan(TO, { answer: "ERROR", webhooks: "LOST" });
    const request = dialTo(TO);
    const { carrier } = desk.account;
    expect(await carrier.dial(request, never)).toMatchObject({ kind: "UNCERTAIN" });
    const [placed] = desk.telnyx.placed;
    const found = await carrier.lookUp(askedOf(request), never);
    expect(found).toMatchObject({ providerCallId: placed?.callId });
    await desk.until(() => desk.delivered.length > 0);
    const answered = { kind: "ANSWERED", providerCallId: placed?.callId, answeredBy: "UNCERTAIN" };
    expect(await carrier.lookUp(askedOf(request), never)).toEqual(answered);
    await carrier.hangUp(placed?.callId ?? "");
    const over = { kind: "ENDED", event: { outcome: "ANSWERED", providerCallId: placed?.callId } };
    expect(await carrier.lookUp(askedOf(request), never)).toMatchObject(over);
    expect(await carrier.lookUp(askedOf(request, placed?.callId), never)).toMatchObject(over);
    expect(desk.telnyx.placed).toHaveLength(1);
  });

  test("that somebody answered is told as such to a process that knows nothing of it: nobody is rung again", async () => {
    await using desk = await TelnyxDesk.start();
    desk.telnyx.plan(TO, { webhooks: "LOST" });
    const request = dialTo(TO);
    await desk.account.carrier.dial(request, never);
    await desk.until(() => desk.delivered.length > 0);
    const providerCallId = desk.telnyx.placed[0]?.callId ?? "";
    const answered = { kind: "ANSWERED", providerCallId };
    const { carrier } = desk.openAnew();
    expect(await carrier.lookUp(askedOf(request), never)).toMatchObject(answered);
    expect(await desk.openAnew().carrier.lookUp(askedOf(request, providerCallId), never)).toMatchObject(answered);
  });

  test("that is never answered is uncertain, and the call it placed is found", async () => {
    await using desk = await TelnyxDesk.start();
    desk.telnyx.plan(TO, { answer: "TIMEOUT", webhooks: "LOST" });
    const request = dialTo(TO);
    const dialled = await desk.account.carrier.dial(request, abortOncePlaced(desk));
    expect(dialled).toMatchObject({ kind: "UNCERTAIN" });
    const found = await desk.account.carrier.lookUp(askedOf(request), never);
    expect(found).toMatchObject({ providerCallId: desk.telnyx.placed[0]?.callId });
  });

  test("that was never made is absent, which is no proof", async () => {
    await using desk = await TelnyxDesk.start();
    const { carrier } = desk.account;
    expect(await carrier.lookUp(askedOf(dialTo(TO)), never)).toEqual({ kind: "ABSENT" });
    expect(await carrier.lookUp(askedOf(dialTo(TO), "v3:unknown"), never)).toEqual({ kind: "ABSENT" });
    expect(carrier.capabilities.absenceIsProof).toBe(false);
  });

  test("that cannot be asked about stays uncertain", async () => {
    await using desk = await TelnyxDesk.start();
    desk.telnyx.override = () => ({ status: 500, body: "gone" });
    expect(await desk.account.carrier.lookUp(askedOf(dialTo(TO)), never)).toMatchObject({ kind: "UNCERTAIN" });
  });

  test("of another attempt between the same numbers is not taken for it", async () => {
    await using desk = await TelnyxDesk.start();
    await desk.account.carrier.dial(dialTo(TO), never);
    await desk.until(() => desk.events.length > 0);
    expect(await desk.account.carrier.lookUp(askedOf(dialTo(TO)), never)).toEqual({ kind: "ABSENT" });
  });
});

describe("an uncertain dial", () => {
  const webhooks = ["NORMAL", "TWICE", "REVERSED", "LATE", "LOST", "FORGED"] as const;
  const cases = (["TIMEOUT", "ERROR"] as const).flatMap((answer) => webhooks.map((how) => [answer, how] as const));
  test.each(cases)("by %s with webhooks that come %s settles as the one call that was placed", async (answer, how) => {
    await using desk = await TelnyxDesk.start();
    desk.telnyx.plan(TO, { answer, webhooks: how });
    const request = dialTo(TO);
    const dialled = await desk.account.carrier.dial(request, abortOncePlaced(desk));
    expect(dialled).toMatchObject({ kind: "UNCERTAIN" });
    const settled = await settle(desk.account.carrier, askedOf(request), () => Promise.resolve(null), never);
    expect(["RINGING", "ANSWERED"]).toContain(settled.kind);
    expect(settled).toMatchObject({ providerCallId: desk.telnyx.placed[0]?.callId });
    expect(desk.telnyx.placed).toHaveLength(1);
  });

  test("that was over before anybody asked settles as its end", async () => {
    await using desk = await TelnyxDesk.start();
    desk.telnyx.plan(TO, { answer: "ERROR", webhooks: "LOST", person: "BUSY" });
    const request = dialTo(TO);
    await desk.account.carrier.dial(request, never);
    await desk.until(() => desk.telnyx.calls[0]?.isAlive === false);
    const settled = await settle(desk.account.carrier, askedOf(request), () => Promise.resolve(null), never);
    expect(settled).toMatchObject({ kind: "ENDED", event: { outcome: "BUSY", sipCode: 486 } });
    expect(desk.telnyx.placed).toHaveLength(1);
  });
});

describe("events", () => {
  test("that come twice have one key", async () => {
    await using desk = await TelnyxDesk.start();
    desk.telnyx.plan(TO, { webhooks: "TWICE", person: "HANGS_UP" });
    await desk.account.carrier.dial(dialTo(TO), never);
    await desk.until(() => desk.events.length === 6);
    expect(new Set(desk.events.map(({ eventKey }) => eventKey)).size).toBe(3);
  });

  test("that come in the wrong order tell the same", async () => {
    await using desk = await TelnyxDesk.start();
    desk.telnyx.plan(TO, { webhooks: "REVERSED", person: "BUSY" });
    const request = dialTo(TO);
    await desk.account.carrier.dial(request, never);
    await desk.until(() => desk.events.length === 2);
    expect(desk.events.map(({ type }) => type)).toEqual(["ENDED", "RINGING"]);
    expect(desk.events.every(({ attemptId }) => attemptId === request.attemptId)).toBe(true);
  });

  test("that come late are still believed", async () => {
    await using desk = await TelnyxDesk.start();
    desk.telnyx.plan(TO, { webhooks: "LATE", person: "BUSY" });
    await desk.account.carrier.dial(dialTo(TO), never);
    expect(await desk.ended()).toMatchObject({ outcome: "BUSY" });
  });

  test("that somebody else signed are not believed", async () => {
    await using desk = await TelnyxDesk.start();
    desk.telnyx.plan(TO, { webhooks: "FORGED", person: "BUSY" });
    await desk.account.carrier.dial(dialTo(TO), never);
    await desk.until(() => desk.readings.length === 2);
    expect(desk.readings.map(({ kind }) => kind)).toEqual(["FORGED", "FORGED"]);
  });
});

describe("a call that comes in", () => {
  async function ready(): Promise<TelnyxDesk> {
    const desk = await TelnyxDesk.start();
    const number = "+15125550001";
    const owned = await desk.account.numbers.findOwned(number, never);
    if (owned.kind === "DONE") await desk.account.numbers.configure(owned.value, never);
    return desk;
  }

  test("is answered as an attempt, heard, and ended by whoever called", async () => {
    await using desk = await ready();
    const { attemptId } = dialTo(TO);
    desk.onCallIn = (call) => void desk.account.answerCall(call, attemptId, never);
    desk.telnyx.plan(TO, { person: "HANGS_UP" });
    const id = await desk.telnyx.callIn(TO, "+15125550001");
    const ended = await desk.ended();
    expect(ended).toMatchObject({ attemptId, providerCallId: id, outcome: "ANSWERED", hungUpBy: "CUSTOMER" });
    expect(desk.news[0]).toEqual({ kind: "CALL_IN", call: { providerCallId: id, from: TO, to: "+15125550001" } });
    expect(desk.delivered[0]).toMatchObject({ type: "ANSWERED", attemptId });
  });

  test("is told that we hung up when we did", async () => {
    await using desk = await ready();
    const { attemptId } = dialTo(TO);
    desk.onCallIn = (call) => void desk.account.answerCall(call, attemptId, never);
    const id = await desk.telnyx.callIn(TO, "+15125550001");
    await desk.until(() => desk.delivered.length > 0);
    await desk.account.carrier.hangUp(id);
    expect(await desk.ended()).toMatchObject({ attemptId, hungUpBy: "AGENT" });
  });

  test.each([
    ["BUSY", "user_busy"],
    ["UNAVAILABLE", "call_rejected"],
  ] as const)("is declined as %s", async (why, cause) => {
    await using desk = await ready();
    desk.onCallIn = (call) => void desk.account.declineCall(call, why, never);
    await desk.telnyx.callIn(TO, "+15125550001");
    const call = await desk.until(() => desk.telnyx.calls.find(({ isAlive }) => !isAlive));
    expect(call.events.at(-1)).toMatchObject({ payload: { hangup_cause: cause } });
  });

  test("that has gone before it was answered ends", async () => {
    await using desk = await ready();
    const { attemptId } = dialTo(TO);
    const id = await desk.telnyx.callIn(TO, "+15125550001");
    desk.telnyx.calls[0]?.end("originator_cancel", "caller", "487");
    await desk.account.answerCall({ providerCallId: id, from: TO, to: "+15125550001" }, attemptId, never);
    expect(desk.delivered).toMatchObject([{ type: "ENDED", attemptId, outcome: "NO_ANSWER", hungUpBy: "CUSTOMER" }]);
  });
});

describe("a transfer", () => {
  const TARGET = "+14155550199";
  const order: TransferOrder = {
    mode: "WARM",
    destinationType: "PHONE",
    destination: TARGET,
    dtmfSequence: null,
    callerId: "OWN",
    whisperMessage: null,
    summary: null,
    holdAudioUrl: null,
    ringTimeoutSeconds: 20,
    transferOnlyIfHuman: false,
    fallbackMessage: null,
    sipHeaders: {},
  };

  async function talk(desk: TelnyxDesk): Promise<string> {
    const dialled = await desk.account.carrier.dial(dialTo(TO), never);
    await desk.until(() => desk.delivered.length > 0);
    return dialled.kind === "ACCEPTED" ? dialled.providerCallId : "";
  }

  test("rings the target beside the call and gives its audio", async () => {
    await using desk = await TelnyxDesk.start();
    const id = await talk(desk);
    const leg = await desk.account.carrier.dialLeg?.(id, order, never);
    if (leg?.kind !== "ANSWERED") throw new Error("Nobody answered.");
    expect(leg.source.kind).toBe("PORT");
    expect(desk.telnyx.placed[1]).toMatchObject({ from: "+15125550001", to: TARGET });
    await leg.hangUp();
    expect(desk.telnyx.calls[1]?.isAlive).toBe(false);
    expect(desk.events.every(({ providerCallId }) => providerCallId === id)).toBe(true);
  });

  test.each([
    ["BUSY", "BUSY"],
    ["NO_ANSWER", "NO_ANSWER"],
  ] as const)("to a target that is %s fails for that reason", async (person, reason) => {
    await using desk = await TelnyxDesk.start();
    desk.telnyx.plan(TARGET, { person });
    const leg = await desk.account.carrier.dialLeg?.(await talk(desk), order, never);
    expect(leg).toMatchObject({ kind: "FAILED", reason });
  });

  test("that is given up hangs up on the target", async () => {
    await using desk = await TelnyxDesk.start();
    const id = await talk(desk);
    desk.telnyx.plan(TARGET, { webhooks: "LOST" });
    const stop = new AbortController();
    const leg = desk.account.carrier.dialLeg?.(id, order, stop.signal);
    await desk.until(() => desk.telnyx.placed.length === 2);
    stop.abort();
    expect(await leg).toMatchObject({ kind: "FAILED", reason: "NO_ANSWER" });
    await desk.until(() => desk.telnyx.calls[1]?.isAlive === false);
  });

  test("that Telnyx refuses fails with its words", async () => {
    await using desk = await TelnyxDesk.start();
    const id = await talk(desk);
    const leg = await desk.account.carrier.dialLeg?.(id, { ...order, callerId: "CUSTOMER" }, never);
    expect(leg).toMatchObject({ kind: "FAILED", reason: "UNREACHABLE" });
    expect(leg?.kind === "FAILED" && leg.message).toContain("D35");
  });

  test("of a call that is not known here fails", async () => {
    await using desk = await TelnyxDesk.start();
    const leg = await desk.account.carrier.dialLeg?.("v3:gone", order, never);
    expect(leg).toMatchObject({ kind: "FAILED", reason: "UNREACHABLE" });
  });
});
